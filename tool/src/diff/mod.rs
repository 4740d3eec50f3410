//! `navmap diff`: what changed between two meshes, two folders, two archives, two plugins.

mod json;
pub(super) mod picture;
mod text;

use super::args::{Diff, Form, Inputs};
use super::out::{Out, Painter, complain, say};
use super::save::vacant;
use super::{Exit, Failure, is_bad_file, left_out, plan, progress, signals};
use navmap::diff::{CompareOptions, Compared, Pair, Pairs, Version};
use navmap::error::Error;
use navmap::graph::{FlatGraph, NavGraph};
use navmap::open::OpenOptions;
use navmap::text::printable;
use rayon::prelude::*;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// Pairs that are compared before the first of them is printed.
const BATCH: usize = 64;

pub(super) fn run(typed: &Diff) -> Result<Exit, Failure> {
    if typed.stat && typed.format == Form::Jsonl {
        let why = "is a line for a person: --format jsonl prints one object for each pair";
        return Err(Error::invalid("--stat", why).into());
    }
    let inputs = typed.inputs()?;
    if let Some(output) = &typed.draw {
        vacant(output, typed.force)?;
    }
    if let Inputs::Git { name, versions: [None, None] } = &inputs {
        let mut out = Out::new();
        writeln!(out, "{}: not merged yet", printable(name.as_bytes()))?;
        out.flush()?;
        return Ok(Exit::Clean);
    }
    let options = plan::options(&typed.open);
    let Pairs { pairs, unread, .. } = pairs(&inputs, &options)?;
    let mut exit = left_out(&unread);
    let one = matches!(pairs[..], [Pair::Both { .. }]);
    if let (Some(output), false) = (&typed.draw, one) {
        let why = "shows two meshes; name two files, or two members of archives";
        return Err(Error::invalid("--draw", why).in_file(output).into());
    }
    if typed.script {
        return script(&pairs, &options).map(|done| done.max(exit));
    }
    let stop = Arc::new(AtomicBool::new(false));
    if pairs.len() > 1 {
        signals::stop_by(&stop);
    }
    let budget = navmap::diff::Budget::of_pairs(&pairs, &options);
    let line = progress::line(Some(pairs.len()), "pairs");
    let mut out = Out::new().json(typed.format == Form::Jsonl);
    let painter = out.painter();
    for batch in pairs.chunks(BATCH) {
        let compare = |pair| {
            if stop.load(SeqCst) {
                return None;
            }
            let told =
                budget.charge(|| told(pair, typed, &options, painter)).map_err(Failure::from).flatten();
            line.inc(1);
            Some(told)
        };
        let together = |one: &Pair, next: &Pair| {
            one.small_archives().is_some_and(|archives| next.small_archives() == Some(archives))
        };
        let runs: Vec<&[Pair]> = batch.chunk_by(together).collect();
        let done: Vec<Vec<_>> = runs.par_iter().map(|run| run.iter().map(compare).collect()).collect();
        for told in done.into_iter().flatten().flatten() {
            let told = told?;
            exit = exit.max(told.exit);
            line.suspend(|| out.write_all(&told.text).and_then(|()| out.end_row()))?;
            told.complaints.iter().for_each(|error| complain(format_args!("navmap: {error}")));
            if let (Some(output), Some(compared)) = (&typed.draw, told.compared) {
                picture::draw(typed, output, compared)?;
            }
        }
        if stop.load(SeqCst) {
            exit = Exit::Stopped;
            break;
        }
    }
    drop(line);
    out.flush()?;
    Ok(match (&inputs, exit) {
        // Git takes any other status for the end of the whole run, with all files that come after this one.
        (Inputs::Git { .. }, Exit::Findings | Exit::Failed) => Exit::Clean,
        (_, exit) => exit,
    })
}

