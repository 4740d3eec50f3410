//! `navmap path --table`: prints the cost of the path from every spot to every other.

use super::mesh::Asked;
use super::misused;
use super::rows::{Cell, Column, Printer, csv_record};
use crate::args::Rows;
use crate::args::Way;
use crate::out::{Out, PADDED};
use crate::{Exit, Failure, progress};
use navmap::Limits;
use navmap::error::Error;
use navmap::query::{Area, PathScratch, Query};
use navmap::text::printable;
use std::io::Write;

/// The keys of a pair, in JSON and in a table.
const PAIRS: [Column; 3] = [("from", 24, true), ("to", 24, true), ("cost", 10, false)];

/// The most spots of a matrix, which is a search for each and a number for each pair.
const MOST_SPOTS: u64 = 1_000;

/// One spot of the matrix.
struct Spot {
    name: String,
    area: Area,
}

pub(super) fn run(
    typed: &Way,
    asked: &Asked,
    spots: Vec<String>,
    query: &Query<'_>,
) -> Result<Exit, Failure> {
    let index = &asked.index;
    let count = if spots.is_empty() { index.places().len() } else { spots.len() };
    Limits::charge("spots of a table", count as u64, typed.max_spots.unwrap_or(MOST_SPOTS))
        .map_err(|error| Error::invalid("--table", format!("{error}: --max-spots allows more")))?;
    let names = if spots.is_empty() { index.places().to_vec() } else { spots };
    if names.is_empty() {
        return Err(Error::invalid("--table", "the mesh names no places: name spots, x,y,z or #17").into());
    }
    let mut found = Vec::with_capacity(names.len());
    for name in names {
        let area = asked.find(&name)?.area;
        found.push(Spot { name, area });
    }
    // A matrix has a column for each spot, the other forms a row for each pair.
    let mut matrix = Out::new();
    let format = typed.format.unwrap_or(Rows::Csv);
    let columns = typed.format.is_none() && matrix.is_terminal();
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut pairs = Printer::new(format, &PAIRS);
    let terminal = matrix.is_terminal();
    let shown = |name: &str| if terminal { printable(name.as_bytes()) } else { name.to_owned() };
    if format == Rows::Csv {
        let head = std::iter::once("from".to_owned()).chain(found.iter().map(|spot| shown(&spot.name)));
        match columns {
            true => rows.push(head.collect()),
            false => csv_record(&mut matrix, head)?,
        }
    }
    let mut scratch = PathScratch::new(index);
    let mut costs = vec![f32::INFINITY; index.len()];
    let mut missing = false;
    let line = progress::line(Some(found.len()), "spots");
    for from in &found {
        scratch.distance_map(index, from.area, query, &mut costs).map_err(misused)?;
        let cost =
            |to: &Spot| costs.get(to.area.position() as usize).copied().filter(|cost| *cost < f32::INFINITY);
        missing |= found.iter().any(|to| cost(to).is_none());
        line.suspend(|| match format {
            Rows::Csv if columns => {
                let cost = |to: &Spot| cost(to).map_or_else(|| "-".to_owned(), |cost| format!("{cost:.0}"));
                rows.push(std::iter::once(shown(&from.name)).chain(found.iter().map(cost)).collect());
                Ok(())
            }
            Rows::Csv => {
                let row = found.iter().map(|to| cost(to).map_or_else(String::new, |cost| cost.to_string()));
                csv_record(&mut matrix, std::iter::once(shown(&from.name)).chain(row))
            }
            _ => found.iter().try_for_each(|to| {
                let name = |spot: &Spot| Cell::Text(spot.name.clone());
                pairs.row(&[name(from), name(to), cost(to).into()])
            }),
        })?;
        line.inc(1);
    }
    drop(line);
    aligned(&rows, &mut matrix)?;
    matrix.flush()?;
    if format != Rows::Csv {
        pairs.finish()?;
    }
    if missing && !typed.whole.quiet {
        asked.remark_unstored();
    }
    Ok(asked.finish(if missing { Exit::Findings } else { Exit::Clean }))
}

/// Prints rows in columns: the first to the left, numbers to the right.
fn aligned(rows: &[Vec<String>], out: &mut dyn Write) -> std::io::Result<()> {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count()).min(PADDED);
        }
    }
    for row in rows {
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            match column {
                0 => write!(out, "{cell:<width$}")?,
                _ => write!(out, "  {cell:>width$}")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_columns() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let mut out = Vec::new();
        aligned(&[row(["from", "A", "Bridge"]), row(["Bridge", "1200", "0"])], &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "from       A  Bridge\nBridge  1200       0\n");
    }
}
