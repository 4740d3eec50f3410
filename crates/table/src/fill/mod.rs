//! What fills the tables: one module a family, and one for the tables that all share. A new family gets a module here,
//! one in `rows`, and an arm in [`own`].

mod aas;
mod detour;
mod flags;
mod fox;
mod neutral;
mod quake;
mod skyrim;
mod source;
mod source2;
mod yapb;

pub(super) use flags::flag_names;
pub(super) use neutral::Facts;

use super::batch::Sheets;
use navmap_core::bytes::Scratch;
use navmap_core::error::Result;
use navmap_formats::{AnyNav, Family};

/// Fills the tables of one open mesh that `out` has, and adds to the rows that are there. `name` is the name of its file,
/// which a plugin is known by. The tables `files` and `findings` are made of the outcome of a scan, and stay empty.
///
/// # Errors
/// If the mesh is damaged, the first place at which it cannot be read on. The rows before it are there.
pub fn fill_tables(nav: &AnyNav<'_>, name: &str, scratch: &mut Scratch, out: &mut Sheets) -> Result<()> {
    fill(nav, name, false, scratch, out).1
}

/// Fills the wanted tables of one mesh. `name` is the name of its file, which a plugin is known by. Tells the
/// [facts](Facts) of its graph if they are asked for.
///
/// # Errors
/// If the mesh is damaged, the first place at which it cannot be read on. The rows before it are there.
pub(super) fn fill(
    nav: &AnyNav<'_>,
    name: &str,
    facts: bool,
    scratch: &mut Scratch,
    out: &mut Sheets,
) -> (Option<Facts>, Result<()>) {
    let own = match out.wants_of(nav.family()) {
        true => own(nav, name, scratch, out),
        false => Ok(()),
    };
    let (facts, graph) = neutral::fill(nav, facts, out);
    (facts, own.and(graph))
}

/// Fills the tables of its family.
fn own(nav: &AnyNav<'_>, name: &str, scratch: &mut Scratch, out: &mut Sheets) -> Result<()> {
    match nav {
        AnyNav::Source(nav) => source::fill(nav, out),
        AnyNav::Source2(nav) => source2::fill(nav, out),
        AnyNav::Quake(nav) => {
            quake::fill(nav, out);
            Ok(())
        }
        AnyNav::NavJson(nav) => {
            quake::fill_json(nav, out);
            Ok(())
        }
        AnyNav::Fox(nav) => fox::fill(nav, out),
        AnyNav::Plugin(nav) => skyrim::fill(nav, name, scratch, out),
        AnyNav::Payload(nav) => {
            skyrim::fill_field(nav, out);
            Ok(())
        }
        AnyNav::Detour(nav) => detour::fill(nav, out),
        AnyNav::Graph(nav) => {
            yapb::fill(nav, out);
            Ok(())
        }
        AnyNav::Pwf(nav) => {
            yapb::fill_pwf(nav, out);
            Ok(())
        }
        AnyNav::Aas(nav) => {
            aas::fill(nav, out);
            Ok(())
        }
        // A kind without tables of its own still fills the neutral ones.
        #[allow(unreachable_patterns)]
        _ => Ok(()),
    }
}

/// What a unit of length is in the files of a family.
pub(super) fn unit(family: Family) -> Option<&'static str> {
    match family {
        Family::Source | Family::Yapb => Some("hammer"),
        Family::Quake | Family::Aas => Some("quake"),
        Family::Fox | Family::Detour => Some("metre"),
        Family::Skyrim => Some("skyrim"),
        #[allow(unreachable_patterns)]
        _ => None,
    }
}
