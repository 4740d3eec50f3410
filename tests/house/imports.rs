//! Which file takes a name of which, read from `use` and from paths.
//!
//! A name that a `mod.rs` or `lib.rs` re-exports belongs to the file that defines it, so files that only declare and re-export
//! tie nothing.

use std::collections::{BTreeMap, BTreeSet};

/// Where names go through more re-exports than this, they are taken as not ours.
const DEEPEST: usize = 16;

/// The words and marks of a file, without comments, strings and lifetimes. `::` is one mark.
pub(crate) fn tokens(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(&byte) = bytes.get(at) {
        let rest = &text[at..];
        let word = |c: char| c.is_alphanumeric() || c == '_';
        at += match byte {
            b'/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            b'/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            b'r' if rest.starts_with("r#\"") => rest.find("\"#").map_or(rest.len(), |end| end + 2),
            b'r' if rest.starts_with("r\"") => rest[2..].find('"').map_or(rest.len(), |end| end + 3),
            b'"' => {
                let mut end = 1;
                while bytes.get(at + end).is_some_and(|byte| *byte != b'"') {
                    end += 1 + usize::from(bytes[at + end] == b'\\');
                }
                end + 1
            }
            b'\'' => {
                // A character, or a lifetime.
                let inside = rest[1..].chars().next().map_or(1, char::len_utf8);
                match rest[1..].starts_with('\\') {
                    true => 3 + rest[3..].find('\'').unwrap_or(0) + 1,
                    false if rest[1 + inside..].starts_with('\'') => inside + 2,
                    false => 1,
                }
            }
            b':' if rest.starts_with("::") => {
                found.push("::");
                2
            }
            _ if rest.starts_with(word) => {
                let end = rest.find(|c| !word(c)).unwrap_or(rest.len());
                found.push(&rest[..end]);
                end
            }
            _ => {
                let len = rest.chars().next().map_or(1, char::len_utf8);
                if !rest.starts_with(char::is_whitespace) {
                    found.push(&rest[..len]);
                }
                len
            }
        };
    }
    found
}

/// A path as it is written, and the name under which a `use` knows it: `*` for all names.
type Named = (Vec<String>, String);

/// The leaves of a `use` tree, from the word after `use` to its `;`. Returns how many tokens it has.
fn tree(tokens: &[&str], above: &[String], leaves: &mut Vec<Named>) -> usize {
    let (mut path, mut at) = (above.to_vec(), 0);
    while let Some(token) = tokens.get(at) {
        match *token {
            "{" => {
                at += 1;
                while tokens.get(at).is_some_and(|token| *token != "}") {
                    at += tree(&tokens[at..], &path, leaves);
                    at += usize::from(tokens.get(at) == Some(&","));
                }
                return at + 1;
            }
            "as" => {
                leaves.push((path, (*tokens.get(at + 1).unwrap_or(&"_")).to_owned()));
                return at + 2;
            }
            "*" => {
                leaves.push((path, "*".to_owned()));
                return at + 1;
            }
            "::" | "$" => {}
            "," | "}" | ";" => break,
            // `use a::{self}` is `use a`.
            "self" if path.len() > above.len() || !above.is_empty() => {}
            name => path.push(name.to_owned()),
        }
        at += 1;
    }
    if let Some(name) = path.last().cloned() {
        leaves.push((path, name));
    }
    at
}

/// What a module has: the file it stands in, its names, and the paths that are written in it.
#[derive(Default)]
struct Module {
    file: usize,
    uses: Vec<Named>,
    defined: BTreeSet<String>,
    paths: Vec<Vec<String>>,
}

/// Where a path leads.
enum Place {
    Module(String),
    Item(usize),
    Outside,
}

/// The modules of one crate by their paths, the root's being empty: `edit::text`.
#[derive(Default)]
pub(crate) struct Crate {
    modules: BTreeMap<String, Module>,
    files: Vec<String>,
}

/// `a` and `b` as `a::b`.
fn join(module: &str, name: &str) -> String {
    if module.is_empty() { name.to_owned() } else { format!("{module}::{name}") }
}

impl Crate {
    /// Reads a file, `path` being below the crate's `src`.
    pub(crate) fn add(&mut self, path: &str, text: &str) {
        let whole = path.trim_end_matches(".rs").replace('/', "::");
        let module = match whole.as_str() {
            "lib" | "main" => "",
            whole => whole.strip_suffix("::mod").unwrap_or(whole),
        };
        let file = self.files.len();
        self.files.push(path.to_owned());
        self.read(file, module, &tokens(text));
    }

