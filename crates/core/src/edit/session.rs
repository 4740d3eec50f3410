//! A session that edits a mesh. It takes commands, gives outcomes and refusals, and can undo everything.

use super::command::{Command, Verb};
use super::complete::Place;
use super::refusal::Refusal;
use super::report::Report;
use super::scope::Scope;
use super::script::{Script, Statement};
use super::select::Atom;
use super::selection::Delta;
use crate::error::Result as MeshResult;
use crate::text::nearest;
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

/// What a family implements over its owned mesh, so that it can be edited.
///
/// The session parses scripts, resolves operands, keeps the selected set, groups and journals what was done, and undoes
/// it. The family says which verbs it has and applies one at a time. It notes what it overwrites. After each command
/// the session takes that note, and gives it back to undo or redo the command.
pub trait Editor {
    /// Names one item for as long as it exists, even over undo and redo. So it is a slot, and not a position that
    /// shifts.
    type Key: Copy + Eq + Hash + Debug;
    /// What one command has overwritten. Its size is in proportion to what was changed, not to the mesh.
    type Change: Debug;

    /// The verbs of the family, for dispatch, completion and help, without those that all families have (`undo`,
    /// `redo`, `begin`, `end`, `select`, `status`, `help`).
    fn verbs(&self) -> &'static [Verb];

    /// Applies a command.
    ///
    /// # Errors
    /// If the command is refused. The session undoes what was changed before the refusal.
    fn apply(&mut self, command: &mut Command<'_>, scope: &mut Scope<Self::Key>) -> Result<(), Refusal>;

    /// Takes what has been overwritten since the last call; `None` if nothing was.
    fn take_change(&mut self) -> Option<Self::Change>;

    /// Exchanges what is there now with what was overwritten. Two calls change nothing.
    fn swap(&mut self, change: &mut Self::Change);

    /// Every item that the selector `all` means, in mesh order.
    fn all(&self) -> Vec<Self::Key>;

    /// The item with an id, in a space of ids: `("", "12")` for `#12`, `("L", "3")` for `L#3`.
    fn find(&self, space: &str, id: &str) -> Option<Self::Key>;

    /// The spelling that [`find`](Self::find) understands: `#12`.
    fn name(&self, key: Self::Key) -> String;

    /// The shape of an item as text, by which a journal finds it again on a mesh that no longer has its id.
    fn footprint(&self, key: Self::Key) -> Option<String>;

    /// The item with exactly this footprint.
    fn find_footprint(&self, space: &str, footprint: &str) -> Option<Self::Key>;

    /// The items that a name or a point of a selector means.
    ///
    /// # Errors
    /// If there is no such name, its arguments are wrong, or there is nothing at the point.
    fn select(&self, atom: &Atom<'_>, scope: &Scope<Self::Key>) -> Result<Vec<Self::Key>, Refusal>;

    /// What a word of a command may be, by where it stands. Used for completion; nothing need be suggested.
    fn suggest(&self, verb: &str, place: Place<'_>) -> Vec<String> {
        let _ = (verb, place);
        Vec::new()
    }

    /// The findings of a check that a command mends, in the order in which the commands should run.
    fn fixes() -> &'static [Fix]
    where
        Self: Sized,
    {
        &[]
    }

    /// The file as it would be written now.
    ///
    /// # Errors
    /// If the mesh does not fit its format.
    fn encode(&self) -> MeshResult<Vec<u8>>;

    /// Further files that are part of the mesh and no longer are as they were opened: their positions among the files that
    /// the editor was given, and the files as they would be written now. Most meshes are one file.
    ///
    /// # Errors
    /// If one of them does not fit its format.
    fn further(&self) -> MeshResult<Vec<(usize, Vec<u8>)>> {
        Ok(Vec::new())
    }

    /// What differs from the mesh that was opened.
    fn report(&self) -> Report;
}

/// A finding and what mends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The code of the finding.
    pub code: &'static str,
    /// The command.
    pub command: &'static str,
}

/// What a statement did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// What the command answered, line by line.
    pub said: Vec<String>,
    /// Whether the mesh or the state of the script has changed.
    pub changed: bool,
    /// What the caller of the session is asked to do.
    pub request: Option<Request>,
}

