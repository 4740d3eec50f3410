//! Findings of the JSON form, and those of its graph in binary form, with line and column.

use super::NavJson;
use crate::check::check as check_binary;
use crate::view::QuakeNav;
use navmap_core::{Finding, Severity};

/// Reports the findings that reading the text already made.
pub(super) fn in_passing(nav: &NavJson<'_>, found: &mut dyn FnMut(Finding)) {
    if !nav.twins.is_empty() || nav.unresolved > 0 {
        nav.targets(&Lines::new(nav.text), found);
    }
}

/// Reports the findings of the binary form, at the node, link or edict of the text that they concern. Findings of the text itself
/// are `unresolved-target` (error), `shared-origin` (warning), `missing-member`, `unknown-member` and `byte-order-mark`
/// (deviations).
pub(super) fn check(nav: &NavJson<'_>, found: &mut dyn FnMut(Finding)) {
    let lines = Lines::new(nav.text);
    nav.head_findings(&lines, found);
    nav.targets(&lines, found);
    nav.graph_findings(&lines, found);
}

impl NavJson<'_> {
    fn head_findings(&self, lines: &Lines, found: &mut dyn FnMut(Finding)) {
        let mut deviation = |code, at, message: String| {
            found(lines.tell(Finding::new(Severity::Deviation, code, message), at));
        };
        if self.text.starts_with('\u{feff}') {
            deviation("byte-order-mark", 0, "begins with a byte order mark".into());
        }
        for (member, there) in
            [("Map", self.head.map.is_some()), ("Contributors", self.head.contributors.is_some())]
        {
            if !there {
                deviation("missing-member", 0, format!("no {member}"));
            }
        }
        if self.head.singular_comment {
            deviation("unknown-member", 0, "Comment, where the format has Comments".into());
        }
        if let Some(at) = self.first_stranger {
            let message = format!("the first of {} members that the format does not have", self.strangers);
            deviation("unknown-member", at, message);
        }
    }

    /// Reports nodes that share coordinates, and links to coordinates that no node has.
    fn targets(&self, lines: &Lines, found: &mut dyn FnMut(Finding)) {
        for &(earlier, later) in &self.twins {
            let Some(node) = self.nodes.get(later as usize) else { continue };
            let message = format!(
                "has the coordinates of node #{earlier}: links to them lead here, as in the tool that made the format"
            );
            let finding = Finding::new(Severity::Warning, "shared-origin", message);
            let finding = finding.placed(node.origin);
            found(lines.tell(finding, node.offset).in_record("node", later.into()).with_id(later));
        }
        for (index, link) in self.links.iter().enumerate().filter(|(_, link)| link.target().is_none()) {
            let message = format!("no node has the coordinates {:?}", link.target_origin);
            let finding = Finding::new(Severity::Error, "unresolved-target", message);
            let finding = finding.placed(link.target_origin);
            found(lines.tell(finding, link.offset).in_record("link", index as u64));
        }
    }

    /// Reports the findings of the binary form.
    fn graph_findings(&self, lines: &Lines, found: &mut dyn FnMut(Finding)) {
        let nowhere = |_: &_| Ok(u16::MAX);
        let bytes = match self.graph(nowhere).and_then(|graph| graph.encode()) {
            Ok(bytes) => bytes,
            Err(error) => return found(Finding::new(Severity::Error, "beyond-reach", error.to_string())),
        };
        let Ok(nav) = QuakeNav::parse(&bytes) else { return };
        // The link of the text that each traversal belongs to. Traversals are in the order of their links.
        let travelled: Vec<_> = self.links.iter().filter(|link| link.traversal().is_some()).collect();
        let mut tell = |mut finding: Finding| {
            // A finding without a record is about the header of the binary form, which has no byte in the text.
            let (record, index) = finding.at.record.unwrap_or_default();
            let index = usize::try_from(index).unwrap_or(usize::MAX);
            let offset = match record {
                "node" => self.nodes.get(index).map(|node| node.offset),
                "link" => self.links.get(index).map(|link| link.offset),
                "traversal" => travelled.get(index).map(|link| link.offset),
                "edict" => self.edicts.get(index).map(|edict| edict.offset),
                _ => None,
            };
            finding.at.offset = None;
            found(match offset {
                Some(at) => lines.tell(finding, at),
                None => finding,
            });
        };
        // Missing targets and nodes at the same place were already reported, in terms of the text.
        let mut fresh = |finding: Finding| {
            if !["dangling-target", "shared-origin"].contains(&finding.code) {
                tell(finding)
            }
        };
        check_binary(&nav, &mut fresh);
    }
}

/// The start of each line, so that many places are located without rereading the text, of which all may be one line.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        let after = |(at, _): (usize, &str)| at.saturating_add(1);
        Self { text, starts: std::iter::once(0).chain(text.match_indices('\n').map(after)).collect() }
    }

    /// Adds the byte to a finding, and line and column to its message.
    fn tell(&self, mut finding: Finding, at: usize) -> Finding {
        let line = self.starts.partition_point(|start| *start <= at);
        let start = line.checked_sub(1).and_then(|line| self.starts.get(line)).copied().unwrap_or(0);
        let column = super::pull::column(self.text, start, at);
        finding.message = format!("line {line}, column {column}: {}", finding.message);
        finding.at(at as u64)
    }
}
