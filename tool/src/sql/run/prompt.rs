//! The prompt: statements that end in a semicolon, and commands that begin with a dot.

use super::answer::{Ended, NO_TERMINAL, answer, told};
use super::gather::Output;
use super::print::Style;
use crate::args::Answer;
use crate::history::history;
use crate::keys::cancels;
use crate::out::{Out, PADDED, complain, is_stdout, say};
use crate::{Exit, Failure, common, signals, tables};
use clap::ValueEnum;
use navmap::error::Error;
use navmap::table::TABLES;
use navmap::table::sql::{Database, function_names};
use navmap::text::path_text;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Instant;

/// The command that names where answers go.
const OUTPUT: &str = ".output";

const HELP: &str = "\
statements end in a semicolon and may have many lines; Tab completes names
.tables           the tables and functions
.schema [TABLE]   columns and what they mean
.import FILE [T]  makes a table of CSV, named T or after the file, to join with those of meshes
.mode FORMAT      table, csv, json, jsonl, and with .output parquet and arrow
.output [FILE]    rows go to a file, which is there at the next .output or at the end; or to the screen again. Without .mode
                  its ending names the format. A file that was there before is replaced with --force alone
.timer on|off     how long each statement took
.explain SQL      how a statement would be answered
.help             this
.exit             the end; so do Ctrl-D and quit
Ctrl-C interrupts a statement that runs, and clears a line that is typed
";

/// What a prompt, or a text of statements and commands, runs on.
pub(super) struct Prompt<'d> {
    database: &'d Database,
    /// Ends a statement.
    stop: Arc<AtomicBool>,
    style: Style,
    /// Whether the format was asked for. Otherwise the ending of the file names it.
    is_asked: bool,
    output: Output,
    /// Whether an output may replace a file that is there, and the files that this run has written, which it may in any case.
    force: bool,
    ours: HashSet<PathBuf>,
    /// The most bytes of a file that is imported.
    most: u64,
    timer: bool,
    /// Whether Ctrl-C ends the statement alone. It ends a text as a whole.
    lends: bool,
    exit: Exit,
    /// Whether anything was refused.
    failed: bool,
}

/// Whether `.output` names a file, and not the screen.
fn names_a_file(typed: &str) -> bool {
    let typed = typed.trim();
    !typed.is_empty() && !is_stdout(Path::new(typed))
}

/// What `.import` names: a file, in quotes or not, and a table, or an empty text for none. A file with spaces in its name is taken
/// as a whole if it is there.
fn file_and_name(typed: &str) -> (&str, &str) {
    let quote = typed.chars().next().filter(|quote| matches!(quote, '"' | '\''));
    let inside = quote.and_then(|quote| typed.get(1..)?.split_once(quote));
    match (inside, typed.rsplit_once(char::is_whitespace)) {
        (Some((file, name)), _) => (file, name.trim()),
        (None, Some((file, name))) if !Path::new(typed).is_file() => (file.trim(), name),
        (None, _) => (typed, ""),
    }
}

/// Whether a text has commands of the prompt among its statements.
pub(super) fn has_commands(sql: &str) -> bool {
    let mut open = false;
    sql.lines().map(str::trim).any(|line| {
        let command = !open && line.starts_with('.');
        open = (open || !line.is_empty()) && !line.ends_with(';');
        command
    })
}

impl<'d> Prompt<'d> {
    /// `force`: files that are there may be replaced.
    pub(super) fn new(
        database: &'d Database,
        stop: Arc<AtomicBool>,
        style: Style,
        is_asked: bool,
        force: bool,
        most: u64,
    ) -> Self {
        Self {
            database,
            stop,
            style,
            is_asked,
            output: Output::Screen,
            force,
            ours: HashSet::new(),
            most,
            timer: false,
            lends: false,
            exit: Exit::Clean,
            failed: false,
        }
    }