/// A request to the caller, for what a session cannot do itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Write the mesh as it is now.
    Save {
        /// The file. `None`: where the mesh is to go anyway.
        to: Option<String>,
        /// The whole file.
        bytes: Vec<u8>,
    },
    /// Write a part of the mesh as text, to a file that does not exist yet.
    Export {
        /// What the name of the file begins with. `None`: the name of the map.
        stem: Option<String>,
        /// The file, if one is named.
        to: Option<String>,
        /// The text.
        text: Vec<u8>,
    },
}

/// How a session behaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether to do what the game does, bugs included, instead of what is better.
    pub game_exact: bool,
    /// Whether to remember which items each command was given, so that [`Session::journal`] can be replayed on another
    /// version of the mesh. Costs a little memory for each command.
    pub journal: bool,
}

/// The verbs that every family has.
pub const COMMON: &[Verb] = &[
    Verb { name: "undo", usage: "[STEPS | all]", help: "take back the last step, or the last STEPS" },
    Verb { name: "redo", usage: "[STEPS | all]", help: "do again what was taken back" },
    Verb { name: "begin", usage: "", help: "begin a group, which is taken back as one step" },
    Verb { name: "end", usage: "", help: "end the group" },
    Verb { name: "select", usage: "SELECTOR", help: "select exactly these" },
    Verb { name: "status", usage: "", help: "what has been changed so far" },
    Verb { name: "help", usage: "[VERB]", help: "the verbs, or what one of them does" },
];

/// A mesh that is being edited.
#[derive(Debug)]
pub struct Session<E: Editor> {
    editor: E,
    scope: Scope<E::Key>,
    verbs: HashMap<&'static str, &'static Verb>,
    pub(super) done: Vec<Step<E>>,
    undone: Vec<Step<E>>,
    /// How many groups are open, and how long `done` was when the outermost began.
    group: Option<(u32, usize)>,
}

/// What one `undo` takes back: a command, or the commands of a group.
#[derive(Debug)]
pub(super) struct Step<E: Editor> {
    pub(super) parts: Vec<Part<E>>,
    pub(super) grouped: bool,
}

/// One command that was done.
#[derive(Debug)]
pub(super) struct Part<E: Editor> {
    pub(super) text: Box<str>,
    pub(super) given: Vec<(String, String)>,
    pub(super) made: Vec<String>,
    change: Option<E::Change>,
    selection: Vec<Delta<E::Key>>,
}

impl<E: Editor> Session<E> {
    /// Starts a session with a mesh as it was opened.
    pub fn new(editor: E, options: Options) -> Self {
        let verbs = COMMON.iter().chain(editor.verbs()).map(|verb| (verb.name, verb)).collect();
        let scope = Scope::new(options);
        Self { editor, scope, verbs, done: Vec::new(), undone: Vec::new(), group: None }
    }

    /// The mesh.
    pub fn editor(&self) -> &E {
        &self.editor
    }

    /// The mesh, for calls that are no commands, such as setting how it is written. Changes made here cannot be undone.
    pub fn editor_mut(&mut self) -> &mut E {
        &mut self.editor
    }

    /// The selected set, and how the session behaves.
    pub fn scope(&self) -> &Scope<E::Key> {
        &self.scope
    }

    /// Sets what files are read through. Without it, commands that read a file are refused.
    pub fn read_through(&mut self, files: Box<dyn super::files::Files>) {
        self.scope.read_through(files);
    }

