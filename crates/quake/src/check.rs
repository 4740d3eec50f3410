//! Finds what is odd but readable: violations of rules that all real files keep. The table of the module lists the rules.

use super::flags::{Carries, LinkFlags, LinkType, Nav3NodeFlags, NodeFlags};
use super::iter::{EdictKey, Traversals};
use super::layout::Offsets;
use super::record::{Bounds, LadderTraversal, Link, Node, Traversal, Vector, place_key};
use super::view::QuakeNav;
use navmap_core::Finding;
use navmap_core::Severity::{self, Deviation, Error, Info, Warning};
use navmap_core::graph::Point;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The most nodes, links and traversals that the 16-bit fields of the records can address.
pub(super) const REACH: [(&str, usize); 3] = [("nodes", 65_536), ("links", 65_536), ("traversals", 65_535)];

/// Reports errors, and findings about the file as a whole, in one pass.
pub(super) fn in_passing(nav: &QuakeNav<'_>, found: &mut dyn FnMut(Finding)) {
    let mut report = Report { nav, at: nav.offsets(), found };
    report.file();
    if !nav.is_sound() {
        report.errors();
    }
}

/// All findings, part by part.
pub(super) fn check(nav: &QuakeNav<'_>, found: &mut dyn FnMut(Finding)) {
    let mut report = Report { nav, at: nav.offsets(), found };
    report.file();
    report.nodes();
    report.origins();
    report.twins();
    report.links();
    report.traversals();
    report.edicts();
    let start = nav.offsets().nodes;
    let offset = |node: u32| Some(record_at(start, node as usize, size_of::<Node>()));
    if !nav.links().is_empty() {
        navmap_core::graph::check(nav, false, offset, found);
    }
}

impl QuakeNav<'_> {
    /// Whether `check` has no error. One pass without early exits, so that a sound file is surveyed at memory speed.
    pub(super) fn is_sound(&self) -> bool {
        let (nodes, links) = (self.nodes().len(), self.links().len() as u64);
        let traversals = self.traversals().len();
        let (end, tiled) = self.nodes().iter().fold((0, true), |(end, ok), node| {
            (u64::from(node.end_link()), ok & (u64::from(node.first_link()) == end))
        });
        let linked = self.links().iter().fold(true, |ok, link| {
            ok & (usize::from(link.target()) < nodes)
                & link.traversal().is_none_or(|index| usize::from(index) < traversals)
        });
        let placed = self.origins().iter().fold(true, |ok, origin| ok & origin.is_finite());
        let moved = match self.traversals() {
            Traversals::Plain(list) => list.iter().fold(true, |ok, t| ok & t.is_finite()),
            Traversals::Ladder(list) => list.iter().fold(true, |ok, t| ok & t.is_finite()),
        };
        let bound = self
            .edicts()
            .iter()
            .fold(true, |ok, edict| ok & (u64::from(edict.link()) < links) & edict.bounds().is_finite());
        tiled & (end == links) & linked & placed & moved & bound
    }
}

/// Adds places to findings and passes them on.
struct Report<'r, 'a> {
    nav: &'r QuakeNav<'a>,
    at: Offsets,
    found: &'r mut dyn FnMut(Finding),
}

