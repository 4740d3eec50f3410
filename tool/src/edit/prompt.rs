//! The prompt: commands typed one line at a time, on a terminal.

use super::script::print;
use crate::beside::map_name;
use crate::history::history;
use crate::keys::cancels;
use crate::out::{complain, say};
use crate::save::save;
use crate::target::{Part, Target, Written, written};
use crate::{Exit, Failure, args, plan, show, signals};
use navmap::edit::{AnySession, Outcome, Refusal, Request, Script, Statement};
use navmap::error::Error;
use navmap::text::path_text;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Helper};
use std::cell::RefCell;
use std::io;
use std::ops::ControlFlow;
use std::rc::Rc;

/// The prompt's own commands.
const OWN: [&str; 3] = ["exit", "quit", "save"];
const SAVE: &str = "save [FILE]: write the mesh as it is now, to where it is to go or to another file";
const QUIT: &str = "quit: end; asks first if something is not saved";
/// A terminal that is gone answers every question with an end of input.
const MOST_ENDS: u32 = 3;
/// So far out in a line a refusal names the place.
const FAR: usize = 1_024;

/// The session, which completion looks at as well.
type Held = Rc<RefCell<Box<dyn AnySession>>>;

struct Prompt<'t> {
    session: Held,
    lines: rustyline::Editor<Words, FileHistory>,
    target: Target<'t>,
    typed: &'t args::Edit,
    /// The file as it was last written or opened.
    saved: Written,
    /// Whether a command has changed something since.
    touched: bool,
    /// Whether the mesh has several files, which are written together at the end.
    several: bool,
    name: String,
}

/// Reads and runs commands until the end is asked for.
pub(super) fn run(session: Box<dyn AnySession>, typed: &args::Edit, parts: &[Part]) -> Result<Exit, Failure> {
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .max_history_size(1000)
        .and_then(|config| config.history_ignore_dups(true))
        .map_err(unusable)?;
    let mut lines = rustyline::Editor::with_config(config.build()).map_err(unusable)?;
    let session = Rc::new(RefCell::new(session));
    lines.set_helper(Some(Words { session: Rc::clone(&session) }));
    cancels(&mut lines);
    let history = history("edit-history");
    if let Some(history) = &history {
        // The first time there is none.
        let _ = lines.load_history(history);
    }
    let saved = written(&**session.borrow())?;
    let mut prompt = Prompt {
        session,
        lines,
        target: super::target(typed).parts(parts),
        typed,
        saved,
        touched: false,
        several: !parts.is_empty(),
        name: navmap::text::printable(map_name(&typed.path).as_bytes()),
    };
    say(format_args!(
        "{}: help lists the commands, Tab completes, undo takes back, quit ends",
        path_text(&typed.path)
    ));
    signals::hold(true);
    let ended = prompt.repeat();
    signals::hold(false);
    if let Some(history) = history {
        let kept = history.parent().map(std::fs::create_dir_all);
        if kept.is_some_and(|kept| kept.is_ok()) {
            let _ = prompt.lines.save_history(&history);
        }
    }
    ended?;
    prompt.journal()?;
    Ok(Exit::Clean)
}