    fn read(&mut self, file: usize, module: &str, tokens: &[&str]) {
        let mut new = Module { file, ..Module::default() };
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let next = tokens.get(at + 1).copied().unwrap_or_default();
            match *token {
                "use" if next != "<" => at += tree(&tokens[at + 1..], &[], &mut new.uses),
                "mod" if tokens.get(at + 2) == Some(&"{") => {
                    let end = at + 3 + inside(&tokens[at + 3..]);
                    // Tests look at whatever they like.
                    if next != "tests" {
                        self.read(file, &join(module, next), &tokens[at + 3..end]);
                    }
                    at = end;
                }
                "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "union" => {
                    new.defined.insert(next.to_owned());
                }
                "macro_rules" => {
                    new.defined.insert(tokens.get(at + 2).copied().unwrap_or_default().to_owned());
                }
                _ if next == "::" && tokens.get(at.wrapping_sub(1)) != Some(&"::") => {
                    let mut path = vec![(*token).to_owned()];
                    while tokens.get(at + 1) == Some(&"::") {
                        at += 2;
                        path.push(tokens.get(at).copied().unwrap_or_default().to_owned());
                    }
                    new.paths.push(path);
                }
                _ => {}
            }
            at += 1;
        }
        self.modules.insert(module.to_owned(), new);
    }

    /// What a name of a module is.
    fn name(&self, module: &str, name: &str, depth: usize) -> Option<Place> {
        let below = join(module, name);
        if self.modules.contains_key(&below) {
            return Some(Place::Module(below));
        }
        let here = self.modules.get(module)?;
        if depth > DEEPEST {
            return None;
        }
        if let Some((path, _)) = here.uses.iter().find(|(_, alias)| alias == name) {
            // `use zip::Zip` in a module that has a name `zip` of its own is not looked up for ever.
            return Some(self.place(module, path, depth + 1));
        }
        if here.defined.contains(name) {
            return Some(Place::Item(here.file));
        }
        here.uses.iter().filter(|(_, alias)| alias == "*").find_map(|(path, _)| {
            match self.place(module, path, depth + 1) {
                Place::Module(all) if all != module => self.name(&all, name, depth + 1),
                _ => None,
            }
        })
    }

    /// Where a path leads that is written in a module.
    fn place(&self, module: &str, path: &[String], depth: usize) -> Place {
        let mut current = module.to_owned();
        for (index, name) in path.iter().enumerate() {
            match name.as_str() {
                "crate" => current = String::new(),
                "self" if index == 0 => {}
                "super" => {
                    current = current.rsplit_once("::").map_or(String::new(), |(above, _)| above.to_owned())
                }
                name => match self.name(&current, name, depth + 1) {
                    Some(Place::Module(below)) => current = below,
                    Some(found) => return found,
                    None if index == 0 => return Place::Outside,
                    None => {
                        return self.modules.get(&current).map_or(Place::Outside, |m| Place::Item(m.file));
                    }
                },
            }
        }
        Place::Module(current)
    }

    /// For each file the others that it takes a name from, with one such name. What a file takes from the face of its own folder
    /// (`mod.rs`, `lib.rs`, `check.rs` beside `check/`) is not told: a folder is one concern, and its face has what its files share.
    pub(crate) fn arrows(&self) -> BTreeMap<(&str, &str), String> {
        let mut found = BTreeMap::new();
        for (name, module) in &self.modules {
            let uses = module.uses.iter().map(|(path, _)| path);
            for path in uses.chain(&module.paths) {
                let to = match self.place(name, path, 0) {
                    Place::Item(file) => file,
                    _ => continue,
                };
                if to != module.file && !is_face(&self.files[to], &self.files[module.file]) {
                    let arrow = (self.files[module.file].as_str(), self.files[to].as_str());
                    found.entry(arrow).or_insert_with(|| path.join("::"));
                }
            }
        }
        found
    }

    /// The files that import each other in a loop, each loop once, with the arrows in it.
    pub(crate) fn circles(&self) -> Vec<(Vec<&str>, Vec<String>)> {
        let arrows = self.arrows();
        let mut next = BTreeMap::<&str, Vec<&str>>::new();
        for (from, to) in arrows.keys() {
            next.entry(from).or_default().push(to);
        }
        let reached = |from: &str| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
            while let Some(file) = open.pop() {
                for to in next.get(file).into_iter().flatten() {
                    if seen.insert(*to) {
                        open.push(to);
                    }
                }
            }
            seen
        };
        let reach: BTreeMap<&str, BTreeSet<&str>> = next.keys().map(|file| (*file, reached(file))).collect();
        let mut circles: Vec<Vec<&str>> = reach
            .iter()
            .filter(|(file, seen)| seen.contains(*file))
            .map(|(file, seen)| {
                let back = |to: &&&str| reach.get(**to).is_some_and(|far| far.contains(file));
                seen.iter().filter(back).copied().collect()
            })
            .collect();
        circles.sort();
        circles.dedup();
        let within = |circle: &Vec<&str>| {
            let inside = arrows.iter().filter(|((from, to), _)| circle.contains(from) && circle.contains(to));
            inside.map(|((from, to), name)| format!("{from} -> {to}: {name}")).collect()
        };
        circles.into_iter().map(|circle| (circle.clone(), within(&circle))).collect()
    }
}

/// Whether the first file is the face of the folder that the second lies in.
fn is_face(face: &str, file: &str) -> bool {
    let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let named = face.strip_suffix(".rs").unwrap_or(face);
    match named.rsplit('/').next() {
        Some("mod" | "lib") => folder(face) == folder(file),
        _ => format!("{named}/") == folder(file),
    }
}

/// How many tokens stand before the `}` that ends what they are in.
fn inside(tokens: &[&str]) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            "{" => depth += 1,
            "}" if depth == 0 => return at,
            "}" => depth -= 1,
            _ => {}
        }
    }
    tokens.len()
}
