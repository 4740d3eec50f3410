// The modules of the page, which the build joins into one: a page from a disk may not load modules, and a browser asks for one file
// instead of finding them one behind the other.

/// Each follows those that it imports, and no two have a name in common at the top.
pub(crate) const MODULES: [&str; 33] = [
    "number.js",
    "store.js",
    "mesh.js",
    "load.js",
    "camera.js",
    "grid.js",
    "ink.js",
    "shaders.js",
    "smooth.js",
    "draw.js",
    "lines.js",
    "overlay.js",
    "find.js",
    "address.js",
    "choose.js",
    "over.js",
    "measure.js",
    "png.js",
    "input.js",
    "panel.js",
    "tint.js",
    "encounters.js",
    "picked.js",
    "plan.js",
    "way.js",
    "sight.js",
    "layers.js",
    "edit.js",
    "gestures.js",
    "tools.js",
    "merge.js",
    "app.js",
    "start.js",
];

/// The one module.
pub(crate) fn joined<'t>(modules: impl Iterator<Item = &'t str>) -> String {
    let mut whole = String::new();
    for line in modules.flat_map(str::lines).filter(|line| !line.starts_with("import ")) {
        whole.push_str(line.strip_prefix("export ").unwrap_or(line));
        whole.push('\n');
    }
    whole
}
