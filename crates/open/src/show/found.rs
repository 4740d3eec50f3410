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
    codes: Vec<OfCode>,
    most: usize,
    /// The only node that is asked about, if there is one; none of them if that is none.
    only: Option<Option<u32>>,
}

/// The findings of one code.
#[derive(Debug)]
struct OfCode {
    code: &'static str,
    severity: Severity,
    /// How many each node has, of those that have any.
    counts: HashMap<u32, u32>,
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
        let at = self.codes.iter().position(|of| of.code == finding.code).unwrap_or(self.codes.len());
        if at == self.codes.len() {
            let (code, severity) = (finding.code, finding.severity);
            self.codes.push(OfCode { code, severity, counts: HashMap::new() });
        }
        let Some(of_code) = self.codes.get_mut(at) else { return };
        let finding = Arc::new(finding);
        for node in wanted {
            let count = of_code.counts.entry(*node).or_default();
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
        let wanted = self.codes.iter().filter(|of| wanted(of.code));
        let mut nodes: Vec<u32> = wanted.flat_map(|of| of.counts.keys().copied()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// Those of a node. Where not all of a code are kept, the last of these says how many more there are.
    pub(super) fn told(&self, node: u32) -> Vec<FindingTold> {
        let start = self.rows.partition_point(|(at, _)| *at < node);
        let own = self.rows.get(start..).unwrap_or_default().iter().take_while(|(at, _)| *at == node);
        let mut told: Vec<FindingTold> = own.map(|(_, finding)| FindingTold::new(finding)).collect();
        for OfCode { code, severity, counts } in &self.codes {
            let all = counts.get(&node).copied().unwrap_or(0);
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
