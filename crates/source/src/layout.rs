//! The parts of an area in each version and sub-version, and their offsets in one area.

use super::flags::Extension;
use super::ruler::{Failure, Ruler};
use navmap_core::error::Error;

/// Version and extension, which determine the bytes of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) version: u32,
    pub(super) extension: Extension,
}

/// The reliability of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// Confirmed on real files, or stock by Valve's own source.
    Known,
    /// Inferred. Accepted only if it ends exactly where the file ends.
    Inferred,
    /// A sub-version that no known game writes. It is tried as stock, and accepted only if it ends exactly where the file ends.
    Unknown,
}

const STOCK: Layout = Layout { version: 16, extension: Extension::Stock };
pub(super) const COUNTER_STRIKE_GO: Layout = Layout { version: 16, extension: Extension::CounterStrikeGo };
const TEAM_FORTRESS: Layout = Layout { version: 16, extension: Extension::TeamFortress };
const LEFT_FOR_DEAD: Layout = Layout { version: 16, extension: Extension::LeftForDead };
const GOLDSRC: Layout = Layout { version: 5, extension: Extension::Stock };

impl Layout {
    /// The layout of a version from 1 to 16.
    pub(super) fn for_version(version: u32, subversion: Option<u32>) -> (Self, Trust) {
        let (extension, trust) = match (version, subversion) {
            (17.., _) => (Extension::Stock, Trust::Unknown),
            (_, None | Some(0)) => (Extension::Stock, Trust::Known),
            (16, Some(1)) => (Extension::CounterStrikeGo, Trust::Known),
            (16, Some(2)) => (Extension::TeamFortress, Trust::Known),
            (16, Some(14)) => (Extension::LeftForDead, Trust::Known),
            (15, Some(13)) => (Extension::LeftForDead, Trust::Inferred),
            (16, Some(4)) => (Extension::Insurgency, Trust::Inferred),
            _ => (Extension::Stock, Trust::Unknown),
        };
        (Self { version, extension }, trust)
    }

    /// Bytes from the id to the north-west corner.
    #[inline(always)]
    pub(super) const fn shape_at(self) -> u64 {
        match self.version {
            0..=8 => 5,
            9..=12 => 6,
            _ => 8,
        }
    }

    #[inline(always)]
    pub(super) const fn spot_size(self) -> u64 {
        if self.version == 1 { 12 } else { 17 }
    }

    /// Bytes of the head of an encounter path, and of a spot behind it.
    #[inline(always)]
    pub(super) const fn path_size(self) -> [u32; 2] {
        if self.has_old_paths() { [33, 16] } else { [11, 5] }
    }

    /// Approach records between hiding spots and encounter paths.
    #[inline(always)]
    pub(super) const fn has_middle_approaches(self) -> bool {
        self.version < 15
    }

    /// Encounter paths with end points and points for spots.
    #[inline(always)]
    pub(super) const fn has_old_paths(self) -> bool {
        self.version < 3
    }

    /// Whether encounter paths are most of a mesh, rather than visibility lists.
    pub(super) const fn is_mostly_paths(self) -> bool {
        self.version < 16 || matches!(self.extension, Extension::CounterStrikeGo)
    }

    #[inline(always)]
    pub(super) const fn has_place(self) -> bool {
        self.version >= 5
    }

    #[inline(always)]
    pub(super) const fn has_ladders(self) -> bool {
        self.version >= 7
    }

    #[inline(always)]
    pub(super) const fn has_occupy_times(self) -> bool {
        self.version >= 8
    }

    #[inline(always)]
    pub(super) const fn has_light(self) -> bool {
        self.version >= 11
    }

    #[inline(always)]
    pub(super) const fn has_spawn_attributes(self) -> bool {
        matches!(self.extension, Extension::LeftForDead)
    }

    #[inline(always)]
    pub(super) const fn has_visibility(self) -> bool {
        self.version >= 16 || self.has_spawn_attributes()
    }

    #[inline(always)]
    pub(super) const fn has_last_approaches(self) -> bool {
        matches!(self.extension, Extension::CounterStrikeGo)
    }

    /// One `u32` of the game's at the end.
    #[inline(always)]
    pub(super) const fn has_game_attributes(self) -> bool {
        matches!(self.extension, Extension::TeamFortress | Extension::Insurgency)
    }

    /// Bytes of the shortest area: every count 0.
    pub(super) fn least(self) -> u64 {
        let parts = [
            (true, self.shape_at().saturating_add(32 + 16 + 1 + 4)),
            (self.has_middle_approaches(), 1),
            (self.has_place(), 2),
            (self.has_ladders(), 8),
            (self.has_occupy_times(), 8),
            (self.has_light(), 16),
            (self.has_spawn_attributes(), 6),
            (self.has_visibility(), 8),
            (self.has_last_approaches(), 1),
            (self.has_game_attributes(), 4),
        ];
        parts.iter().filter(|(has, _)| *has).map(|(_, bytes)| bytes).sum()
    }

