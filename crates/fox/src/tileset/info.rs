//! Describes the set to a person: a text map of the tiles, counts, and links that do not join.

use super::{Layer, Tile, TileSet, Unresolved};
use crate::record::TileId;
use navmap_core::error::Result;
use navmap_core::text::{Grouped, Size, fact, printable};
use std::collections::BTreeMap;
use std::io::Write;

/// The most tiles across in a layer's text map. Of wider layers only the counts are listed.
const WIDEST: i32 = 256;

impl TileSet<'_> {
    /// Prints the set: for each layer a map of its tiles, its counts, and its unresolved links with the reason; then the
    /// findings, and the files that could not be read.
    ///
    /// # Errors
    /// If `out` fails, or a mapped file changed.
    pub fn info(&self, out: &mut dyn Write) -> Result<()> {
        fact(out, "tiles", Grouped(self.len() as u64))?;
        fact(out, "files", Grouped(self.parts.len() as u64))?;
        fact(out, "bytes", format_args!("{} ({})", Grouped(self.file_bytes()), Size(self.file_bytes())))?;
        fact(out, "index", format_args!("{} bytes", Grouped(self.index_bytes())))?;
        for layer in self.layers() {
            writeln!(out)?;
            layer.print(out)?;
        }
        for (title, lines) in [("findings", self.finding_lines()), ("not read", self.failure_lines())] {
            if !lines.is_empty() {
                writeln!(out, "\n{title}:")?;
                lines.iter().try_for_each(|line| writeln!(out, "  {}", printable(line.as_bytes())))?;
            }
        }
        Ok(())
    }

    /// The findings as lines. Absent neighbours are summarised per layer instead.
    fn finding_lines(&self) -> Vec<String> {
        let findings = self.findings().iter().filter(|finding| finding.finding.code != "neighbour-absent");
        findings.map(ToString::to_string).collect()
    }

    fn failure_lines(&self) -> Vec<String> {
        self.failures().iter().map(ToString::to_string).collect()
    }
}

/// The results of resolving the links out of some tiles.
#[derive(Default)]
struct Joined {
    links: u64,
    resolved: u64,
    /// The number of links to each absent neighbour.
    absent: BTreeMap<TileId, u64>,
    /// The number of other unresolved links for each reason.
    lost: BTreeMap<String, u64>,
}

impl Joined {
    fn count(tile: &Tile<'_>) -> Self {
        let mut joined = Self::default();
        for link in tile.border_links() {
            joined.links = joined.links.saturating_add(1);
            let count = match link.reaches {
                Ok(_) => &mut joined.resolved,
                Err(Unresolved::TileAbsent) => joined.absent.entry(link.tile).or_default(),
                Err(why) => joined.lost.entry(why.to_string()).or_default(),
            };
            *count = count.saturating_add(1);
        }
        joined
    }

    fn lost(&self) -> u64 {
        self.lost.values().copied().fold(0, u64::saturating_add)
    }

    fn absent(&self) -> u64 {
        self.absent.values().copied().fold(0, u64::saturating_add)
    }
}

impl Layer<'_> {
    fn print(&self, out: &mut dyn Write) -> Result<()> {
        let columns = self.columns().map_or(String::new(), |columns| format!(", map of {columns} columns"));
        let tiles = self.tiles().len();
        let word = if tiles == 1 { "tile" } else { "tiles" };
        writeln!(out, "{}: {} {word}{columns}", printable(self.name().as_bytes()), Grouped(tiles as u64))?;
        let joined: Vec<_> = self.tiles().map(|tile| (tile, Joined::count(&tile))).collect();
        self.draw(&joined, out)?;
        let sum =
            |count: fn(&Joined) -> u64| joined.iter().map(|(_, j)| count(j)).fold(0, u64::saturating_add);
        let (links, resolved) = (sum(|joined| joined.links), sum(|joined| joined.resolved));
        let (absent, lost) = (sum(Joined::absent), sum(Joined::lost));
        let text = format!(
            "{} between tiles: {} resolved, {} to absent tiles, {} unresolved",
            Grouped(links),
            Grouped(resolved),
            Grouped(absent),
            Grouped(lost)
        );
        fact(out, "  links", text)?;
        for (tile, joined) in joined.iter().filter(|(_, joined)| joined.resolved < joined.links) {
            let absent = joined
                .absent
                .iter()
                .map(|(to, count)| format!("{count} to absent tile {}", self.name_of(*to)));
            let lost = joined.lost.iter().map(|(why, count)| format!("{count}: {why}"));
            let parts: Vec<String> = absent.chain(lost).collect();
            writeln!(out, "    {:<10}{}", self.name_of(tile.id()), parts.join(", "))?;
        }
        Ok(())
    }

    /// A name such as `139_127`, or the id if the number of columns is unknown.
    fn name_of(&self, tile: TileId) -> String {
        match self.columns().and_then(|columns| tile.coordinates(columns)) {
            Some((x, z)) => format!("{x}_{z}"),
            None => tile.to_string(),
        }
    }

    /// Draws one character for each tile, with north (-z) on top.
    fn draw(&self, joined: &[(Tile<'_>, Joined)], out: &mut dyn Write) -> Result<()> {
        let Some(columns) = self.columns() else { return Ok(()) };
        let mut cells = BTreeMap::new();
        for (tile, joined) in joined {
            let Some((x, z)) = tile.id().coordinates(columns) else { continue };
            let sign = match () {
                () if joined.lost() > 0 => '!',
                () if tile.files().len() > 1 => '2',
                () => '#',
            };
            cells.insert((z, x), sign);
        }
        let xs = || cells.keys().map(|(_, x)| *x);
        let zs = || cells.keys().map(|(z, _)| *z);
        let (Some(left), Some(right), Some(top), Some(bottom)) =
            (xs().min(), xs().max(), zs().min(), zs().max())
        else {
            return Ok(());
        };
        if i32::from(right).saturating_sub(i32::from(left)) >= WIDEST {
            return Ok(());
        }
        writeln!(
            out,
            "  X {left} to {right}, Z {top} to {bottom}; # tile, 2 split tile, ! links unresolved, . none"
        )?;
        for z in top..=bottom {
            write!(out, "  {z:>5} ")?;
            for x in left..=right {
                write!(out, "{}", cells.get(&(z, x)).unwrap_or(&'.'))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}