impl Prompt<'_> {
    fn repeat(&mut self) -> Result<(), Failure> {
        let mut ends = 0;
        loop {
            let star = if self.touched { "*" } else { "" };
            match self.lines.readline(&format!("{}{star}> ", self.name)) {
                Ok(line) => {
                    ends = 0;
                    if !line.trim().is_empty() {
                        // A history that is full or not writable does not matter.
                        let _ = self.lines.add_history_entry(&line);
                    }
                    if self.commands(&line)? && self.may_end(&mut ends)? {
                        return Ok(());
                    }
                }
                Err(error @ (ReadlineError::Interrupted | ReadlineError::Eof)) => {
                    ends += u32::from(matches!(error, ReadlineError::Eof));
                    if self.may_end(&mut ends)? {
                        return Ok(());
                    }
                }
                Err(error) => return Err(unusable(error)),
            }
        }
    }

    /// Runs the commands of a line, up to one that fails. Returns whether one of them asks for the end.
    fn commands(&mut self, line: &str) -> Result<bool, Failure> {
        let statements: Vec<Statement<'_>> = Script::new(line).collect::<Result<_, _>>().unwrap_or_default();
        let is_own = |word: &str| OWN.iter().any(|own| word.eq_ignore_ascii_case(own));
        let own = |statement: &Statement<'_>| {
            let mut words = statement.words.iter().map(|word| word.text);
            words.next().is_some_and(|word| {
                is_own(word) || word.eq_ignore_ascii_case("help") && words.next().is_some_and(is_own)
            })
        };
        // The name of a file needs no quotes on a line without others.
        if !line.contains(';') || !statements.iter().any(own) {
            return Ok(self.command(line)? == ControlFlow::Break(true));
        }
        for statement in statements {
            // In its place, which a refusal names; far out the place is that in the command.
            let before = statement.words.first().map_or(0, |word| word.at.column.saturating_sub(1));
            let blanks = usize::try_from(before).unwrap_or(usize::MAX);
            let blanks = " ".repeat(if blanks <= FAR { blanks } else { 0 });
            let alone = format!("{blanks}{}", statement.text);
            if let ControlFlow::Break(ends) = self.command(&alone)? {
                return Ok(ends);
            }
        }
        Ok(false)
    }

    /// Runs a line, or a command of the prompt. Breaks with whether it asks for the end, or else failed.
    fn command(&mut self, line: &str) -> Result<ControlFlow<bool>, Failure> {
        let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let done = match (word.to_ascii_lowercase().as_str(), rest.trim()) {
            ("exit" | "quit", "") => return Ok(ControlFlow::Break(true)),
            ("save", to) => self.save(to)?,
            ("help", of) if of.eq_ignore_ascii_case("save") => print(&[SAVE.to_owned()]).map(|()| true)?,
            ("help", of) if of.eq_ignore_ascii_case("quit") || of.eq_ignore_ascii_case("exit") => {
                print(&[QUIT.to_owned()]).map(|()| true)?
            }
            _ => self.line(line)?,
        };
        Ok(if done { ControlFlow::Continue(()) } else { ControlFlow::Break(false) })
    }

    /// Runs a line, and does what its commands request at once. Returns whether all went well.
    fn line(&mut self, line: &str) -> Result<bool, Failure> {
        let mut well = true;
        let mut fares: Vec<Result<Outcome, Refusal>> = Vec::new();
        self.session.borrow_mut().script(line, &mut |fared| {
            let stop = fared.is_err();
            fares.push(fared);
            if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        for fared in fares {
            match fared {
                Ok(outcome) => {
                    print(&outcome.said)?;
                    self.touched |= outcome.changed;
                    if let Some(Request::Show(asked)) = &outcome.request {
                        let options = plan::options(&self.typed.open);
                        if let Err(error) = show::answer(&self.typed.path, asked, &options) {
                            complain(format_args!("navmap: {error}"));
                            well = false;
                        }
                    } else if let Some(request) = outcome.request {
                        match self.target.grant(&request) {
                            Ok(saved) => self.saved(saved, request),
                            Err(error) => {
                                complain(format_args!("navmap: {error}"));
                                well = false;
                            }
                        }
                    }
                }
                Err(refusal) => {
                    complain(format_args!("navmap: {refusal}"));
                    well = false;
                }
            }
        }
        if line.trim().eq_ignore_ascii_case("help") {
            print(&[SAVE.to_owned(), QUIT.to_owned()])?;
        }
        Ok(well)
    }

    /// Writes the mesh to a file, or to its target. Returns whether it did.
    fn save(&mut self, to: &str) -> Result<bool, Failure> {
        if !self.session.borrow().complete("nav_save", &[]).1.is_empty() {
            // The game's own command, after which others ask what was saved.
            return self.line(&format!("nav_save {to}"));
        }
        if self.several {
            complain(format_args!("navmap: save: the mesh has several files, which quit writes together"));
            return Ok(false);
        }
        let quoted = to.strip_prefix('"').and_then(|to| to.strip_suffix('"')).filter(|to| !to.contains('"'));
        if quoted.is_none() && to.contains(';') {
            complain(format_args!(
                "navmap: save: a name with ; stands in quotes, and what follows cannot be read"
            ));
            return Ok(false);
        }
        let to = quoted.unwrap_or(to);
        let written = written(&**self.session.borrow());
        let fared = written.and_then(|written| {
            if to.is_empty() {
                return self.write(written).map(drop);
            }
            let request = Request::Save { to: Some(to.to_owned()), bytes: written.0 };
            let saved = self.target.grant(&request)?;
            self.saved(saved, request);
            Ok(())
        });
        if let Err(error) = &fared {
            complain(format_args!("navmap: {error}"));
        }
        Ok(fared.is_ok())
    }

    /// Writes the whole mesh to its target. Returns whether it did.
    fn write(&mut self, written: Written) -> Result<bool, Error> {
        let done = self.target.whole(&written)?;
        if let (true, Some(place)) = (done, self.target.path()) {
            self.target.tell(place, &written.0);
            self.saved = written;
            self.touched = false;
        }
        Ok(done)
    }

    fn saved(&mut self, saved: bool, request: Request) {
        if let Request::Save { bytes, .. } = request
            && saved
        {
            self.saved.0 = bytes;
            self.touched = false;
        }
    }

    /// The mesh, if it differs from the last written one. `Err`: it cannot be written at all.
    fn unsaved(&self) -> Option<Result<Written, Error>> {
        if !self.touched {
            return None;
        }
        match written(&**self.session.borrow()) {
            Ok(written) if written == self.saved => None,
            encoded => Some(encoded),
        }
    }

    /// Whether the prompt may end. Asks about unsaved changes.
    fn may_end(&mut self, ends: &mut u32) -> Result<bool, Failure> {
        loop {
            let Some(unsaved) = self.unsaved() else { return Ok(true) };
            let place = self.target.path();
            let question = match (&unsaved, place) {
                (Ok(_), Some(place)) => {
                    format!("save the changes to {}? [y = save, n = throw away, c = stay] ", path_text(place))
                }
                (Ok(_), None) => {
                    let how = if self.several { "edit -o FILE" } else { "save FILE" };
                    format!("the changes are not saved ({how}): throw them away? [y/N] ")
                }
                (Err(error), _) => {
                    complain(format_args!("navmap: {error}"));
                    "the changes cannot be saved: throw them away? [y/N] ".to_owned()
                }
            };
            let answer = match self.lines.readline(&question) {
                Ok(answer) => answer.trim().to_ascii_lowercase(),
                Err(ReadlineError::Eof) => {
                    *ends += 1;
                    if *ends >= MOST_ENDS {
                        complain(format_args!("navmap: nobody answers: the changes are not saved"));
                        return Ok(true);
                    }
                    return Ok(false);
                }
                Err(ReadlineError::Interrupted) => return Ok(false),
                Err(error) => return Err(unusable(error)),
            };
            *ends = 0;
            match (answer.as_str(), unsaved, place) {
                ("y" | "yes", Ok(written), Some(_)) => match self.write(written) {
                    Ok(true) => return Ok(true),
                    Ok(false) => return Ok(self.typed.dry_run),
                    Err(error) => {
                        complain(format_args!("navmap: {error}"));
                        return Ok(false);
                    }
                },
                ("n" | "no", Ok(_), Some(_)) | ("y" | "yes", _, _) => return Ok(true),
                ("c" | "", Ok(_), Some(_)) | ("n" | "no" | "", _, _) => return Ok(false),
                _ => {}
            }
        }
    }

    fn journal(&self) -> Result<(), Failure> {
        if let Some(journal) = self.typed.journal.as_ref().filter(|_| !self.typed.dry_run) {
            save(journal, self.typed.goal.force, |out| write!(out, "{}", self.session.borrow().journal()))?;
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

/// Completes words from what the session knows.
struct Words {
    session: Held,
}

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let line = line.get(..at).unwrap_or(line);
        let (start, mut words) = self.session.borrow().complete(line, &OWN);
        let apart = line.get(..start).is_some_and(|before| before.is_empty() || before.ends_with([' ', ';']));
        if let [only] = words.as_mut_slice()
            && apart
            && !only.ends_with('(')
        {
            only.push(' ');
        }
        Ok((start, words))
    }
}

impl Hinter for Words {
    type Hint = String;
}
impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}
