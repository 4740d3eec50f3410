//! A session that edits a mesh. It takes commands, gives outcomes and refusals, and can undo everything.

use super::command::{Command, Verb};
use super::editor::{Apply, Asked, Editor, Outcome, Request, Role, SessionOptions};
use super::refusal::{Refusal, Spot};
use super::scope::Scope;
use super::script::{Script, Statement, Word};
use super::selection::Delta;
use crate::text::nearest;
use std::collections::HashMap;
use std::fmt::Debug;
use std::ops::ControlFlow;

/// The verbs that every family has.
pub const COMMON: &[Verb] = &[
    Verb { name: "undo", usage: "[STEPS | all]", help: "take back the last step, or the last STEPS" },
    Verb { name: "redo", usage: "[STEPS | all]", help: "do again what was taken back" },
    Verb { name: "begin", usage: "", help: "begin a group, which is taken back as one step" },
    Verb { name: "end", usage: "", help: "end the group" },
    Verb { name: "select", usage: "SELECTOR", help: "select exactly these" },
    Verb { name: "status", usage: "", help: "what has been changed so far" },
    Verb {
        name: "show",
        usage: "[SELECTOR]",
        help: "everything about these, or about what is selected; ? and info are the same",
    },
    Verb {
        name: "help",
        usage: "[VERB | selectors]",
        help: "the verbs, or what one of them does; how items are named",
    },
];

/// Other spellings of verbs that all families have, if the family has no verb of that name.
const ALSO: [(&str, &str); 2] = [("?", "show"), ("info", "show")];

/// How items are named in every family.
const NAMED: &[(&str, &str)] = &[
    ("#12", "the item with this id"),
    ("@x,y[,z]", "the item at a point; ~@x,y,z is the nearest"),
    ("all", "every item"),
    ("sel", "what is selected"),
    ("ids(1,2,5-9)", "these ids; of a range, those that exist"),
    ("a+b a,b", "items of both"),
    ("a-b", "items of the first that are not in the second"),
    ("a&b", "items of the first that are also in the second; binds tighter than + and -"),
    ("!a", "all other items"),
    ("(a+b)&c", "parentheses group"),
];

/// A mesh that is being edited.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::edit::{SessionOptions, Session};
/// use navmap::format::source::edit::SourceEditor;
/// use navmap::format::source::{SourceBuf, SourceNav};
///
/// let bytes = std::fs::read("corpus/source/town.nav")?;
/// let mesh = SourceBuf::read(&SourceNav::parse(&bytes)?)?;
/// let mut session = Session::new(SourceEditor::new(mesh)?, SessionOptions::default());
/// session.line("nav_mark_attribute JUMP #1; nav_delete #1")?;
/// session.undo(1);
/// assert!(session.steps() == 1 && session.line("nav_delete #999999").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Session<E: Editor> {
    pub(super) editor: E,
    pub(super) scope: Scope<E::Key>,
    /// Those of all families have no function of the family.
    verbs: HashMap<&'static str, (&'static Verb, Option<Apply<E>>)>,
    pub(super) done: Vec<Step<E>>,
    pub(super) undone: Vec<Step<E>>,
    /// The weight of both.
    pub(super) kept: u64,
    /// The number of open groups, and the length of `done` when the outermost began.
    pub(super) group: Option<(u32, usize)>,
    /// How many words were no commands.
    pub(super) strangers: u32,
    /// What the editor had looked at before the last command.
    pub(super) looked_at: u64,
}

/// The number of words that are no commands for which the nearest ones are looked for. A file of many more is no script.
const MOST_HINTS: u32 = 100;

/// The unit of undo: a command, or the commands of a group.
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
    pub(super) weight: u64,
}

impl<E: Editor> Session<E> {
    /// Starts a session on an opened mesh.
    pub fn new(editor: E, options: SessionOptions) -> Self {
        let common = COMMON.iter().map(|verb| (verb, None));
        let own = E::VERBS.iter().map(|(verb, apply)| (verb, Some(*apply)));
        let verbs = common.chain(own).map(|row| (row.0.name, row)).collect();
        let scope = Scope::new(options);
        let (done, undone) = (Vec::new(), Vec::new());
        Self { editor, scope, verbs, done, undone, kept: 0, group: None, strangers: 0, looked_at: 0 }
    }

