//! What fills the tables: one module a family, and one for the tables that all share. A new family gets a module here,
//! one in `rows`, and a line in [`OWN`].

mod aas;
mod detour;
mod flags;
mod fox;
mod neutral;
mod nodegraph;
mod outlines;
mod pathgrid;
mod quake;
mod rcbot;
mod skyrim;
mod source;
mod source2;
mod xray;
mod yapb;

pub(super) use flags::flag_names;
pub(super) use neutral::Facts;

use super::batch::{Out, Sheets};
use navmap_core::bytes::Scratch;
use navmap_core::error::Result;
use navmap_core::graph::{INCH, SIXTY_FOURTH_YARD, YARD};
use navmap_formats::{AnyNav, Family};

/// Fills those tables of one open mesh that `out` has, after any existing rows. `name` is the name of its file, which identifies
/// a plugin. The tables `files` and `findings` are made from the outcome of a scan, and stay empty.
///
/// # Errors
/// If the mesh is damaged: the first place at which reading cannot continue. The rows before it are written.
pub fn fill_tables(nav: &AnyNav<'_>, name: &str, scratch: &mut Scratch, out: &mut Sheets) -> Result<()> {
    fill(nav, name, false, scratch, &mut Out::whole(out)).1
}

/// Fills the wanted tables of one mesh, and passes on what is full of them. `name` is the name of its file, which identifies a plugin. Returns the [facts](Facts) of
/// its graph if they are requested.
///
/// # Errors
/// If the mesh is damaged: the first place at which reading cannot continue. The rows before it are written.
pub(super) fn fill(
    nav: &AnyNav<'_>,
    name: &str,
    facts: bool,
    scratch: &mut Scratch,
    out: &mut Out<'_>,
) -> (Option<Facts>, Result<()>) {
    let own = match out.wants_of(nav.family()) {
        true => own(nav, name, scratch, out),
        false => Ok(()),
    };
    let (facts, graph) = neutral::fill(nav, facts, out);
    (facts, own.and(graph))
}

/// Fills the tables of its family.
fn own(nav: &AnyNav<'_>, name: &str, scratch: &mut Scratch, out: &mut Out<'_>) -> Result<()> {
    let done =
        OWN.iter().find_map(|fill| fill(nav, &mut To { name, scratch: &mut *scratch, out: &mut *out }));
    done.unwrap_or(Ok(()))
}

/// Where rows go, and what a filler needs besides the view.
struct To<'t, 'o> {
    name: &'t str,
    scratch: &'t mut Scratch,
    out: &'t mut Out<'o>,
}

/// Fills the tables of a kind, if the file is of that kind.
type Own = fn(&AnyNav<'_>, &mut To<'_, '_>) -> Option<Result<()>>;

/// What fills the tables of each kind that has its own. A kind without still fills the neutral ones.
const OWN: &[Own] = &[
    |nav, to| Some(source::fill(nav.as_view()?, to.out)),
    |nav, to| Some(source2::fill(nav.as_view()?, to.out)),
    |nav, to| nav.as_view().map(|nav| quake::fill(nav, to.out)).map(Ok),
    |nav, to| nav.as_view().map(|nav| quake::fill_json(nav, to.out)).map(Ok),
    |nav, to| Some(fox::fill(nav.as_view()?, to.out)),
    |nav, to| Some(skyrim::fill(nav.as_view()?, to.name, to.scratch, to.out)),
    |nav, to| nav.as_view().map(|nav| skyrim::fill_field(nav, to.out)).map(Ok),
    |nav, to| Some(pathgrid::fill(nav.as_view()?, to.scratch, to.out)),
    |nav, to| Some(detour::fill(nav.as_view()?, to.out)),
    |nav, to| nav.as_view().map(|nav| yapb::fill(nav, to.out)).map(Ok),
    |nav, to| nav.as_view().map(|nav| yapb::fill_pwf(nav, to.out)).map(Ok),
    |nav, to| nav.as_view().map(|nav| aas::fill(nav, to.out)).map(Ok),
    |nav, to| nav.as_view().map(|nav| nodegraph::fill(nav, to.out)).map(Ok),
    |nav, to| nav.as_view().map(|nav| nodegraph::fill_text(nav, to.out)).map(Ok),
    |nav, to| Some(nodegraph::fill_respawn(nav.as_view()?, to.out)),
    |nav, to| nav.as_view().map(|nav| nodegraph::fill_nod(nav, to.out)).map(Ok),
    |nav, to| nav.as_view().map(|nav| rcbot::fill(nav, to.out)).map(Ok),
    |nav, to| nav.as_view().map(|nav| xray::fill(nav, to.out)).map(Ok),
];

/// The word for a unit of length in a file of a family, by its length in metres.
pub(super) fn unit(family: Family, metres: f32) -> Option<&'static str> {
    let is = |other: f64| (f64::from(metres) - other).abs() < 1e-6;
    match family {
        _ if is(1.0) => Some("metre"),
        _ if is(YARD) => Some("yard"),
        _ if is(SIXTY_FOURTH_YARD) => Some("skyrim"),
        Family::Quake | Family::Aas if is(INCH) => Some("quake"),
        _ if is(INCH) => Some("hammer"),
        _ => None,
    }
}
