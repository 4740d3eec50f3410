//! The page: plain modules, a style sheet and a frame, which run in a browser as they are.

use super::Scene;
use super::packed::element;
use navmap_core::Limits;
use navmap_core::bytes::Inflater;
use std::io::{self, Write};
use std::sync::LazyLock;

/// What the build has packed, and how long each part of it is.
static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/page.z"));
const LENGTHS: [usize; 3] = include!(concat!(env!("OUT_DIR"), "/lengths.rs"));

/// The page itself, its style and its script, one after the other.
static PAGE: LazyLock<String> = LazyLock::new(|| {
    let size = LENGTHS.iter().sum::<usize>() as u64;
    let mut inflater = Inflater::default();
    // A test reads what the build has packed.
    let whole = inflater.zlib(PACKED, size, &Limits::default()).unwrap_or_default();
    String::from_utf8_lossy(whole).into_owned()
});

fn part(part: usize) -> &'static str {
    let start: usize = LENGTHS[..part].iter().sum();
    PAGE.get(start..start + LENGTHS[part]).unwrap_or_default()
}

/// A file of the page by name: its media type and its text. There are the page itself, which names the others, its style and its script.
pub fn file(name: &str) -> Option<(&'static str, &'static str)> {
    let (at, kind) = match name {
        "index.html" => (0, "text/html; charset=utf-8"),
        "style.css" => (1, "text/css; charset=utf-8"),
        "start.js" => (2, "text/javascript; charset=utf-8"),
        _ => return None,
    };
    Some((kind, part(at)))
}

/// The size up to which a file has a picture of the mesh as well.
const WITH_PICTURE: usize = 1_000_000;

/// A function that writes an SVG of the mesh.
pub type WriteSvg<'d> = dyn FnMut(&mut dyn Write) -> io::Result<()> + 'd;

/// Writes one file with the page and a mesh in it, which a browser opens from a disk. `picture` writes an SVG of the mesh for browsers
/// without WebGL 2, packed as it is written. It is left out of a file that would grow over 1 MB by it, and if it fails; it is not asked
/// for where the file is larger without. The page is written as it is made, so it is never held whole, and the scene is gone before the
/// picture is asked for.
///
/// # Errors
/// Those of `out`.
pub fn write_html(scene: Scene, picture: &mut WriteSvg<'_>, out: &mut dyn Write) -> io::Result<()> {
    let [index, style, script] = [0, 1, 2].map(part);
    let link = "<link rel=\"stylesheet\" href=\"style.css\">";
    // The graphics context is asked for before the first paint, behind which it would wait.
    let module = "<script type=\"module\" src=\"start.js\" blocking=\"render\"></script>\n";
    let page = index.replace(link, &format!("<style>\n{style}</style>")).replace(module, "");
    let end = "</body>";
    let (before, after) = page.split_once(end).unwrap_or((&page, ""));
    out.write_all(before.as_bytes())?;
    let shown = element("scene", out, &mut |packed| {
        let head = scene.head().to_string();
        packed.write_all(&(head.len() as u32).to_le_bytes())?;
        packed.write_all(head.as_bytes())?;
        scene.parts().iter().try_for_each(|(_, part)| packed.write_all(&part.arranged()))
    })?;
    drop(scene);
    let is_small = |more: usize| shown + more + style.len() + script.len() + index.len() < WITH_PICTURE;
    if is_small(0) {
        let mut image = Vec::new();
        let drawn = element("scene-picture", &mut image, picture);
        if drawn.is_ok_and(is_small) {
            out.write_all(&image)?;
        }
    }
    write!(out, "<script type=\"module\">\n{script}</script>\n{end}{after}")
}

/// The same as a text.
pub fn html(scene: Scene, picture: &mut WriteSvg<'_>) -> String {
    let mut page = Vec::new();
    // Nothing can go wrong with memory as the output, and all of a page is text.
    let _ = write_html(scene, picture, &mut page);
    String::from_utf8(page).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules::{MODULES, joined};
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    #[test]
    fn modules_can_be_joined_into_one() {
        let mut names = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let texts = MODULES.map(|name| (name, fs::read_to_string(folder.join(name)).unwrap()));
        for (file, text) in &texts {
            assert!(text.lines().count() < 400, "{file} is too long");
            assert!(!text.contains("</script"), "{file} ends its element");
            for line in text.lines() {
                if let Some((_, from)) =
                    line.strip_prefix("import ").and_then(|rest| rest.split_once(" from "))
                {
                    let from = from.trim_matches([';', '"']).trim_start_matches("./");
                    assert!(seen.contains(from), "{file} imports {from}, which comes later");
                }
                assert!(
                    !line.starts_with("export default") && !line.starts_with("export {"),
                    "{file}: {line}"
                );
                let line = line.strip_prefix("export ").unwrap_or(line);
                let line = line.strip_prefix("async ").unwrap_or(line);
                let named =
                    ["const ", "let ", "function ", "class "].iter().find_map(|word| line.strip_prefix(word));
                if let Some(rest) = named {
                    let statement = rest.split(" = ").next().unwrap_or(rest);
                    let name =
                        statement.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
                    assert!(name.is_empty() || names.insert(name), "{file}: {name} stands in two modules");
                }
            }
            seen.insert(*file);
        }
        let whole = joined(texts.iter().map(|(_, text)| &**text));
        assert!(!whole.contains("\nimport ") && !whole.contains("\nexport "));
        // That is what was packed, and nothing in the folder was forgotten.
        assert_eq!(file("start.js").unwrap().1, whole);
        for (name, start) in [("index.html", "<!doctype html>"), ("style.css", ":root")] {
            let (_, text) = file(name).unwrap();
            assert!(
                text.starts_with(start) && text == fs::read_to_string(folder.join(name)).unwrap(),
                "{name}"
            );
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), MODULES.len() + 2);
        assert!(PACKED.len() * 3 < LENGTHS.iter().sum(), "{} bytes", PACKED.len());
    }
}
