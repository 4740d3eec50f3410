//! The arguments of `navmap diff`.

use crate::cli::args::Open;
use crate::error::{Error, Result};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct Diff {
    /// Before and after: two meshes, archives, folders, plugins, or one file and a folder that holds the other
    #[arg(required = true, num_args = 1.., value_names = ["BEFORE", "AFTER"])]
    pub(super) paths: Vec<PathBuf>,
    /// How differences are printed
    #[arg(long, value_enum, default_value_t = Form::Text)]
    pub(super) format: Form,
    /// One line for each pair
    #[arg(long)]
    pub(super) stat: bool,
    /// List every change, instead of the first ten of each kind
    #[arg(long)]
    pub(super) all: bool,
    /// Print the commands that turn BEFORE into AFTER, for `navmap patch` (Source)
    #[arg(long, conflicts_with_all = ["stat", "all", "draw", "format"])]
    pub(super) script: bool,
    /// Compare meshes of different families as what they have in common: nodes, links, places
    #[arg(long)]
    pub(super) neutral: bool,
    /// Compare only this worldspace or cell of two plugins, by FormID or editor ID
    #[arg(long, value_name = "NAME")]
    pub(super) space: Option<String>,
    /// Draw both on one map, by what changed: a name that ends in .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(super) draw: Option<PathBuf>,
    /// Replace the picture if it exists
    #[arg(long)]
    pub(super) force: bool,
    /// Take the seven arguments that git gives to an external diff program
    #[arg(long, conflicts_with = "draw")]
    pub(super) git: bool,
    #[command(flatten)]
    pub(super) open: Open,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// Lines for a person
    Text,
    /// One JSON object a pair
    Jsonl,
}

/// What is compared.
#[derive(Debug)]
pub(super) enum Inputs {
    Two(PathBuf, PathBuf),
    /// What git calls the file, and where it has put both versions; `None` for one that does not exist.
    Git {
        name: String,
        versions: [Option<PathBuf>; 2],
    },
}

impl Diff {
    /// # Errors
    /// If there are too few paths or too many.
    pub(super) fn inputs(&self) -> Result<Inputs> {
        match (&self.paths[..], self.git) {
            // Path, old file, old hash, old mode, new file, new hash, new mode; a renamed file has two more.
            ([name, old, _, _, new, _, _, ..], true) => {
                let version = |path: &PathBuf| (path.as_os_str() != "/dev/null").then(|| path.clone());
                Ok(Inputs::Git { name: name.display().to_string(), versions: [version(old), version(new)] })
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
