//! The arguments of `navmap diff`.

use super::shared::Open;
use clap::{Args, ValueEnum};
use navmap::error::{Error, Result};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// Before and after: two meshes, archives, folders, plugins, or one file and a folder that holds the other
    #[arg(required = true, num_args = 1.., value_names = ["BEFORE", "AFTER"])]
    pub(crate) paths: Vec<PathBuf>,
    /// How differences are printed
    #[arg(long, value_enum, default_value_t = Form::Text)]
    pub(crate) format: Form,
    /// One line for each pair
    #[arg(long)]
    pub(crate) stat: bool,
    /// List every change, instead of the first ten of each kind
    #[arg(long)]
    pub(crate) all: bool,
    /// Report moves within rounding as well; by default moves of up to a twentieth of a millimetre are ignored
    #[arg(long)]
    pub(crate) exact: bool,
    /// Print the commands that turn BEFORE into AFTER, for `navmap patch` (Source, Source 2, Quake, Fox, Detour, AAS, YaPB, POD-Bot, RCBot2, plugins)
    #[arg(long, conflicts_with_all = ["stat", "all", "draw", "format", "space", "neutral", "exact"])]
    pub(crate) script: bool,
    /// Compare meshes of different families as what they have in common: nodes, links, places
    #[arg(long)]
    pub(crate) neutral: bool,
    /// Compare only this worldspace or cell of two plugins, by FormID or editor ID
    #[arg(long, value_name = "NAME")]
    pub(crate) space: Option<String>,
    /// Draw both on one map, by what changed: a name that ends in .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) draw: Option<PathBuf>,
    /// The map of both (.bsp of GoldSrc or Source): draw its floor plan below
    #[arg(long, value_name = "MAP", requires = "draw")]
    pub(crate) bsp: Option<PathBuf>,
    /// Where models of static props lie: a folder of the game (with models/ in it), a VPK or another archive. May be given many times
    #[arg(long, value_name = "PATH", requires = "bsp")]
    pub(crate) models: Vec<PathBuf>,
    /// Replace the picture if it exists
    #[arg(long, requires = "draw")]
    pub(crate) force: bool,
    /// Take the seven arguments that git gives to an external diff program
    #[arg(long, conflicts_with = "draw")]
    pub(crate) git: bool,
    #[command(flatten)]
    pub(crate) open: Open,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Lines for a person
    #[value(alias = "table")]
    Text,
    /// One JSON object a pair
    Jsonl,
}

/// What is compared.
#[derive(Debug)]
pub(crate) enum Inputs {
    Two(PathBuf, PathBuf),
    /// What git calls the file, and where it has put both versions; `None` for one that does not exist. None exists of a file
    /// that is in conflict.
    Git {
        name: String,
        versions: [Option<PathBuf>; 2],
    },
}

impl Diff {
    /// # Errors
    /// If there are too few paths or too many.
    pub(crate) fn inputs(&self) -> Result<Inputs> {
        match (&self.paths[..], self.git) {
            ([name], true) => Ok(Inputs::Git { name: name.display().to_string(), versions: [None, None] }),
            // Path, old file, old hash, old mode, new file, new hash, new mode; a renamed file has two more, the first of which
            // is its new name.
            ([name, old, _, _, new, _, _, more @ ..], true) => {
                let version = |path: &PathBuf| (path.as_os_str() != "/dev/null").then(|| path.clone());
                let name = match more {
                    [renamed, ..] => format!("{} → {}", name.display(), renamed.display()),
                    [] => name.display().to_string(),
                };
                Ok(Inputs::Git { name, versions: [version(old), version(new)] })
            }
            (_, true) => {
                Err(Error::invalid("--git", "takes the seven arguments of an external diff program"))
            }
            ([before, after], false) => Ok(Inputs::Two(before.clone(), after.clone())),
            ([_], false) => Err(Error::invalid("paths", "two are needed: before and after")),
            _ => Err(Error::invalid("paths", "only two can be compared: before and after")),
        }
    }
}
