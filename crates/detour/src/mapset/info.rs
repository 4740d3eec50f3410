//! Describes maps to a person: a text map of the tiles, counts, and oddities.

use super::{Map, MapSet};
use navmap_core::error::Result;
use navmap_core::graph::{LinkKind, NavGraph};
use navmap_core::text::{Grouped, Size, counted, fact, printable};
use std::collections::BTreeSet;
use std::io::Write;

/// The most tiles across in a text map.
const WIDEST: i32 = 128;

impl MapSet<'_> {
    /// Prints a text map and counts of each map, then the findings and the files that could not be read.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn info(&self, out: &mut dyn Write) -> Result<()> {
        let bytes = self.files.iter().map(|(_, bytes)| bytes.len() as u64).fold(0, u64::saturating_add);
        fact(out, "maps", Grouped(self.maps.len() as u64))?;
        fact(out, "tiles", Grouped(self.len() as u64))?;
        fact(out, "files", Grouped(self.files.len() as u64))?;
        fact(out, "bytes", format_args!("{} ({})", Grouped(bytes), Size(bytes)))?;
        for map in self.maps() {
            writeln!(out)?;
            map.print(out)?;
        }
        let findings = self.findings().iter().map(ToString::to_string).collect::<Vec<_>>();
        let failures = self.failures().iter().map(ToString::to_string).collect();
        for (title, lines) in [("findings", findings), ("not read", failures)] {
            if !lines.is_empty() {
                writeln!(out, "\n{title}:")?;
                lines.iter().try_for_each(|line| writeln!(out, "  {}", printable(line.as_bytes())))?;
            }
        }
        Ok(())
    }
}

impl Map<'_> {
    fn print(&self, out: &mut dyn Write) -> Result<()> {
        let version = self.version().map_or(String::new(), |version| format!(", version {version}"));
        writeln!(out, "map {}: {}{version}", self.name(), counted(self.len() as u64, "tile", "tiles"))?;
        self.draw(out)?;
        let (mut nodes, mut inner, mut borders, mut jumps) = (0u64, 0u64, 0u64, 0u64);
        let graph = self.graph();
        graph.for_each_node(|_| nodes = nodes.saturating_add(1))?;
        graph.for_each_link(|link| {
            let count = match link.kind {
                LinkKind::Border => &mut borders,
                LinkKind::Jump => &mut jumps,
                _ => &mut inner,
            };
            *count = count.saturating_add(1);
        })?;
        fact(out, "  polygons", Grouped(nodes))?;
        fact(
            out,
            "  links",
            format_args!(
                "{} in tiles, {} between tiles, {} over connections",
                Grouped(inner),
                Grouped(borders),
                Grouped(jumps)
            ),
        )?;
        Ok(())
    }

    /// Draws one character for each tile, with larger z below.
    fn draw(&self, out: &mut dyn Write) -> Result<()> {
        let cells: BTreeSet<(i32, i32)> =
            self.tiles().map(|(_, tile)| tile.head().at).map(|[x, y]| (y, x)).collect();
        let xs = || cells.iter().map(|(_, x)| *x);
        let (Some(left), Some(right)) = (xs().min(), xs().max()) else { return Ok(()) };
        let (Some((top, _)), Some((bottom, _))) = (cells.first(), cells.last()) else { return Ok(()) };
        let wide = |from: i32, to: i32| to.saturating_sub(from) >= WIDEST;
        if wide(left, right) || wide(*top, *bottom) {
            return Ok(());
        }
        writeln!(out, "  columns {left} to {right}, rows {top} to {bottom}; # tile, . none")?;
        for y in *top..=*bottom {
            write!(out, "  {y:>5} ")?;
            for x in left..=right {
                write!(out, "{}", if cells.contains(&(y, x)) { '#' } else { '.' })?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}
