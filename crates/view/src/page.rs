//! The page: plain modules, a style sheet and a frame, which run in a browser as they are.

use super::Scene;
use navmap_core::Result;
use navmap_core::bytes::deflate;
use std::sync::LazyLock;

/// The files of the page with their media types. The first one is the page itself, and names the others beside it.
pub const FILES: [(&str, &str, &str); 34] = [
    ("index.html", "text/html; charset=utf-8", include_str!("../page/index.html")),
    ("style.css", "text/css; charset=utf-8", include_str!("../page/style.css")),
    script("number.js", include_str!("../page/number.js")),
    script("store.js", include_str!("../page/store.js")),
    script("mesh.js", include_str!("../page/mesh.js")),
    script("load.js", include_str!("../page/load.js")),
    script("camera.js", include_str!("../page/camera.js")),
    script("grid.js", include_str!("../page/grid.js")),
    script("ink.js", include_str!("../page/ink.js")),
    script("shaders.js", include_str!("../page/shaders.js")),
    script("draw.js", include_str!("../page/draw.js")),
    script("lines.js", include_str!("../page/lines.js")),
    script("overlay.js", include_str!("../page/overlay.js")),
    script("find.js", include_str!("../page/find.js")),
    script("address.js", include_str!("../page/address.js")),
    script("choose.js", include_str!("../page/choose.js")),
    script("over.js", include_str!("../page/over.js")),
    script("measure.js", include_str!("../page/measure.js")),
    script("png.js", include_str!("../page/png.js")),
    script("input.js", include_str!("../page/input.js")),
    script("panel.js", include_str!("../page/panel.js")),
    script("tint.js", include_str!("../page/tint.js")),
    script("encounters.js", include_str!("../page/encounters.js")),
    script("picked.js", include_str!("../page/picked.js")),
    script("plan.js", include_str!("../page/plan.js")),
    script("way.js", include_str!("../page/way.js")),
    script("sight.js", include_str!("../page/sight.js")),
    script("layers.js", include_str!("../page/layers.js")),
    script("edit.js", include_str!("../page/edit.js")),
    script("gestures.js", include_str!("../page/gestures.js")),
    script("tools.js", include_str!("../page/tools.js")),
    script("merge.js", include_str!("../page/merge.js")),
    script("app.js", include_str!("../page/app.js")),
    script("start.js", include_str!("../page/start.js")),
];

const fn script(name: &'static str, text: &'static str) -> (&'static str, &'static str, &'static str) {
    (name, "text/javascript; charset=utf-8", text)
}

/// A file of the page by name: its media type and its text. The first module has all others in it, so that a browser asks for one
/// instead of finding them one behind the other.
pub fn file(name: &str) -> Option<(&'static str, &'static str)> {
    static JOINED: LazyLock<String> = LazyLock::new(joined);
    if name == "start.js" {
        return Some(("text/javascript; charset=utf-8", &JOINED));
    }
    FILES.iter().find(|(known, ..)| *known == name).map(|(_, kind, text)| (*kind, *text))
}

/// The size up to which a file has a picture of the mesh as well.
const WITH_PICTURE: usize = 1_000_000;

/// One file with the page and a mesh in it, which a browser opens from a disk. `picture` is an SVG of the mesh for browsers without
/// WebGL 2; it is left out of a file that would grow over 1 MB by it.
///
/// # Errors
/// If there is not enough memory to compress the mesh.
pub fn html(scene: &Scene, picture: &[u8]) -> Result<String> {
    let head = scene.head().to_string();
    let mut whole = (head.len() as u32).to_le_bytes().to_vec();
    whole.extend_from_slice(head.as_bytes());
    scene.parts().iter().for_each(|(_, part)| whole.extend(part.arranged()));
    let mut kept = element("scene", "text/plain", &packed(&whole)?);
    let style = file("style.css").map_or("", |(_, text)| text);
    let script = joined();
    let picture = element("scene-picture", "text/plain", &packed(picture)?);
    if kept.len() + picture.len() + style.len() + script.len() + FILES[0].2.len() < WITH_PICTURE {
        kept += &picture;
    }
    let link = "<link rel=\"stylesheet\" href=\"style.css\">";
    // The graphics context is asked for before the first paint, behind which it would wait.
    let module = "<script type=\"module\" src=\"start.js\" blocking=\"render\"></script>\n";
    let page = FILES[0].2.replace(link, &format!("<style>\n{style}</style>")).replace(module, "");
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

/// All modules as one: a page from a disk may not load modules. They are listed so that each follows those it imports, and no two
/// have a name in common at the top.
fn joined() -> String {
    let modules = FILES.iter().filter(|(name, ..)| name.ends_with(".js"));
    let mut whole = String::new();
    for line in modules.flat_map(|(_, _, text)| text.lines()).filter(|line| !line.starts_with("import ")) {
        whole.push_str(line.strip_prefix("export ").unwrap_or(line));
        whole.push('\n');
    }
    whole
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
    use std::collections::BTreeSet;

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
        for (file, _, text) in FILES.iter().filter(|(name, ..)| name.ends_with(".js")) {
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
        let whole = joined();
        assert!(!whole.contains("\nimport ") && !whole.contains("\nexport "));
    }
}