    /// The mesh.
    pub fn editor(&self) -> &E {
        &self.editor
    }

    /// The mesh, for settings that are not commands, such as how to write it. Changes made here cannot be undone.
    pub fn editor_mut(&mut self) -> &mut E {
        &mut self.editor
    }

    /// The selected set, and the session's options.
    pub fn scope(&self) -> &Scope<E::Key> {
        &self.scope
    }

    /// Sets the access to files. Without it, commands that read a file are refused.
    pub fn read_through(&mut self, files: Box<dyn super::files::Files>) {
        self.scope.read_through(files);
    }

    /// All verbs, the common ones first.
    pub fn verbs(&self) -> impl Iterator<Item = &'static Verb> {
        COMMON.iter().chain(E::VERBS.iter().map(|(verb, _)| verb))
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
        self.begin_script();
        Script::new(text).map(|statement| self.statement(&statement?)).collect()
    }

    /// Runs a script, and calls `each` with the result of every statement; it may stop the run.
    pub fn script(&mut self, text: &str, mut each: impl FnMut(Result<Outcome, Refusal>) -> ControlFlow<()>) {
        self.begin_script();
        for statement in Script::new(text) {
            let fared = statement.and_then(|statement| self.statement(&statement));
            if each(fared).is_break() {
                return;
            }
        }
    }

    /// Runs a statement, as a script of its own.
    ///
    /// # Errors
    /// If the statement is refused. Nothing has changed then.
    pub fn run(&mut self, statement: &Statement<'_>) -> Result<Outcome, Refusal> {
        self.begin_script();
        self.statement(statement)
    }

    pub(super) fn statement(&mut self, statement: &Statement<'_>) -> Result<Outcome, Refusal> {
        let Some((first, rest)) = statement.words.split_first() else { return Ok(Outcome::default()) };
        let found =
            self.verbs.get(first.text).or_else(|| self.verbs.get(first.text.to_ascii_lowercase().as_str()));
        let found = found.or_else(|| {
            let (_, verb) = ALSO.iter().find(|(also, _)| first.text.eq_ignore_ascii_case(also))?;
            self.verbs.get(verb)
        });
        let Some((verb, apply)) = found.copied() else {
            let refusal = Refusal::new(format!("no such command: {}", first.text)).at(first.at);
            self.strangers = self.strangers.saturating_add(1);
            if self.strangers > MOST_HINTS {
                return Err(refusal);
            }
            let near = nearest(first.text, self.verbs().map(|verb| verb.name));
            return Err(refusal.or(if near.is_empty() { self.akin(first.text) } else { near }));
        };
        let mut command = Command::new(verb.name, first.at, rest);
        self.scope.begin(&statement.remarks);
        let fared = self.spend().and_then(|()| match self.common(&mut command) {
            Some(fared) => fared,
            None => self.apply(apply, &mut command, statement.text),
        });
        fared.map_err(|refusal| refusal.in_command(verb.name).at(first.at))
    }

    /// Applies a command of the family. If it is refused, undoes what it has begun.
    fn apply(
        &mut self,
        apply: Option<Apply<E>>,
        command: &mut Command<'_>,
        text: &str,
    ) -> Result<Outcome, Refusal> {
        let fared = match apply {
            // What a verb has not taken is refused even if the verb does not look for it.
            Some(apply) => self.editor.apply(apply, command, &mut self.scope).and_then(|()| command.finish()),
            None => self.select(command),
        };
        let mut part = Part {
            text: text.into(),
            given: self.scope.take_given(),
            made: Vec::new(),
            change: self.editor.take_change(),
            selection: self.scope.selection.take_changes(),
            weight: 0,
        };
        match fared.and_then(|()| self.keep(part.change.as_ref(), &part.selection)) {
            Ok(weight) => part.weight = weight,
            Err(refusal) => {
                self.swap(&mut part, false);
                return Err(refusal);
            }
        }
        let changed = part.change.is_some() || !part.selection.is_empty();
        if changed {
            part.made = self.scope.take_made().into_iter().map(|key| self.editor.name(key)).collect();
            self.scope.renamed(&part.made);
            self.forget_undone();
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

    /// Runs a verb that concerns the session itself; `None` for other verbs.
    fn common(&mut self, command: &mut Command<'_>) -> Option<Result<Outcome, Refusal>> {
        let done = match command.verb() {
            "undo" => self.walk(command, false),
            "redo" => self.walk(command, true),
            "begin" => command.finish().map(|()| self.begin()),
            "end" => command.finish().and_then(|()| self.end()),
            "status" => command.finish().and_then(|()| self.status()),
            "show" => self.show(command),
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
        let walked = if forward { &self.undone } else { &self.done };
        let parts = walked.iter().rev().take(steps).flat_map(|step| &step.parts);
        let weight = parts.map(|part| part.weight).fold(0, u64::saturating_add);
        self.scope.work.spend(weight, &self.editor)?;
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

    /// Undoes up to `steps` steps and returns the number undone. Closes an open group.
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

    /// Redoes up to `steps` undone steps and returns the number redone.
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

    /// What this family has for a command of the game's editor of Source meshes: `delete` for `nav_delete`, `flag CROUCH` for
    /// `nav_crouch`.
    fn akin(&self, typed: &str) -> Vec<String> {
        let lower = typed.to_ascii_lowercase();
        let Some(bare) = lower.strip_prefix("nav_") else { return Vec::new() };
        if self.verbs.contains_key(bare) {
            return vec![bare.to_owned()];
        }
        let flags = self.editor.suggest("flag", Role::Operand).into_iter();
        let flags = flags.filter(|flag| self.verbs.contains_key("flag") && flag.eq_ignore_ascii_case(bare));
        flags.map(|flag| format!("flag {flag}")).collect()
    }

    fn status(&mut self) -> Result<Outcome, Refusal> {
        let all = self.scope.work.items(&self.editor);
        self.scope.work.spend(all, &self.editor)?;
        let mut said: Vec<String> = self.editor.report().to_string().lines().map(str::to_owned).collect();
        said.push(format!(
            "{} selected, {} to undo, {} to redo",
            self.scope.selection.len(),
            self.done.len(),
            self.undone.len()
        ));
        Ok(Outcome { said, ..Outcome::default() })
    }

    fn show(&mut self, command: &mut Command<'_>) -> Result<Outcome, Refusal> {
        let items = match command.take() {
            Some(word) => self.scope.select(&self.editor, &word)?,
            None => self.scope.selection.items().to_vec(),
        };
        command.finish()?;
        if items.is_empty() {
            return Err(Refusal::new("nothing is selected, so there is nothing to show"));
        }
        let bytes = self.editor.encode().map_err(|error| Refusal::new(error.to_string()))?;
        let names = |items: Vec<E::Key>| items.into_iter().map(|item| self.editor.name(item)).collect();
        let asked = Asked { items: names(items), all: names(self.editor.all()), bytes };
        Ok(Outcome { request: Some(Request::Show(asked)), ..Outcome::default() })
    }

    /// The names of the items that a selector selects, each once.
    ///
    /// # Errors
    /// If the text is no selector, or names something that does not exist.
    pub fn items(&mut self, selector: &str) -> Result<Vec<String>, Refusal> {
        let word = Word { text: selector.trim(), quoted: true, at: Spot { line: 1, column: 1 } };
        self.scope.begin(&[]);
        let items = self.scope.select(&self.editor, &word)?;
        Ok(items.into_iter().map(|item| self.editor.name(item)).collect())
    }

    fn help(&self, command: &mut Command<'_>) -> Result<Outcome, Refusal> {
        let asked = command.take();
        command.finish()?;
        if asked.is_some_and(|word| word.text.eq_ignore_ascii_case("selectors")) {
            let rows = NAMED.iter().chain(E::SELECTORS);
            let said = rows.map(|(usage, help)| format!("{usage}: {help}")).collect();
            return Ok(Outcome { said, ..Outcome::default() });
        }
        let line = |verb: &Verb| format!("{} {}: {}", verb.name, verb.usage, verb.help).replace(" : ", ": ");
        let said = match asked {
            None => self.verbs().map(line).collect(),
            Some(word) => match self.verbs.get(word.text.to_ascii_lowercase().as_str()) {
                Some((verb, _)) => vec![line(verb)],
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
