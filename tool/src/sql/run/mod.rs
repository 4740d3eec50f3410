//! Runs statements, and reports what could not be read.

mod answer;
mod gather;
mod print;
mod prompt;

use crate::args::{self, Answer};
use crate::out::{Out, complain, say};
use crate::progress::Watch;
use crate::save::{save, vacant};
use crate::{Exit, Failure, plan, signals};
use answer::{Ended, NO_TERMINAL, answer, told};
use navmap::error::{Error, Result};
use navmap::scan::Task;
use navmap::table::sql::Database;
use navmap::text::counted;
use print::Style;
use prompt::Prompt;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The query and its paths.
struct Asked {
    /// `None`: at a prompt.
    sql: Option<String>,
    paths: Vec<PathBuf>,
}

pub(super) fn run(typed: &args::Sql) -> Result<Exit, Failure> {
    let asked = asked(typed)?;
    are_there(&asked.paths)?;
    let paths = args::Paths { paths: asked.paths.clone(), files_from: None };
    let run = args::Run {
        paths,
        deep: typed.deep,
        threads: typed.threads,
        unordered: false,
        quiet: typed.quiet,
        open: typed.open.clone(),
    };
    let scan = plan::scan(Task::Open, &run);
    let stop = scan.stop.clone();
    let most = plan::options(&typed.open).limits.file_bytes;
    let open = |scan, paths: Vec<PathBuf>| Database::open_within(scan, paths, typed.strict, typed.max_memory);
    signals::SOON.store(true, std::sync::atomic::Ordering::SeqCst);
    let by_ending = typed.output.as_deref().and_then(Answer::by_ending);
    let format = typed.format.or(by_ending).unwrap_or(Answer::Table);
    let style = Style::for_format(format)?;
    if let Some(output) = &typed.output {
        vacant(output, typed.force)?;
    }
    let commands = asked.sql.as_ref().is_none_or(|sql| prompt::has_commands(sql));
    if let Some(output) = typed.output.as_ref().filter(|_| commands) {
        let why = "is for statements alone: at a prompt and in a text with commands, .output names the file";
        return Err(Error::invalid("--output", why).in_file(output).into());
    }
    let Some(sql) = asked.sql else {
        let database = open(scan, asked.paths)?;
        return Prompt::new(&database, stop, style, typed.format.is_some(), typed.force, most).read();
    };
    if commands {
        let database = open(scan, asked.paths)?;
        return Prompt::new(&database, stop, style, typed.format.is_some(), typed.force, most).script(&sql);
    }
    let watch = Watch::new(&scan, &run);
    let database = open(scan, asked.paths)?;
    let begun = Instant::now();
    let mut rows = 0;
    let ended = match &typed.output {
        Some(output) => into_file(output, typed, (&database, &sql), style, &mut rows)?,
        None => shown(typed, (&database, &sql), style, &watch, &mut rows)?,
    };
    watch.end();
    let exit = told(&database);
    match ended {
        Ok(()) => {
            if !typed.quiet {
                let seconds = begun.elapsed().as_secs_f64();
                say(format_args!("{} in {seconds:.2} s", counted(rows, "row", "rows")));
            }
            Ok(exit)
        }
        Err(Ended::Wrong(_)) if signals::status().is_some() => Ok(Exit::Stopped),
        Err(Ended::Wrong(wrong)) => {
            wrong.to_string().lines().enumerate().for_each(|(at, line)| {
                let name = if at == 0 { "navmap: SQL: " } else { "" };
                complain(format_args!("{name}{line}"));
            });
            Ok(Exit::Failed)
        }
        Err(Ended::Io(error)) => Err(error.into()),
    }
}

/// Refuses paths at which nothing lies.
fn are_there(paths: &[PathBuf]) -> Result<()> {
    for path in paths {
        if !path.exists() && path.as_os_str() != "-" && !path.to_string_lossy().contains('!') {
            let is_query = path.to_string_lossy().contains(' ');
            let query = if is_query { "; a query stands before the paths" } else { "" };
            return Err(Error::invalid("path", format!("nothing lies there{query}")).in_file(path));
        }
    }
    Ok(())
}

/// Writes the answer into a file. Of an answer that failed, nothing is written.
fn into_file(
    output: &Path,
    typed: &args::Sql,
    (database, sql): (&Database, &str),
    style: Style,
    rows: &mut u64,
) -> Result<Result<(), Ended>, Failure> {
    let mut ended = Ok(());
    let saved = save(output, typed.force, |out| {
        ended = answer(database, sql, typed.explain, style, out, rows);
        ended.as_ref().copied().map_err(|_| io::Error::other("no answer"))
    });
    if ended.is_ok() {
        saved?;
    }
    Ok(ended)
}

/// Writes the answer to standard output.
fn shown(
    typed: &args::Sql,
    (database, sql): (&Database, &str),
    style: Style,
    watch: &Watch,
    rows: &mut u64,
) -> Result<Result<(), Ended>, Failure> {
    let mut out = Out::new().json(style.is_json());
    if style.is_binary() && out.is_terminal() {
        return Err(Error::invalid("--format", NO_TERMINAL).into());
    }
    let style = style.fitting(&out);
    let ended = answer(database, sql, typed.explain, style, &mut Beneath { out: &mut out, watch }, rows);
    watch.while_hidden(out.is_terminal(), || out.flush())?;
    Ok(ended)
}

/// Rows on the terminal that shows the progress as well, which is seen as long as no row comes.
struct Beneath<'o> {
    out: &'o mut Out,
    watch: &'o Watch,
}

impl Write for Beneath<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Self { out, watch } = self;
        out.write_all(bytes)?;
        if out.is_terminal() && bytes.contains(&b'\n') {
            watch.while_hidden(true, || out.flush())?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Tells the query from the paths.
fn asked(typed: &args::Sql) -> Result<Asked> {
    let text = crate::beside::text;
    if let Some(file) = &typed.file {
        return Ok(Asked { sql: Some(text(file)?), paths: needed(&typed.words)? });
    }
    match typed.words.split_first() {
        Some((dash, paths)) if dash.as_os_str() == "-" => {
            Ok(Asked { sql: Some(text(dash)?), paths: needed(paths)? })
        }
        // A query is not a path; only paths mean a prompt, or a query from a pipe.
        Some((first, _)) if first.exists() => {
            let sql = if io::stdin().is_terminal() { None } else { Some(text(Path::new("-"))?) };
            Ok(Asked { sql, paths: typed.words.clone() })
        }
        Some((query, paths)) => {
            let sql = query.to_str().ok_or_else(|| Error::invalid("query", "is no text"))?;
            Ok(Asked { sql: Some(sql.to_owned()), paths: needed(paths)? })
        }
        None => Err(Error::invalid("query", "navmap sql QUERY PATH…, or navmap sql PATH… for a prompt")),
    }
}

fn needed(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    if paths.is_empty() {
        return Err(Error::invalid("path", "the meshes to ask are named behind the query"));
    }
    Ok(paths.to_vec())
}
