//! Lists links of all areas, with where they begin and end.

use super::index::{NavIndex, Way};
use super::kinds::Kinds;
use super::straighten::ends_of;
use navmap_core::graph::Point;

impl NavIndex {
    /// All links of some kinds, with where they begin and end, as the format or the centers of the areas give it: ladders, jumps,
    /// off-mesh connections. `None` for a link that is walked and crossed through its [`portal`](Self::portal).
    pub fn links_of(&self, kinds: Kinds) -> impl Iterator<Item = (Way, Option<[Point; 2]>)> + '_ {
        let rows = &self.parts.rows;
        let all = (0..self.len()).flat_map(move |area| rows.row(area).map(move |link| (area, link)));
        let wanted = all.filter(move |&(_, link)| rows.how(link).kind_bit() & kinds.bits() != 0);
        wanted.map(move |(area, link)| {
            let ends = ends_of(self, area, link);
            (self.way(area, link), ends.map(|ends| ends.map(|end| self.unplan(end))))
        })
    }
}