/// Which meshes are compared with which.
fn pairs(inputs: &Inputs, options: &OpenOptions) -> Result<Pairs, Error> {
    let (name, versions) = match inputs {
        Inputs::Two(before, after) => return Pair::all(before, after, options),
        Inputs::Git { name, versions } => (name.clone(), versions.clone()),
    };
    let mut pairs = Pairs::default();
    pairs.pairs.push(match versions {
        [Some(before), Some(after)] => Pair::Both { before, after, label: name },
        [before, after] => {
            let added = before.is_none();
            Pair::Only { path: before.or(after).unwrap_or_default(), label: name, added }
        }
    });
    Ok(pairs)
}

/// Prints the script that turns one mesh into the other. What it cannot reach goes to stderr.
fn script(pairs: &[Pair], options: &OpenOptions) -> Result<Exit, Failure> {
    let [Pair::Both { before, after, .. }] = pairs else {
        return Err(Error::invalid("--script", "takes two meshes, not folders or archives").into());
    };
    let (before, after) = (Version::open(before, options)?, Version::open(after, options)?);
    let changes = before.script(&after)?;
    let mut out = Out::new();
    // In the script too, which may be looked at long after it was made.
    for part in &changes.unreached {
        writeln!(out, "// not in the script: {part}")?;
    }
    write!(out, "{changes}")?;
    out.flush()?;
    for part in &changes.unreached {
        say(format_args!("navmap: not in the script: {part}"));
    }
    Ok(if changes.is_empty() { Exit::Clean } else { Exit::Findings })
}

/// What is printed of a pair.
struct Told {
    text: Vec<u8>,
    complaints: Vec<Error>,
    exit: Exit,
    /// Kept for a picture.
    compared: Option<Compared>,
}

fn told(pair: &Pair, typed: &Diff, options: &OpenOptions, painter: Painter) -> Result<Told, Failure> {
    let mut told = Told { text: Vec::new(), complaints: Vec::new(), exit: Exit::Clean, compared: None };
    let (before, after, label) = match pair {
        Pair::Both { before, after, label } => (before, after, label),
        Pair::Only { path, label, added } => {
            told.exit = Exit::Findings;
            match typed.format {
                Form::Text => text::only(&mut told.text, label, *added)?,
                Form::Jsonl => json::only(&mut told.text, path, label, *added)?,
            }
            return Ok(told);
        }
    };
    let asked = CompareOptions {
        neutral: typed.neutral,
        space: typed.space.as_deref(),
        lists: typed.all,
        exact: typed.exact,
    };
    match Compared::open(before, after, &asked, options) {
        Ok(mut compared) => {
            told.exit = if compared.is_same() { Exit::Clean } else { Exit::Findings };
            match typed.format {
                Form::Text if typed.stat => text::stat(&mut told.text, label, &compared)?,
                Form::Text => text::write(&mut told.text, label, &compared, typed.all, painter)?,
                Form::Jsonl => json::write(&mut told.text, label, &compared)?,
            }
            told.complaints = std::mem::take(&mut compared.damage);
            if !told.complaints.is_empty() {
                told.exit = told.exit.max(Exit::Findings);
            }
            told.compared = typed.draw.is_some().then_some(compared);
        }
        // A page of differences is read where standard error is not.
        Err(error) if typed.git && typed.format == Form::Text => {
            let why = error.without_file().to_string();
            text::unlike(&mut told.text, label, &why)?;
        }
        Err(error) => {
            told.exit = if is_bad_file(&error) { Exit::Findings } else { Exit::Failed };
            told.complaints.push(error);
        }
    }
    Ok(told)
}

/// A node as its file calls it: `#12`.
fn id(graph: &FlatGraph, node: u32) -> String {
    graph
        .nodes()
        .get(node as usize)
        .map_or_else(|| "#?".to_owned(), |node| graph.ids().name(node.id).to_string())
}

/// The names of flags, by bit.
fn flag_names(graph: &FlatGraph, flags: u64) -> Vec<String> {
    let bits = (0..64).filter(|bit| flags >> bit & 1 == 1);
    bits.map(|bit| graph.flag(bit).map_or_else(|| format!("bit {bit}"), str::to_owned)).collect()
}