    /// Reads and runs statements until the user quits.
    pub(super) fn read(mut self) -> Result<Exit, Failure> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .max_history_size(1000)
            .and_then(|config| config.history_ignore_dups(true))
            .map_err(unusable)?;
        let mut lines = Editor::<Words, FileHistory>::with_config(config.build()).map_err(unusable)?;
        lines.set_helper(Some(Words));
        cancels(&mut lines);
        let history = history("sql-history");
        if let Some(history) = &history {
            // The first time there is none.
            let _ = lines.load_history(history);
        }
        say(format_args!("SQL over meshes: .tables lists the tables, .help the rest, .exit ends"));
        (self.timer, self.lends) = (true, true);
        let mut typed = String::new();
        loop {
            match lines.readline(if typed.is_empty() { "navmap> " } else { "   ...> " }) {
                Ok(line) => {
                    if typed.is_empty() && matches!(line.trim(), ".exit" | ".quit" | "exit" | "quit") {
                        break;
                    }
                    if typed.is_empty() && line.trim_start().starts_with('.') {
                        let _ = lines.add_history_entry(&line);
                        self.command(line.trim())?;
                        continue;
                    }
                    typed.push_str(&line);
                    typed.push('\n');
                    if line.trim_end().ends_with(';') {
                        let sql = std::mem::take(&mut typed);
                        let _ = lines.add_history_entry(sql.trim());
                        self.statement(&sql, false)?;
                    } else if typed.trim().is_empty() {
                        typed.clear();
                    }
                }
                Err(ReadlineError::Interrupted) => {
                    if typed.is_empty() {
                        break;
                    }
                    typed.clear();
                }
                Err(ReadlineError::Eof) => break,
                Err(error) => return Err(unusable(error)),
            }
        }
        if let Some(history) = history {
            let kept = history.parent().map(std::fs::create_dir_all);
            if kept.is_some_and(|kept| kept.is_ok()) {
                let _ = lines.save_history(&history);
            }
        }
        self.output.end()?;
        Ok(self.exit)
    }

    /// Runs statements and commands from a text, as they would run at a prompt. The first that is refused ends it.
    pub(super) fn script(mut self, text: &str) -> Result<Exit, Failure> {
        if text.lines().filter_map(|line| line.trim_start().strip_prefix(OUTPUT)).any(names_a_file) {
            common::write_files();
        }
        let mut typed = String::new();
        for line in text.lines() {
            if typed.trim().is_empty() && line.trim_start().starts_with('.') {
                if matches!(line.trim(), ".exit" | ".quit") {
                    break;
                }
                self.command(line.trim())?;
            } else {
                typed.push_str(line);
                typed.push('\n');
                if line.trim_end().ends_with(';') {
                    self.statement(&std::mem::take(&mut typed), false)?;
                }
            }
            if let Some(early) = self.ended() {
                return Ok(early);
            }
        }
        if !typed.trim().is_empty() {
            self.statement(&typed, false)?;
        }
        if let Some(early) = self.ended() {
            return Ok(early);
        }
        self.output.end()?;
        Ok(self.exit)
    }

    /// Says why something was not done.
    fn refuse(&mut self, why: std::fmt::Arguments<'_>) {
        self.failed = true;
        complain(why);
    }

    /// How a text ends early, if it does: by a signal, or because something was refused. Half of its answers are none.
    fn ended(&self) -> Option<Exit> {
        if signals::status().is_some() {
            return Some(Exit::Stopped);
        }
        if !self.failed {
            return None;
        }
        if let Some(path) = self.output.unwritten() {
            complain(format_args!(
                "navmap: {}: nothing is written, since a statement failed",
                path_text(path)
            ));
        }
        Some(Exit::Failed)
    }

    /// Sends the next answers somewhere else. The file of those before is then there.
    fn switch(&mut self, typed: &str) -> Result<(), Error> {
        self.ours.extend(self.output.end()?);
        let force = self.force || self.ours.contains(Path::new(typed));
        self.output = Output::named(typed, force)?;
        Ok(())
    }

    /// How the next answer is written.
    fn styled(&self) -> Result<Style, Error> {
        match &self.output {
            Output::File(file) if !self.is_asked => match Answer::by_ending(&file.path) {
                Some(format) => Style::for_format(format).map(|_| self.style.with(format)),
                None => Ok(self.style),
            },
            _ => Ok(self.style),
        }
    }

    /// Makes a table of a file.
    fn import(&mut self, typed: &str) {
        let (file, name) = file_and_name(typed);
        let path = PathBuf::from(file);
        let name = match name {
            "" => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            name => name.to_owned(),
        };
        if file.is_empty() {
            return self.refuse(format_args!("navmap: .import FILE [TABLE]"));
        }
        let text = match crate::beside::text_of(&path, self.most) {
            Ok(text) => text,
            Err(error) => return self.refuse(format_args!("navmap: {error}")),
        };
        match self.database.import(&name, &text) {
            Ok(rows) if self.timer => {
                say(format_args!("{name}: {}", navmap::text::counted(rows, "row", "rows")));
            }
            Ok(_) => {}
            Err(wrong) => {
                let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                let hint = if is_word { "" } else { "; .import FILE TABLE names the table" };
                self.refuse(format_args!("navmap: {}: {wrong}{hint}", path_text(&path)));
            }
        }
    }

    /// Says what an imported table holds; whether there is one of this name.
    fn imported(&self, name: &str) -> Result<bool, Failure> {
        let imported = self.database.imported();
        let Some((name, columns)) = imported.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))
        else {
            return Ok(false);
        };
        let wide = columns.iter().map(|(column, _)| column.len()).max().unwrap_or(0).min(PADDED);
        let mut text = format!("{name}: rows of an imported file.\n");
        for (column, number) in columns {
            let kind = if *number { "number?" } else { "text?" };
            text.push_str(&format!("  {column:<wide$}  {kind}\n"));
        }
        crate::print(text.as_bytes())?;
        Ok(true)
    }

    fn statement(&mut self, sql: &str, explain: bool) -> Result<(), Failure> {
        let style = match self.styled() {
            Ok(style) => style,
            Err(error) => {
                self.refuse(format_args!("navmap: {error}"));
                return Ok(());
            }
        };
        if style.is_binary() && matches!(self.output, Output::Screen) && !explain {
            self.refuse(format_args!("navmap: .mode {NO_TERMINAL} by .output"));
            return Ok(());
        }
        let begun = Instant::now();
        let mut rows = 0;
        signals::stop_by(&self.stop);
        // At a prompt Ctrl-C stops the statement, and the next one starts afresh.
        signals::LENT.store(self.lends, SeqCst);
        let database = self.database;
        let ended = match &mut self.output {
            Output::File(file) => {
                file.add(style, |out| answer(database, sql, explain, style, out, &mut rows))
            }
            Output::Screen | Output::Stdout => {
                let mut out = Out::new().json(style.is_json());
                let ended = answer(database, sql, explain, style.fitting(&out), &mut out, &mut rows);
                out.flush()?;
                ended
            }
        };
        signals::LENT.store(false, SeqCst);
        let was_stopped = self.stop.swap(false, SeqCst);
        let is_timed = self.timer && (was_stopped || ended.is_ok());
        match ended {
            Ok(()) => {}
            Err(Ended::Wrong(_)) if was_stopped => self.refuse(format_args!("navmap: interrupted")),
            Err(Ended::Wrong(wrong)) => {
                self.failed = true;
                wrong.to_string().lines().for_each(|line| complain(format_args!("{line}")))
            }
            Err(Ended::Io(error)) => {
                let Output::File(file) = &self.output else { return Err(error.into()) };
                let error = Error::from(error).in_file(&file.path);
                self.refuse(format_args!("navmap: {error}"));
            }
        }
        self.exit = self.exit.max(told(self.database));
        if is_timed {
            let rows = navmap::text::counted(rows, "row", "rows");
            say(format_args!("{rows} in {:.2} s", begun.elapsed().as_secs_f64()));
        }
        Ok(())
    }

    fn command(&mut self, line: &str) -> Result<(), Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            ".tables" => {
                let imported = self.database.imported();
                let mut text = crate::sql::listing::listed();
                if !imported.is_empty() {
                    text.push_str("\nimported:\n");
                    text.extend(imported.iter().map(|(name, _)| format!("  {name}\n")));
                }
                crate::print(text.as_bytes()).map(drop)?;
            }
            ".help" => crate::print(HELP.as_bytes()).map(drop)?,
            ".schema" if self.imported(rest)? => {}
            ".schema" => match tables::schema(Some(rest).filter(|rest| !rest.is_empty())) {
                Err(Failure::Nav(error)) => self.refuse(format_args!("navmap: {error}")),
                done => done.map(drop)?,
            },
            ".mode" => match Answer::from_str(rest, true) {
                Ok(format) => match Style::for_format(format) {
                    Ok(_) => (self.style, self.is_asked) = (self.style.with(format), true),
                    Err(error) => self.refuse(format_args!("navmap: {error}")),
                },
                Err(_) => self.refuse(format_args!("navmap: .mode table, csv, json or jsonl")),
            },
            ".import" => self.import(rest),
            OUTPUT => {
                if let Err(error) = self.switch(rest) {
                    self.refuse(format_args!("navmap: {error}"));
                }
            }
            ".timer" => self.timer = rest != "off",
            ".explain" => self.statement(rest, true)?,
            other => {
                let known = [
                    ".tables", ".schema", ".import", ".mode", OUTPUT, ".timer", ".explain", ".help", ".exit",
                ];
                let near = navmap::text::nearest(other, known);
                let near = near.first().map_or(String::new(), |near| format!("; did you mean {near}?"));
                self.refuse(format_args!("navmap: {other} is no command{near}"));
            }
        }
        Ok(())
    }
}