impl Report<'_, '_> {
    fn say(
        &mut self,
        severity: Severity,
        code: &'static str,
        place: (&'static str, usize, u64),
        message: impl Into<String>,
    ) {
        let (record, index, offset) = place;
        let finding = Finding::new(severity, code, message).at(offset).in_record(record, index as u64);
        let place = self.place(record, index);
        let finding = if record == "node" { finding.with_id(index as u32) } else { finding };
        (self.found)(finding.placed(place));
    }

    /// The position of a record: for a link the node it leaves, for an edict the middle of its box.
    fn place(&self, record: &str, index: usize) -> Option<[f32; 3]> {
        let nav = self.nav;
        let node = |node: usize| nav.origins().get(node).map(|origin| origin.to_array());
        match record {
            "node" => node(index),
            "link" => {
                let after = nav.nodes().partition_point(|node| usize::from(node.first_link()) <= index);
                let link = nav.links().get(index)?;
                after.checked_sub(1).and_then(node).or_else(|| node(link.target().into()))
            }
            "traversal" => match nav.traversals() {
                Traversals::Plain(list) => list.get(index).map(Traversal::start),
                Traversals::Ladder(list) => list.get(index).map(|ladder| ladder.traversal().start()),
            },
            "edict" => {
                let edict = nav.edicts().get(index)?;
                let [min, max] = [edict.bounds().mins(), edict.bounds().maxs()].map(Point::from);
                Some(min.midway(max).to_array())
            }
            _ => None,
        }
    }

    /// Reports findings about the file as a whole. Constant time.
    fn file(&mut self) {
        let nav = self.nav;
        let mut say = |severity, code, at, message: String| {
            (self.found)(Finding::new(severity, code, message).at(at));
        };
        if nav.is_experimental() {
            let message = format!("{} is read with the layout of another version", nav.version());
            say(Warning, "experimental-layout", 4, message);
        }
        let lens = [nav.nodes().len(), nav.links().len(), nav.traversals().len()];
        for ((what, reach), (len, at)) in REACH.into_iter().zip(lens.into_iter().zip([8, 12, 16])) {
            if len > reach {
                say(Warning, "beyond-reach", at, format!("{len} {what}, 16 bits address {reach}"));
            }
        }
        if nav.nodes().is_empty() {
            say(Warning, "no-nodes", 8, "no nodes".into());
        } else if nav.links().is_empty() {
            say(Info, "no-links", 12, "no links".into());
        }
        match nav.heuristic() {
            Some(value) if !value.is_finite() => {
                say(Error, "not-finite", 20, format!("heuristic is {value}"));
            }
            Some(0.0) => {
                let why = "heuristic is 0, as one tool writes it when it upgrades version 15; 0.8 is meant";
                say(Warning, "heuristic", 20, why.into());
            }
            // One real file (mgu6m3) has the next float above 0.95.
            Some(value) if [0.8, 0.95].iter().all(|known: &f32| (value - known).abs() > 1e-6) => {
                say(Warning, "heuristic", 20, format!("heuristic is {value}, real files have 0.8 or 0.95"));
            }
            _ => {}
        }
        if !nav.trailing().is_empty() {
            let left = nav.trailing().len() as u64;
            let end = self
                .at
                .edicts
                .saturating_add(nav.layout().edict_len().saturating_mul(nav.edicts().len() as u64));
            (self.found)(Finding::trailing(left, end));
        }
    }

    /// Reports only errors, in file order.
    fn errors(&mut self) {
        let mut end = 0;
        for (index, node) in self.nav.nodes().iter().enumerate() {
            end = self.range(index, node, end);
        }
        self.last_range(end);
        self.origins();
        for (index, link) in self.nav.links().iter().enumerate() {
            self.indices(index, link);
        }
        self.finite_traversals();
        for index in 0..self.nav.edicts().len() {
            self.edict_error(index);
        }
    }

    /// Checks the range of a node's links, which should begin at `end`. Returns the end of the range.
    fn range(&mut self, index: usize, node: &Node, end: u32) -> u32 {
        let place = ("node", index, record_at(self.at.nodes, index, size_of::<Node>()));
        let (first, last, len) = (node.first_link(), node.end_link(), self.nav.links().len());
        if u32::from(first) != end {
            let message = format!("its links begin at {first}, those of the node before end at {end}");
            self.say(Error, "link-tiling", place, message);
        }
        if last as usize > len {
            self.say(Error, "link-range", place, format!("its links {first}..{last} are outside 0..{len}"));
        }
        last
    }

    fn last_range(&mut self, end: u32) {
        let len = self.nav.links().len();
        if end as usize != len && !self.nav.nodes().is_empty() {
            let message = format!("the links of the last node end at {end}, there are {len}");
            let last = self.nav.nodes().len().saturating_sub(1);
            self.say(
                Error,
                "link-tiling",
                ("node", last, record_at(self.at.nodes, last, size_of::<Node>())),
                message,
            );
        }
    }

    fn nodes(&mut self) {
        let nav = self.nav;
        let mut end = 0;
        for (index, node) in nav.nodes().iter().enumerate() {
            end = self.range(index, node, end);
            let place = ("node", index, record_at(self.at.nodes, index, size_of::<Node>()));
            let flags = nav.node_flags(node);
            if matches!(flags, NodeFlags::Nav3(flags) if flags.any(Nav3NodeFlags::DISABLED)) {
                self.say(Warning, "runtime-flag", place, "flag Disabled belongs to a running game");
            }
            if node.radius() == 0 {
                self.say(Warning, "zero-radius", place, "radius is 0");
            }
            if flags.unnamed() != 0 {
                self.say(Info, "unknown-node-flag", place, format!("unknown flags {:#x}", flags.unnamed()));
            }
        }
        self.last_range(end);
    }

    fn origins(&mut self) {
        for (index, origin) in self.nav.origins().iter().enumerate().filter(|(_, origin)| !origin.is_finite())
        {
            let place = ("node", index, record_at(self.at.origins, index, size_of::<Vector>()));
            self.say(Error, "not-finite", place, format!("origin is {:?}", origin.to_array()));
        }
    }

    fn twins(&mut self) {
        let nav = self.nav;
        let mut first = HashMap::with_capacity(nav.origins().len());
        for (index, origin) in nav.origins().iter().enumerate().filter(|(_, origin)| origin.is_finite()) {
            match first.entry(place_key(origin.to_array())) {
                Entry::Vacant(free) => {
                    free.insert(index);
                }
                Entry::Occupied(earlier) => {
                    let place = ("node", index, record_at(self.at.origins, index, size_of::<Vector>()));
                    let message = format!("lies where node #{} lies", earlier.get());
                    self.say(Warning, "shared-origin", place, message);
                }
            }
        }
    }

    fn links(&mut self) {
        let nav = self.nav;
        // For each node the last node that linked to it, counted from 1. Finds repeated targets without a search.
        let mut linked_by = vec![0_u32; nav.nodes().len()];
        let mut used = vec![false; nav.traversals().len()];
        let mut next_traversal = 0_u32;
        for ((index, link), source) in nav.links().iter().enumerate().zip(nav.sources()) {
            self.indices(index, link);
            let place = ("link", index, record_at(self.at.links, index, size_of::<Link>()));
            let target = link.target();
            if let Some(source) = source {
                if source == usize::from(target) {
                    self.say(Warning, "self-link", place, format!("leads from node #{source} to itself"));
                }
                let mark = u32::try_from(source).unwrap_or(u32::MAX).saturating_add(1);
                if let Some(last) = linked_by.get_mut(usize::from(target))
                    && std::mem::replace(last, mark) == mark
                {
                    let message = format!("node #{source} has a link to node #{target} already");
                    self.say(Warning, "repeated-link", place, message);
                }
            }
            self.link_kind(link, place);
            if let Some(traversal) = link.traversal()
                && let Some(used) = used.get_mut(usize::from(traversal))
            {
                if std::mem::replace(used, true) {
                    let message = format!("traversal {traversal} belongs to another link already");
                    self.say(Warning, "shared-traversal", place, message);
                } else if u32::from(traversal) != next_traversal {
                    let message = format!("traversal {traversal} where {next_traversal} is next in order");
                    self.say(Warning, "traversal-order", place, message);
                }
                next_traversal = u32::from(traversal).saturating_add(1);
            }
        }
        for (index, _) in used.iter().enumerate().filter(|(_, used)| !**used) {
            let place = ("traversal", index, self.traversal_at(index));
            self.say(Warning, "orphan-traversal", place, "no link has it");
        }
    }

    fn link_kind(&mut self, link: &Link, place: (&'static str, usize, u64)) {
        let nav = self.nav;
        let kind = nav.link_type(link);
        if let LinkType::Unknown(value) = kind {
            self.say(Info, "unknown-link-type", place, format!("unknown type {value}"));
        }
        match (kind.carries(), link.traversal()) {
            (Carries::Never, Some(_)) => {
                self.say(Warning, "unexpected-traversal", place, format!("{kind} with a traversal"));
            }
            (Carries::Always, None) => {
                self.say(Warning, "missing-traversal", place, format!("{kind} without a traversal"));
            }
            (Carries::Usually, None) => {
                self.say(Info, "missing-traversal", place, format!("{kind} without a traversal"));
            }
            _ => {}
        }
        let byte = link.flags();
        match nav.link_flags(link) {
            Some(flags) => {
                if flags.any(LinkFlags::DISABLED) {
                    self.say(Warning, "runtime-flag", place, "flag Disabled belongs to a running game");
                }
                if flags.unnamed() != 0 {
                    let message = format!("unknown flags {:#x}", flags.unnamed());
                    self.say(Info, "unknown-link-flag", place, message);
                }
            }
            None if byte != 0 && nav.version().team_mask(byte).is_none() => {
                let message = format!("byte 3 is {byte:#x}, {} leaves it 0", nav.version());
                self.say(Deviation, "link-byte", place, message);
            }
            None => {}
        }
    }

    fn indices(&mut self, index: usize, link: &Link) {
        let place = ("link", index, record_at(self.at.links, index, size_of::<Link>()));
        let (target, nodes) = (link.target(), self.nav.nodes().len());
        if usize::from(target) >= nodes {
            self.say(Error, "dangling-target", place, format!("target {target} is outside 0..{nodes}"));
        }
        let traversals = self.nav.traversals().len();
        if let Some(traversal) = link.traversal().filter(|t| usize::from(*t) >= traversals) {
            let message = format!("traversal {traversal} is outside 0..{traversals}");
            self.say(Error, "dangling-traversal", place, message);
        }
    }

    fn traversal_at(&self, index: usize) -> u64 {
        let len = match self.nav.traversals() {
            Traversals::Plain(_) => size_of::<Traversal>(),
            Traversals::Ladder(_) => size_of::<LadderTraversal>(),
        };
        record_at(self.at.traversals, index, len)
    }

    fn finite_traversals(&mut self) {
        let Traversals::Ladder(list) = self.nav.traversals() else {
            for (index, _) in self.nav.traversals().iter().enumerate().filter(|(_, t)| !t.is_finite()) {
                let place = ("traversal", index, self.traversal_at(index));
                self.say(Error, "not-finite", place, "holds NaN or infinity");
            }
            return;
        };
        for (index, _) in list.iter().enumerate().filter(|(_, t)| !t.is_finite()) {
            let place = ("traversal", index, self.traversal_at(index));
            self.say(Error, "not-finite", place, "holds NaN or infinity");
        }
    }

    fn traversals(&mut self) {
        self.finite_traversals();
        let Traversals::Ladder(list) = self.nav.traversals() else { return };
        let mut on_ladder = vec![false; list.len()];
        for link in self.nav.links().iter().filter(|link| self.nav.link_type(link) == LinkType::Ladder) {
            if let Some(ladder) = link.traversal().and_then(|index| on_ladder.get_mut(usize::from(index))) {
                *ladder = true;
            }
        }
        for (index, (traversal, ladder)) in list.iter().zip(on_ladder).enumerate() {
            let plane = traversal.plane();
            let len = plane.iter().map(|c| c * c).sum::<f32>().sqrt();
            let message = match ladder {
                true if (len - 1.0).abs() > 1e-3 => format!("plane of a ladder is {plane:?}, no unit vector"),
                false if plane != [0.0; 3] => format!("has the plane {plane:?}, its link is no ladder"),
                _ => continue,
            };
            self.say(Warning, "ladder-plane", ("traversal", index, self.traversal_at(index)), message);
        }
    }

    /// Reports the errors of an edict.
    fn edict_error(&mut self, index: usize) {
        let Some(edict) = self.nav.edicts().get(index) else { return };
        let place = ("edict", index, self.edict_at(index));
        let (link, links) = (edict.link(), self.nav.links().len());
        if usize::from(link) >= links {
            self.say(Error, "dangling-edict", place, format!("link {link} is outside 0..{links}"));
        }
        if !edict.bounds().is_finite() {
            self.say(Error, "not-finite", place, "box holds NaN or infinity");
        }
    }

    fn edict_at(&self, index: usize) -> u64 {
        let len = usize::try_from(self.nav.layout().edict_len()).unwrap_or(usize::MAX);
        record_at(self.at.edicts, index, len)
    }

    fn edicts(&mut self) {
        let mut last = None;
        for (index, edict) in self.nav.edicts().iter().enumerate() {
            self.edict_error(index);
            let place = ("edict", index, self.edict_at(index));
            let link = edict.link();
            match last.replace(link) {
                Some(before) if before == link => {
                    self.say(Warning, "repeated-edict", place, format!("link {link} has an edict already"));
                }
                Some(before) if before > link => {
                    let message = format!("link {link} after link {before}");
                    self.say(Warning, "edict-order", place, message);
                }
                _ => {}
            }
            self.bounds(edict.bounds(), place);
            match edict.key() {
                EdictKey::Entity(id) if id.index().is_none() => {
                    self.say(Info, "unresolved-entity", place, format!("entity id {} names none", id.0));
                }
                EdictKey::Model(model) if model.inline_model().is_none() => {
                    self.say(Info, "no-model", place, format!("model {} is no inline model", model.0));
                }
                _ => {}
            }
        }
    }

    fn bounds(&mut self, bounds: &Bounds, place: (&'static str, usize, u64)) {
        let (mins, maxs) = (bounds.mins(), bounds.maxs());
        if mins.iter().zip(maxs).any(|(min, max)| *min > max) {
            self.say(Warning, "inverted-box", place, format!("box from {mins:?} to {maxs:?}"));
        } else if mins.iter().zip(maxs).any(|(min, max)| *min == max) {
            self.say(Warning, "empty-box", place, format!("box from {mins:?} to {maxs:?} has no volume"));
        }
    }
}

/// The offset of record `index` of an array.
fn record_at(start: u64, index: usize, len: usize) -> u64 {
    start.saturating_add((index as u64).saturating_mul(len as u64))
}