    /// All verbs, those of every family first.
    pub fn verbs(&self) -> impl Iterator<Item = &'static Verb> {
        COMMON.iter().chain(self.editor.verbs())
    }

    /// Number of steps that can be undone.
    pub fn steps(&self) -> usize {
        self.done.len()
    }

    /// Number of steps that can be redone.
    pub fn undone_steps(&self) -> usize {
        self.undone.len()
    }

    /// Runs every statement of a line.
    ///
    /// # Errors
    /// The first refusal. The statements before it stay done.
    pub fn line(&mut self, text: &str) -> Result<Vec<Outcome>, Refusal> {
        Script::new(text).map(|statement| self.run(&statement?)).collect()
    }

    /// Runs a script, and calls `each` with the result of every statement; it may stop the run.
    pub fn script(&mut self, text: &str, mut each: impl FnMut(Result<Outcome, Refusal>) -> ControlFlow<()>) {
        for statement in Script::new(text) {
            let fared = statement.and_then(|statement| self.run(&statement));
            if each(fared).is_break() {
                return;
            }
        }
    }

    /// Runs a statement.
    ///
    /// # Errors
    /// If the statement is refused. Nothing has changed then.
    pub fn run(&mut self, statement: &Statement<'_>) -> Result<Outcome, Refusal> {
        let Some((first, rest)) = statement.words.split_first() else { return Ok(Outcome::default()) };
        let found =
            self.verbs.get(first.text).or_else(|| self.verbs.get(first.text.to_ascii_lowercase().as_str()));
        let Some(verb) = found.copied() else {
            let near = nearest(first.text, self.verbs().map(|verb| verb.name));
            return Err(Refusal::new(format!("no such command: {}", first.text)).or(near).at(first.at));
        };
        let mut command = Command::new(verb.name, first.at, rest);
        self.scope.begin(&statement.remarks);
        let fared = match self.common(&mut command) {
            Some(fared) => fared,
            None => self.apply(&mut command, statement.text),
        };
        fared.map_err(|refusal| refusal.of(verb.name).at(first.at))
    }

    /// Applies a command of the family. If it is refused, undoes what it has begun.
    fn apply(&mut self, command: &mut Command<'_>, text: &str) -> Result<Outcome, Refusal> {
        let fared = match command.verb() {
            "select" => self.select(command),
            _ => self.editor.apply(command, &mut self.scope),
        };
        let mut part = Part {
            text: text.into(),
            given: self.scope.take_given(),
            made: Vec::new(),
            change: self.editor.take_change(),
            selection: self.scope.selection.take_changes(),
        };
        if let Err(refusal) = fared {
            self.swap(&mut part, false);
            return Err(refusal);
        }
        let changed = part.change.is_some() || !part.selection.is_empty();
        if changed {
            part.made = self.scope.take_made().into_iter().map(|key| self.editor.name(key)).collect();
            self.scope.renamed(&part.made);
            self.undone.clear();
            match self.group {
                Some((_, start)) if self.done.len() > start => {
                    if let Some(step) = self.done.last_mut() {
                        step.parts.push(part);
                    }
                }
                _ => self.done.push(Step { parts: vec![part], grouped: self.group.is_some() }),
            }
        }
        Ok(Outcome { said: self.scope.take_said(), changed, request: self.scope.take_request() })
    }

    fn select(&mut self, command: &mut Command<'_>) -> Result<(), Refusal> {
        let word = command.need("a selector")?;
        command.finish()?;
        let items = self.scope.select(&self.editor, &word)?;
        self.scope.say(format!("{} selected", items.len()));
        self.scope.selection.set(items);
        Ok(())
    }

    /// The verbs that concern the session itself.
    fn common(&mut self, command: &mut Command<'_>) -> Option<Result<Outcome, Refusal>> {
        let done = match command.verb() {
            "undo" => self.walk(command, false),
            "redo" => self.walk(command, true),
            "begin" => command.finish().map(|()| self.begin()),
            "end" => command.finish().and_then(|()| self.end()),
            "status" => command.finish().map(|()| self.status()),
            "help" => self.help(command),
            _ => return None,
        };
        Some(done)
    }

    fn walk(&mut self, command: &mut Command<'_>, forward: bool) -> Result<Outcome, Refusal> {
        let steps = match command.take() {
            None => 1,
            Some(word) if word.text.eq_ignore_ascii_case("all") => usize::MAX,
            Some(word) => word.text.parse().map_err(|_| {
                Refusal::new(format!("{} where a number of steps or all was expected", word.text)).at(word.at)
            })?,
        };
        command.finish()?;
        let (walked, what) = match forward {
            true => (self.redo(steps), "done again"),
            false => (self.undo(steps), "taken back"),
        };
        if walked == 0 && steps != usize::MAX {
            return Err(Refusal::new(format!("there is nothing that could be {what}")));
        }
        let said = vec![format!("{walked} {} {what}", if walked == 1 { "step" } else { "steps" })];
        Ok(Outcome { said, changed: walked > 0, request: None })
    }

    /// Undoes so many steps, or as many as there are. Returns how many. An open group ends.
    pub fn undo(&mut self, steps: usize) -> usize {
        self.group = None;
        let steps = steps.min(self.done.len());
        for _ in 0..steps {
            let Some(mut step) = self.done.pop() else { break };
            step.parts.iter_mut().rev().for_each(|part| self.swap(part, false));
            self.undone.push(step);
        }
        steps
    }

    /// Redoes so many steps that were undone. Returns how many.
    pub fn redo(&mut self, steps: usize) -> usize {
        self.group = None;
        let steps = steps.min(self.undone.len());
        for _ in 0..steps {
            let Some(mut step) = self.undone.pop() else { break };
            step.parts.iter_mut().for_each(|part| self.swap(part, true));
            self.done.push(step);
        }
        steps
    }

    fn swap(&mut self, part: &mut Part<E>, forward: bool) {
        if let Some(change) = &mut part.change {
            self.editor.swap(change);
        }
        match forward {
            true => self.scope.selection.redo(&mut part.selection),
            false => self.scope.selection.undo(&mut part.selection),
        }
    }

    fn begin(&mut self) -> Outcome {
        let (depth, start) = self.group.unwrap_or((0, self.done.len()));
        self.group = Some((depth.saturating_add(1), start));
        Outcome::default()
    }

    fn end(&mut self) -> Result<Outcome, Refusal> {
        let (depth, start) = self.group.ok_or_else(|| Refusal::new("no group was begun"))?;
        self.group = (depth > 1).then(|| (depth.saturating_sub(1), start));
        Ok(Outcome::default())
    }

    fn status(&self) -> Outcome {
        let mut said: Vec<String> = self.editor.report().to_string().lines().map(str::to_owned).collect();
        said.push(format!(
            "{} selected, {} to undo, {} to redo",
            self.scope.selection.len(),
            self.done.len(),
            self.undone.len()
        ));
        Outcome { said, ..Outcome::default() }
    }

    fn help(&self, command: &mut Command<'_>) -> Result<Outcome, Refusal> {
        let asked = command.take();
        command.finish()?;
        let line = |verb: &Verb| format!("{} {}: {}", verb.name, verb.usage, verb.help).replace(" : ", ": ");
        let said = match asked {
            None => self.verbs().map(line).collect(),
            Some(word) => match self.verbs.get(word.text.to_ascii_lowercase().as_str()) {
                Some(verb) => vec![line(verb)],
                None => {
                    let near = nearest(word.text, self.verbs().map(|verb| verb.name));
                    return Err(Refusal::new(format!("no such command: {}", word.text)).or(near).at(word.at));
                }
            },
        };
        Ok(Outcome { said, ..Outcome::default() })
    }

    pub(super) fn remember(&mut self, remarks: super::journal::Remarks) {
        self.scope.remember(remarks);
    }
}
