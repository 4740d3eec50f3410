//! Both meshes on one map, by what changed.

use crate::args::Diff;
use crate::floor;
use crate::save::save;
use navmap::diff::{Compared, Part, on_one_map};
use navmap::draw::{Caption, Classes, ColourBy, DrawOptions, Picture, Plan, Trail};
use navmap::error::{Error, Result};
use navmap::format::has_extension;
use navmap::graph::{FlatGraph, Stats};
use std::path::Path;
use std::sync::Arc;

/// Draws the largest mesh of a pair.
pub(super) fn draw(typed: &Diff, output: &Path, compared: Compared) -> Result<()> {
    let Some(Part { space, title, before, after, diff, .. }) =
        compared.parts.into_iter().max_by_key(|part| part.diff.nodes[1])
    else {
        return Err(Error::invalid("picture", "both files lack a mesh that could be drawn").in_file(output));
    };
    let counted = Stats::of(&after).value;
    let both = on_one_map(&diff, &before, after);
    // A picture needs the room that they take.
    drop((before, diff));
    let space = space.map_or_else(String::new, |space| format!("{space}: "));
    let subtitle = format!("{space}what changed");
    let below = floor::asked(typed.bsp.as_deref(), &typed.models, &both, &typed.open)?;
    write(&both, counted, [title, subtitle], (&[], below), output, typed.force)
}

/// Writes a graph whose groups say what happened to each node, with points that are named. The footer tells what is counted.
pub(crate) fn write(
    graph: &FlatGraph,
    counted: Stats,
    [title, subtitle]: [String; 2],
    (trails, plan): (&[Trail], Option<Arc<Plan>>),
    output: &Path,
    force: bool,
) -> Result<()> {
    let png = is_png(output)?;
    let caption = Caption { title, subtitle, ..Caption::default() };
    let options = DrawOptions {
        colour: Some(ColourBy::Classes(Classes::of_groups(graph))),
        plan,
        counted: Some(counted),
        ..DrawOptions::default()
    };
    let picture = Picture::with_trails(graph, &caption, &options, trails);
    save(output, force, |out| if png { picture.write_png(out) } else { picture.write_svg(out) })
}

/// Whether a picture is a PNG.
///
/// # Errors
/// If it is no SVG either.
pub(crate) fn is_png(output: &Path) -> Result<bool> {
    let png = has_extension(output, &["png"]);
    match png || has_extension(output, &["svg"]) {
        true => Ok(png),
        false => Err(Error::invalid("output", "has to end in .svg or .png").in_file(output)),
    }
}
