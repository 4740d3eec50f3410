//! The page: plain modules, a style sheet and a frame, which run in a browser as they are.

use super::Scene;
use navmap_core::bytes::{Inflater, deflate};
use navmap_core::{Limits, Result};
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

/// One file with the page and a mesh in it, which a browser opens from a disk. `picture` writes an SVG of the mesh for browsers without
/// WebGL 2; it is left out of a file that would grow over 1 MB by it, and not asked for where the file is larger without.
///
/// # Errors
/// If there is not enough memory to compress the mesh.
pub fn html(scene: &Scene, picture: &mut dyn FnMut(&mut Vec<u8>)) -> Result<String> {
    let head = scene.head().to_string();
    let mut whole = (head.len() as u32).to_le_bytes().to_vec();
    whole.extend_from_slice(head.as_bytes());
    scene.parts().iter().for_each(|(_, part)| whole.extend(part.arranged()));
    drop(head);
    let mut kept = element("scene", "text/plain", &packed(&whole)?);
    drop(whole);
    let [index, style, script] = [0, 1, 2].map(part);
    let is_small = |more: usize| kept.len() + more + style.len() + script.len() + index.len() < WITH_PICTURE;
    if is_small(0) {
        let mut svg = Vec::new();
        picture(&mut svg);
        let picture = element("scene-picture", "text/plain", &packed(&svg)?);
        if is_small(picture.len()) {
            kept += &picture;
        }
    }
    let link = "<link rel=\"stylesheet\" href=\"style.css\">";
    // The graphics context is asked for before the first paint, behind which it would wait.
    let module = "<script type=\"module\" src=\"start.js\" blocking=\"render\"></script>\n";
    let page = index.replace(link, &format!("<style>\n{style}</style>")).replace(module, "");
    let end = "</body>";
    Ok(page.replace(end, &format!("{kept}<script type=\"module\">\n{script}</script>\n{end}")))
}

fn element(id: &str, kind: &str, text: &str) -> String {
    format!("<script type=\"{kind}\" id=\"{id}\">{text}</script>\n")
}

/// A zlib stream in base64.
fn packed(bytes: &[u8]) -> Result<String> {
    const LEVEL: u32 = 9;
    let mut packed = Vec::new();
    deflate(bytes, LEVEL, &mut packed)?;
    Ok(base64(&packed))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let [a, b, c] = [0, 1, 2].map(|at| u32::from(three.get(at).copied().unwrap_or(0)));
        let bits = a << 16 | b << 8 | c;
        for digit in 0..4 {
            let end = digit > three.len();
            let at = (bits >> (18 - 6 * digit) & 63) as usize;
            text.push(if end { '=' } else { char::from(DIGITS[at]) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules::{MODULES, joined};
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    #[test]
    fn bytes_become_base64() {
        let cases = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (bytes, text) in cases {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

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
