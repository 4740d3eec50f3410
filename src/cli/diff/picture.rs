//! Both meshes on one map, by what changed.

use super::compare::Compared;
use crate::cli::args::Diff;
use crate::cli::save::save;
use crate::draw::{Caption, ColourBy, Options, Picture};
use crate::error::{Error, Result};
use crate::format::has_extension;
use std::path::Path;

pub(super) fn draw(typed: &Diff, output: &Path, compared: &Compared) -> Result<()> {
    let png = has_extension(output, &["png"]);
    if !png && !has_extension(output, &["svg"]) {
        return Err(Error::invalid("output", "has to end in .svg or .png").in_file(output));
    }
    let Some(part) = compared.parts.iter().max_by_key(|part| part.diff.nodes[1]) else {
        return Err(Error::invalid("picture", "both files lack a mesh that could be drawn").in_file(output));
    };
    let both = crate::diff::on_one_map(&part.diff, &part.before, &part.after);
    let space = part.space.as_ref().map_or_else(String::new, |space| format!("{space}: "));
    let subtitle = format!("{space}what changed");
    let caption = Caption { title: part.title.clone(), subtitle, ..Caption::default() };
    let options = Options { colour: Some(ColourBy::Group), ..Options::default() };
    let picture = Picture::new(&both, &caption, &options);
    save(output, typed.force, |out| if png { picture.write_png(out) } else { picture.write_svg(out) })
}
