//! What the nodes of a mesh under edit are called. An item keeps its name for as long as it exists; a file without ids numbers its
//! nodes from 0, so what comes after a deleted one has another number there.

use navmap_core::Finding;
use navmap_core::edit::{Editing, Editor, Opening};
use navmap_core::error::Result;
use navmap_core::graph::{FlatGraph, Ids, NavGraph};
use navmap_formats::AnyNav;
use std::collections::{HashMap, HashSet};

/// By the id that a node has in the file which an editor would write, the id that the editor knows it by.
#[derive(Debug)]
pub struct Renamed {
    ids: Ids,
    own: HashMap<u64, u64>,
}

impl Renamed {
    /// Compares the names of all items of an editor, in mesh order, with those in the file that it writes: its bytes, as a view
    /// and as a graph, of which a part will do. `None` if they are the same. Linear in the mesh.
    ///
    /// # Errors
    /// If the file cannot be read to its end.
    pub fn of(
        nav: &AnyNav<'_>,
        bytes: &[u8],
        graph: &FlatGraph,
        all: impl IntoIterator<Item: AsRef<str>>,
    ) -> Result<Option<Self>> {
        let ids = graph.ids();
        let nodes = graph.nodes();
        let known: Vec<Option<u64>> = all.into_iter().map(|name| ids.read(name.as_ref())).collect();
        if known.len() == nodes.len() && known.iter().zip(nodes).all(|(own, node)| *own == Some(node.id)) {
            return Ok(None);
        }
        let set: HashSet<u64> = known.iter().copied().flatten().collect();
        if nodes.iter().all(|node| set.contains(&node.id)) {
            return Ok(None);
        }
        let written = nav.edit(bytes, &Opening::default(), All)?.editor;
        // An editor that knows more than the file has ids of its own.
        if written.len() != known.len() {
            return Ok(None);
        }
        let pairs = written.iter().zip(known).filter_map(|(written, own)| Some((ids.read(written)?, own?)));
        Ok(Some(Self { ids, own: pairs.collect() }))
    }

    /// The id of a node in the editor, by that in the file.
    pub fn own(&self, written: u64) -> u64 {
        self.own.get(&written).copied().unwrap_or(written)
    }

    /// Gives the nodes of a graph of the file the names of the editor.
    pub fn name(&self, graph: &mut FlatGraph) {
        graph.rename(&mut |written| self.own(written));
    }

    /// Puts the names of the editor into a finding.
    pub fn find(&self, finding: &mut Finding) {
        finding.at.id = finding.at.id.map(|id| self.own(id));
        finding.at.node = finding.at.node.map(|id| self.own(id));
        finding.message = self.text(&finding.message);
    }

    /// Puts the names of the editor into a text.
    fn text(&self, text: &str) -> String {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '#' || c == '.';
        let mut said = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(is_name) {
            let (before, from) = rest.split_at(start);
            let (word, after) = from.split_at(from.find(|c| !is_name(c)).unwrap_or(from.len()));
            // The end of a sentence is not of the name.
            let name = word.trim_end_matches('.');
            said.push_str(before);
            match self.ids.read(name).filter(|id| self.own.contains_key(id)) {
                Some(id) => said.push_str(&self.ids.name(self.own(id)).to_string()),
                None => said.push_str(name),
            }
            said.push_str(&word[name.len()..]);
            rest = after;
        }
        said + rest
    }
}

/// Lists the names of all items.
struct All;

impl Editing for All {
    type Done = Vec<String>;

    fn edit<E: Editor + Send>(self, editor: E) -> Vec<String> {
        editor.all().into_iter().map(|item| editor.name(item)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_what_the_editor_names() {
        let renamed = Renamed { ids: Ids::Numbers, own: [(7, 8), (8, 9), (12, 12)].into() };
        let text = renamed.text("#7 leads to #8, #12 and #99. It is no 7. See #8.");
        assert_eq!(text, "#8 leads to #9, #12 and #99. It is no 7. See #9.");
        assert_eq!((renamed.own(7), renamed.own(3)), (8, 3));
    }
}