    /// Walks over the area at byte `at`. Each common layout has its own copy of the walk, with all version tests
    /// decided at compile time.
    ///
    /// `path` is told where each encounter path begins, and whether it is of the form of versions 1 and 2. A path may end past the end
    /// of the file: this is an error, which is found after the last path.
    #[inline]
    pub(super) fn measure(self, file: &[u8], at: u64, path: impl FnMut(u32, bool)) -> Result<Spans, Error> {
        match self {
            TEAM_FORTRESS => measure(TEAM_FORTRESS, file, at, path),
            COUNTER_STRIKE_GO => measure(COUNTER_STRIKE_GO, file, at, path),
            STOCK => measure(STOCK, file, at, path),
            LEFT_FOR_DEAD => measure(LEFT_FOR_DEAD, file, at, path),
            GOLDSRC => measure(GOLDSRC, file, at, path),
            other => measure(other, file, at, path),
        }
    }
}

/// The offset in the file of each part of one area. Each part ends where the next begins. The offsets fit, since a file of 4 GiB or
/// more was refused.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spans {
    pub(super) start: u32,
    /// The counts of the four connection lists.
    pub(super) connections: [u32; 4],
    pub(super) hiding_spots: u32,
    /// Approach list before the paths; empty if the version has none.
    pub(super) middle_approaches: u32,
    pub(super) paths: u32,
    pub(super) path_count: u32,
    /// Place, and the first byte after the paths.
    pub(super) place: u32,
    pub(super) ladders_up: u32,
    pub(super) ladders_down: u32,
    /// Occupy times, light, spawn attributes.
    pub(super) times: u32,
    pub(super) visible: u32,
    pub(super) inherit: u32,
    /// What the game adds.
    pub(super) tail: u32,
    pub(super) end: u32,
}

#[inline(always)]
fn measure(layout: Layout, file: &[u8], at: u64, mut path: impl FnMut(u32, bool)) -> Result<Spans, Error> {
    let mut ruler: Ruler<'_> = Ruler::new(file, at);
    let mut spans = Spans::before_paths(layout, &mut ruler)?;
    spans.path_count = if layout.has_old_paths() {
        ruler.paths::<33, 16>(|at| path(at, true))?
    } else {
        ruler.paths::<11, 5>(|at| path(at, false))?
    };
    spans.after_paths(layout, &mut ruler)?;
    Ok(spans)
}

impl Spans {
    /// The parts before the encounter paths. Those from the paths on are still 0.
    #[inline(always)]
    pub(super) fn before_paths<F: Failure>(layout: Layout, ruler: &mut Ruler<'_, F>) -> Result<Self, F> {
        let start = ruler.at() as u32;
        ruler.pass(layout.shape_at().wrapping_add(32), "area head")?;
        let mut connections = [0; 4];
        for list in &mut connections {
            *list = ruler.at() as u32;
            ruler.list32(4, "connections")?;
        }
        let hiding_spots = ruler.at() as u32;
        ruler.list8(layout.spot_size(), "hiding spots")?;
        let middle_approaches = ruler.at() as u32;
        if layout.has_middle_approaches() {
            ruler.rare8(14, "approach areas")?;
        }
        let paths = ruler.at() as u32;
        Ok(Self { start, connections, hiding_spots, middle_approaches, paths, ..Self::default() })
    }

    /// The parts after the encounter paths.
    #[inline(always)]
    pub(super) fn after_paths<F: Failure>(
        &mut self,
        layout: Layout,
        ruler: &mut Ruler<'_, F>,
    ) -> Result<(), F> {
        self.place = ruler.at() as u32;
        if layout.has_place() {
            ruler.pass(2, "place")?;
        }
        self.ladders_up = ruler.at() as u32;
        self.ladders_down = self.ladders_up;
        if layout.has_ladders() {
            ruler.rare32(4, "ladders up")?;
            self.ladders_down = ruler.at() as u32;
            ruler.rare32(4, "ladders down")?;
        }
        self.times = ruler.at() as u32;
        if layout.has_occupy_times() {
            ruler.pass(8, "occupy times")?;
        }
        if layout.has_light() {
            ruler.pass(16, "light")?;
        }
        if layout.has_spawn_attributes() {
            ruler.pass(6, "spawn attributes")?;
        }
        self.visible = ruler.at() as u32;
        self.inherit = self.visible;
        if layout.has_visibility() {
            ruler.rare32(5, "visible areas")?;
            self.inherit = ruler.at() as u32;
            ruler.pass(4, "inherited visibility")?;
        }
        self.tail = ruler.at() as u32;
        if layout.has_last_approaches() {
            ruler.rare8(14, "approach areas")?;
        }
        if layout.has_game_attributes() {
            ruler.pass(4, "game attributes")?;
        }
        self.end = ruler.at() as u32;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_area_is_one_of_zeros() {
        let zeros = [0; 256];
        for version in 1..=16 {
            for subversion in [None, Some(1), Some(2), Some(4), Some(13), Some(14)] {
                let (layout, _) = Layout::for_version(version, subversion);
                let spans = layout.measure(&zeros, 7, |_, _| ()).unwrap();
                assert_eq!(u64::from(spans.end - spans.start), layout.least(), "{layout:?}");
                let short = zeros.get(..spans.end as usize - 1).unwrap_or_default();
                assert!(layout.measure(short, 7, |_, _| ()).is_err(), "{layout:?}");
            }
        }
    }
}
