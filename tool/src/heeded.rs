//! Refuses options of `convert` and `export` that would do nothing, since what is written has no use for them.

use super::args;
use super::values::{PLUGINS, Target};
use navmap::error::{Error, Result};
use navmap::format::nodegraph::{AinNav, TextNav};
use navmap::format::{AnyNav, has_extension};
use std::path::Path;

/// What `convert` writes, and the options that it heeds.
struct Form {
    what: &'static str,
    /// Whether `--to` names it; without `--to` the extension does.
    is: fn(Target) -> bool,
    extensions: &'static [&'static str],
    heeded: &'static [&'static str],
}

/// What becomes of a mesh.
const OF_MESH: [Form; 6] = [
    Form {
        what: "a .navjson",
        is: |to| matches!(to, Target::NavJson(_)),
        extensions: &["navjson", "json"],
        heeded: &["--head", "--crlf"],
    },
    Form {
        what: "a .nav",
        is: |to| matches!(to, Target::Nav(_) | Target::Source(..)),
        extensions: &["nav"],
        heeded: &[],
    },
    Form { what: "a .graph", is: |to| matches!(to, Target::Graph(_)), extensions: &["graph"], heeded: &[] },
    Form { what: "a .pwf", is: |to| matches!(to, Target::Pwf), extensions: &["pwf"], heeded: &["--large"] },
    Form { what: "a .rcw", is: |to| matches!(to, Target::Rcw), extensions: &["rcw"], heeded: &[] },
    Form {
        what: "an .ain",
        is: |to| matches!(to, Target::Ain(_)),
        extensions: &["ain"],
        heeded: &["--hulls", "--bsp"],
    },
];

/// What becomes of a node graph, whatever the output is called.
const OF_NODES: Form = Form {
    what: "an .ain of another",
    is: |to| matches!(to, Target::Ain(_)),
    extensions: &["ain"],
    heeded: &["--hulls"],
};

/// What becomes of a model.
const OF_MODEL: [Form; 8] = [
    Form {
        what: "a .nav2",
        is: |_| false,
        extensions: &["nav2"],
        heeded: &[
            "--sector",
            "--bucket",
            "--tile",
            "--grid",
            "--origin",
            "--opaque",
            "--islands",
            "--like",
            "--attributes",
            "--spawn",
        ],
    },
    Form { what: "a .nvnm", is: |_| false, extensions: &["nvnm"], heeded: &["--like"] },
    Form { what: "a plugin", is: |_| false, extensions: PLUGINS, heeded: &["--like"] },
    Form {
        what: "a mesh of Source",
        is: |to| matches!(to, Target::Source(..)),
        extensions: &[],
        heeded: &["--step", "--fall", "--rasterise"],
    },
    Form {
        what: "a graph of Quake",
        is: |to| matches!(to, Target::Nav(_)),
        extensions: &[],
        heeded: &["--radius"],
    },
    Form {
        what: "a .graph",
        is: |to| matches!(to, Target::Graph(_)),
        extensions: &["graph"],
        heeded: &["--radius"],
    },
    Form {
        what: "a .pwf",
        is: |to| matches!(to, Target::Pwf),
        extensions: &["pwf"],
        heeded: &["--radius", "--large"],
    },
    Form { what: "a .navmesh", is: |_| false, extensions: &["navmesh"], heeded: &[] },
];

/// What a set of tiles heeds.
const OF_TILES: [&str; 9] = [
    "--axes",
    "--lossless",
    "--sector",
    "--bucket",
    "--grid",
    "--limit",
    "--opaque",
    "--islands",
    "--attributes",
];

/// Refuses options that do nothing for what becomes of a mesh.
///
/// # Errors
/// If one was typed.
pub(super) fn by_mesh(typed: &args::Convert, nav: &AnyNav<'_>) -> Result<()> {
    let is_graph = nav.as_view::<AinNav<'_>>().is_some() || nav.as_view::<TextNav<'_>>().is_some();
    let form = match typed.waypoints() {
        None if is_graph => Some(&OF_NODES),
        _ => chosen(typed, &OF_MESH),
    };
    judge(typed, form, &["--to", "--lossless", "--as", "--lenient"])
}

/// Refuses options that do nothing for what becomes of a model.
///
/// # Errors
/// If one was typed.
pub(super) fn by_model(typed: &args::Convert) -> Result<()> {
    let always: &[&str] = match typed.build.like {
        // They are how that mesh is read.
        Some(_) => &["--to", "--lossless", "--axes", "--as", "--lenient"],
        None => &["--to", "--lossless", "--axes"],
    };
    match &typed.build.tile_set {
        Some(folder) => refuse(&typed.special(), &OF_TILES, "a set of tiles", folder),
        None => judge(typed, chosen(typed, &OF_MODEL), always),
    }
}

fn chosen<'f>(typed: &args::Convert, forms: &'f [Form]) -> Option<&'f Form> {
    forms.iter().find(|form| match typed.to {
        Some(to) => (form.is)(to),
        None => has_extension(typed.output(), form.extensions),
    })
}

/// A form that is none is refused where it would be made.
fn judge(typed: &args::Convert, form: Option<&Form>, always: &[&str]) -> Result<()> {
    form.map_or(Ok(()), |form| {
        refuse(&typed.special(), &[form.heeded, always].concat(), form.what, typed.output())
    })
}

/// Refuses the first option, by name and whether it was typed, that is not heeded.
///
/// # Errors
/// If there is one.
pub(super) fn refuse(
    typed: &[(&'static str, bool)],
    heeded: &[&str],
    what: &str,
    output: &Path,
) -> Result<()> {
    match typed.iter().find(|(name, given)| *given && !heeded.contains(name)) {
        Some((name, _)) => Err(Error::invalid(name, format!("has no meaning for {what}")).in_file(output)),
        None => Ok(()),
    }
}

impl args::Convert {
    /// The options that not every conversion heeds, and whether they were typed.
    fn special(&self) -> [(&'static str, bool); 25] {
        let build = &self.build;
        [
            ("--to", self.to.is_some()),
            ("--head", self.head.is_some()),
            ("--crlf", self.crlf),
            ("--lossless", self.lossless),
            ("--large", self.large),
            ("--hulls", self.hulls.is_some()),
            ("--bsp", self.bsp.is_some()),
            ("--as", self.open.kind.is_some()),
            ("--lenient", self.open.lenient),
            ("--axes", build.axes != args::UpAxis::Game),
            ("--sector", build.sector.is_some()),
            ("--bucket", build.bucket.is_some()),
            ("--tile", build.tile.is_some()),
            ("--grid", build.grid.is_some()),
            ("--limit", build.limit.is_some()),
            ("--origin", build.origin.is_some()),
            ("--opaque", build.opaque.is_some()),
            ("--islands", build.islands),
            ("--like", build.like.is_some()),
            ("--attributes", build.attributes.is_some()),
            ("--step", build.step.is_some()),
            ("--fall", build.fall.is_some()),
            ("--rasterise", build.rasterise.is_some()),
            ("--radius", build.radius.is_some()),
            ("--spawn", !build.spawn.is_empty()),
        ]
    }
}
