//! A string that is a file a stretch: `a.1.string`, `a.2.string` …, one after the other.

use super::record::Knot;
use super::view::ToyNav;
use navmap_core::Counts;
use navmap_core::bytes::Backing;
use navmap_core::error::{Error, Result};
use navmap_core::format::{NavSet, SetFile, SetFinding, SetFormat, SetMap, Summary};
use navmap_core::graph::{Axes, NavGraph, Visitor};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The stretches of a string, opened.
#[derive(Debug)]
pub struct ToySet<'b> {
    files: Vec<(PathBuf, Backing<'b>)>,
    failures: Vec<Error>,
}

/// The string that they are.
#[derive(Debug, Clone, Copy)]
pub struct ToyMap<'s>(&'s ToySet<'static>);

impl NavSet for ToySet<'_> {
    fn len(&self) -> usize {
        self.files.len()
    }

    fn files(&self) -> Box<dyn Iterator<Item = &Path> + '_> {
        Box::new(self.files.iter().map(|(path, _)| path.as_path()))
    }

    fn failures(&self) -> &[Error] {
        &self.failures
    }

    fn failures_mut(&mut self) -> &mut Vec<Error> {
        &mut self.failures
    }

    fn findings(&self) -> &[SetFinding] {
        &[]
    }

    fn info(&self, out: &mut dyn Write) -> Result<()> {
        Ok(writeln!(out, "stretches: {}", self.files.len())?)
    }

    fn intact(&self) -> Result<()> {
        self.files.iter().try_for_each(|(path, bytes)| bytes.intact().map_err(|error| error.in_file(path)))
    }

    fn is_map(&self) -> bool {
        self.files.len() > 1
    }
}

impl SetFormat for ToySet<'static> {
    type Map<'s> = ToyMap<'s>;

    fn of_files(files: Vec<SetFile>) -> Self {
        let mut set = Self { files: Vec::new(), failures: Vec::new() };
        for file in files {
            match file.and_then(|(path, bytes)| {
                ToyNav::parse(&bytes).map_err(|error| error.in_file(&path))?;
                Ok((path, bytes))
            }) {
                Ok(file) => set.files.push(file),
                Err(error) => set.failures.push(error),
            }
        }
        set.files.sort_by(|(a, _), (b, _)| a.cmp(b));
        set
    }

    fn maps(&self) -> impl Iterator<Item = ToyMap<'_>> {
        std::iter::once(ToyMap(self))
    }
}

impl SetMap for ToyMap<'_> {
    fn name(&self) -> String {
        "string".to_owned()
    }

    fn summary(&self) -> Summary {
        Summary { game: None, version: Some(1), subversion: None, counts: Counts::default() }
    }

    fn tiles(&self) -> usize {
        self.0.files.len()
    }

    fn graph(&self) -> impl NavGraph {
        let stretches = self.0.files.iter().filter_map(|(_, bytes)| ToyNav::parse(bytes).ok());
        Whole(stretches.flat_map(|nav| nav.knots()).copied().collect())
    }
}

/// All points, in order.
struct Whole(Vec<Knot>);

impl NavGraph for Whole {
    fn axes(&self) -> Axes {
        Axes::z_up(1.0)
    }

    fn node_word(&self) -> &'static str {
        "knot"
    }

    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        super::graph::string(&self.0, visitor);
        Ok(())
    }
}