fn unusable(error: ReadlineError) -> Failure {
    match error {
        ReadlineError::Io(error) => error.into(),
        other => io::Error::other(other.to_string()).into(),
    }
}

/// Completes the names of tables, columns and functions, and words of SQL.
struct Words;

const SQL: [&str; 24] = [
    "SELECT",
    "FROM",
    "WHERE",
    "GROUP BY",
    "ORDER BY",
    "HAVING",
    "LIMIT",
    "JOIN",
    "LEFT JOIN",
    "USING",
    "DISTINCT",
    "COUNT",
    "SUM",
    "AVG",
    "MIN",
    "MAX",
    "BETWEEN",
    "LIKE",
    "GLOB",
    "IS NULL",
    "DESC",
    "WITH",
    "OVER",
    "UNION ALL",
];

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let line = line.get(..at).unwrap_or(line);
        let start =
            line.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at.saturating_add(1));
        let word = line.get(start..).unwrap_or_default();
        if word.is_empty() {
            return Ok((start, Vec::new()));
        }
        let tables = TABLES.iter().flat_map(|table| [Some(table.name), table.short_name()]).flatten();
        let columns = TABLES.iter().flat_map(|table| table.all_columns().map(|column| column.name));
        let begins = |name: &&str| {
            name.len() >= word.len()
                && name.as_bytes().iter().zip(word.as_bytes()).all(|(a, b)| a.eq_ignore_ascii_case(b))
        };
        let mut words: Vec<String> = tables
            .chain(columns)
            .chain(function_names())
            .chain(SQL)
            .filter(begins)
            .map(str::to_owned)
            .collect();
        words.sort();
        words.dedup();
        Ok((start, words))
    }
}

impl Hinter for Words {
    type Hint = String;
}
impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}
