//! Between versions and numbers of hulls.

use super::buf::{NodeGraphBuf, undropped};
use super::flags::{Hull, NodeInfo, SOURCE_HULLS};
use super::layout::MOST_HULLS;
use navmap_core::error::{Error, Result};
use navmap_core::{Finding, Severity};

impl NodeGraphBuf {
    /// The same graph in another version, with another number of hulls. `losses` gets a [`Warning`](Severity::Warning) for what
    /// is lost and an [`Info`](Severity::Info) for what is made up.
    ///
    /// New hulls can pass no link, and have the heights that the engine uses before it drops them to the ground. Links that were
    /// open only to removed hulls are left out.
    ///
    /// # Errors
    /// If the version is neither 37 nor 41, or there are no or more than 32 hulls.
    pub fn to_form(&self, version: i32, hulls: u8, losses: &mut dyn FnMut(Finding)) -> Result<Self> {
        if ![37, 41].contains(&version) {
            return Err(Error::invalid("version", format!("{version} is neither 37 nor 41")));
        }
        if !(1..=MOST_HULLS).contains(&hulls) {
            return Err(Error::invalid("hulls", format!("{hulls} is outside 1..={MOST_HULLS}")));
        }
        let mut say = |severity, code, count: usize, what: &str| {
            if count > 0 {
                losses(Finding::new(severity, code, format!("{what} ({count})")));
            }
        };
        let mut graph = self.clone();
        (graph.version, graph.hulls) = (version, hulls);
        say(Severity::Warning, "trailing-bytes-lost", self.trailing.len(), "bytes after the end are lost");
        graph.trailing.clear();
        for hull in (hulls..self.hulls).map(Hull) {
            let open = self.links.iter().filter(|link| !link.moves(hull).is_empty()).count();
            let what = format!("links are lost to the hull {}", SOURCE_HULLS.name(hull));
            say(Severity::Warning, "hull-lost", open, &what);
        }
        let is_open = |moves: &[u8]| moves.iter().any(|moves| *moves != 0);
        for link in &mut graph.links {
            // A link that is closed to every hull was so before.
            let was = is_open(&link.moves);
            link.moves.resize(hulls.into(), 0);
            if was && !is_open(&link.moves) {
                link.moves.clear();
            }
        }
        graph.links.retain(|link| !link.moves.is_empty());
        let closed = self.links.len().saturating_sub(graph.links.len());
        say(Severity::Warning, "link-lost", closed, "links that no hull is left for are left out");
        for node in &mut graph.nodes {
            let had = node.offsets.len();
            node.offsets.truncate(hulls.into());
            node.offsets.extend((had..hulls.into()).map(|hull| undropped(node.kind, hull)));
        }
        if hulls > self.hulls && self.hulls > 0 {
            let new = usize::from(hulls.saturating_sub(self.hulls));
            say(Severity::Info, "hull-closed", new, "new hulls are closed at every link");
        }
        if version == 37 && self.version == 41 {
            let mut lost = 0_usize;
            for node in &mut graph.nodes {
                if NodeInfo(node.info).contains(NodeInfo::DONT_DROP_41) {
                    node.info = node.info & !NodeInfo::DONT_DROP_41.0 | NodeInfo::DONT_DROP.0;
                }
                lost = lost.saturating_add((node.info > 0xFFFF).into());
                node.info &= 0xFFFF;
            }
            say(Severity::Warning, "bits-lost", lost, "nodes lose bits beyond the 16 of version 37");
        }
        if closed > 0 {
            let zones = graph.number_zones();
            say(Severity::Info, "zones-numbered", zones, "nodes get another zone");
        }
        Ok(graph)
    }
}
