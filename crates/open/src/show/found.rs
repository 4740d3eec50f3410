//! What a check finds about nodes, as far as it is shown.

use super::told::FindingTold;
use navmap_core::{Finding, Severity};
use std::collections::HashMap;
use std::sync::Arc;

/// The findings of one code about one node that are shown. The others are counted.
const FEW: u32 = 16;
/// The findings that are kept in all, and the nodes of the mesh for each more. Those beyond are counted too.
const KEPT: usize = 16_384;
const OF_FINDING: usize = 8;

/// Findings by node. One about a group is kept once for all its nodes.
#[derive(Debug, Default)]
pub(super) struct Found {
    rows: Vec<(u32, Arc<Finding>)>,
    /// The codes so far, and how bad each is.
    codes: Vec<(&'static str, Severity)>,
    /// How many each node has of a code, by [`key`].
    counts: HashMap<u64, u32>,
    most: usize,
    /// The only node that is asked about, if there is one; none of them if that is none.
    only: Option<Option<u32>>,
}

/// A node, and the place of a code among all.
fn key(node: u32, code: usize) -> u64 {
    u64::from(node) << 16 | code as u64 & 0xFFFF
}

impl Found {
    /// Those of a mesh of so many nodes, or of one of them alone.
    pub(super) fn of(nodes: usize, only: Option<Option<u32>>) -> Self {
        Self { most: KEPT.saturating_add(nodes / OF_FINDING), only, ..Self::default() }
    }

    /// Adds a finding to nodes.
    pub(super) fn add(&mut self, nodes: &[u32], finding: Finding) {
        let only = self.only;
        let mut wanted = nodes.iter().filter(|node| only.is_none_or(|only| only == Some(**node))).peekable();
        if wanted.peek().is_none() {
            return;
        }
        let known = self.codes.iter().position(|(code, _)| *code == finding.code);
        let code = known.unwrap_or_else(|| {
            self.codes.push((finding.code, finding.severity));
            self.codes.len().saturating_sub(1)
        });
        let finding = Arc::new(finding);
        for node in wanted {
            let count = self.counts.entry(key(*node, code)).or_default();
            if *count < FEW && self.rows.len() < self.most {
                self.rows.push((*node, Arc::clone(&finding)));
            }
            *count = count.saturating_add(1);
        }
    }

    /// Puts them in order of their nodes, those of a node with the worst first.
    pub(super) fn sort(&mut self) {
        self.rows.sort_by_key(|(node, finding)| (*node, std::cmp::Reverse(finding.severity)));
    }

    /// Changes each.
    pub(super) fn change(&mut self, mut with: impl FnMut(&mut Finding)) {
        self.rows.iter_mut().for_each(|(_, finding)| with(Arc::make_mut(finding)));
    }

    /// The nodes with a finding whose code is wanted, each once, in order.
    pub(super) fn nodes(&self, wanted: impl Fn(&str) -> bool) -> Vec<u32> {
        let is_wanted =
            |key: &&u64| self.codes.get(**key as usize & 0xFFFF).is_some_and(|(code, _)| wanted(code));
        let mut nodes: Vec<u32> =
            self.counts.keys().filter(is_wanted).map(|key| (key >> 16) as u32).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// Those of a node. Where not all of a code are kept, the last of these says how many more there are.
    pub(super) fn told(&self, node: u32) -> Vec<FindingTold> {
        let start = self.rows.partition_point(|(at, _)| *at < node);
        let own = self.rows.get(start..).unwrap_or_default().iter().take_while(|(at, _)| *at == node);
        let mut told: Vec<FindingTold> = own.map(|(_, finding)| FindingTold::new(finding)).collect();
        for (place, (code, severity)) in self.codes.iter().enumerate() {
            let all = self.counts.get(&key(node, place)).copied().unwrap_or(0);
            let shown = told.iter().filter(|one| one.code == *code).count() as u32;
            if all > shown {
                let more = Finding::new(*severity, code, format!("and {} more", all.saturating_sub(shown)));
                let after = told
                    .iter()
                    .rposition(|one| one.code == *code)
                    .map_or(told.len(), |at| at.saturating_add(1));
                told.insert(after, FindingTold::new(&more));
            }
        }
        told
    }
}
