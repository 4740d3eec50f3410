//! Reachabilities.

use super::{Error, Info, Report, Warning};
use crate::flags::TravelKind;
use crate::record::Reachability;

/// Five minutes. A longer time is most likely a negative number.
const LONGEST: u16 = 30_000;

impl Report<'_, '_> {
    /// Checks reachabilities in the order of the areas they leave. Marks those it met in `owned`.
    pub(super) fn links(&mut self, all: bool, owned: &mut [bool]) {
        let nav = self.nav;
        let mut left = nav.reachabilities().len();
        for area in 1..nav.areas().len() {
            let (first, links) = nav.links_of(area);
            let Some(rest) = left.checked_sub(links.len()) else {
                let message = format!("{} reachabilities from {first} are those of other areas", links.len());
                self.say(Error, "shared-run", ("settings", "area", area), message);
                return;
            };
            left = rest;
            for (link, index) in links.iter().zip(first..) {
                self.numbers(link, index);
                if all {
                    self.values(link, index, area);
                }
                if let Some(owned) = owned.get_mut(index) {
                    *owned = true;
                }
            }
        }
    }

    fn numbers(&mut self, link: &Reachability, index: usize) {
        let nav = self.nav;
        let of = ("reachabilities", "reachability", index);
        let areas = nav.areas().len();
        if usize::try_from(link.area()).map_or(true, |to| to == 0 || to >= areas) {
            self.say(Error, "dangling-target", of, format!("it leads to area {} of {areas}", link.area()));
        }
        // Other kinds keep speeds and heights there. Number 0 is a placeholder in a list that may be empty.
        if link.kind().names_faces() {
            self.range(of, "face", link.face().unsigned_abs(), nav.faces().len().max(1));
            self.range(of, "edge", link.edge().unsigned_abs(), nav.edges().len().max(1));
        }
    }

    fn values(&mut self, link: &Reachability, index: usize, area: usize) {
        let of = ("reachabilities", "reachability", index);
        if usize::try_from(link.area()) == Ok(area) {
            self.say(Info, "self-link", of, format!("it leads from area #{area} to itself"));
        }
        if link.time() > LONGEST {
            self.say(Warning, "travel-time", of, format!("it takes {} hundredths of a second", link.time()));
        }
        let kind = link.kind();
        if kind.name() == "unknown" {
            self.say(Info, "unknown-kind", of, format!("it is of kind {}", kind.0));
        } else if kind == TravelKind::INVALID {
            self.say(Info, "deleted-link", of, "it is of kind 1, which no bot takes".to_owned());
        }
        self.bits(of, "flags", link.flags().unnamed());
        if !link.start().iter().chain(&link.end()).all(|value| value.is_finite()) {
            self.say(Warning, "not-finite", of, "its start or end is no number".to_owned());
        }
    }

    /// Reachabilities that no run holds.
    pub(super) fn orphan_links(&mut self, owned: &[bool]) {
        for (index, _) in owned.iter().enumerate().skip(1).filter(|(_, owned)| !**owned) {
            let of = ("reachabilities", "reachability", index);
            self.say(Warning, "orphan-link", of, "it belongs to no area".to_owned());
        }
    }
}
