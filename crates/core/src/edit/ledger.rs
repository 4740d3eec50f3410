//! What a session does, whatever its family: it runs statements, groups and keeps what they did, and takes it back.

use super::command::{Command, Verb};
use super::erased::{AnyChange, AnyEditor};
use super::key::AnyKey;
use super::outcome::{Asked, Outcome, Request, Role, SessionOptions};
use super::refusal::{Refusal, Spot};
use super::script::{Script, Statement, Word};
use super::selection::{Chosen, Delta};
use super::setting::Setting;
use super::work;
use crate::text::nearest;
use std::collections::HashMap;
use std::mem::take;
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

/// What a session knows besides its editor.
#[derive(Debug)]
pub(super) struct Ledger {
    pub(super) chosen: Chosen,
    pub(super) setting: Setting,
    /// With the row of the family. Those of all families have none.
    verbs: HashMap<&'static str, (&'static Verb, Option<usize>)>,
    pub(super) done: Vec<Step>,
    pub(super) undone: Vec<Step>,
    /// The weight of both.
    pub(super) kept: u64,
    /// What it may come to, once that was asked for.
    pub(super) most_kept: Option<u64>,
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
pub(super) struct Step {
    pub(super) parts: Vec<Part>,
    pub(super) grouped: bool,
}

/// One command that was done.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) text: Box<str>,
    pub(super) given: Vec<(String, String)>,
    pub(super) made: Vec<String>,
    /// Whether it came to its end before it had overwritten more than may be kept.
    pub(super) is_whole: bool,
    pub(super) change: Option<Box<dyn AnyChange>>,
    pub(super) selection: Vec<Delta>,
    pub(super) weight: u64,
}

/// The verbs of an editor, the common ones first.
pub(super) fn verbs(editor: &dyn AnyEditor) -> impl Iterator<Item = &'static Verb> {
    COMMON.iter().chain((0..).map_while(|row| editor.verb(row)))
}

impl Ledger {
    pub(super) fn new(editor: &dyn AnyEditor, options: SessionOptions) -> Self {
        let common = COMMON.iter().map(|verb| (verb, None));
        let own = (0..).map_while(|row| Some((editor.verb(row)?, Some(row))));
        Self {
            chosen: Chosen::default(),
            setting: Setting { options, ..Setting::default() },
            verbs: common.chain(own).map(|row| (row.0.name, row)).collect(),
            done: Vec::new(),
            undone: Vec::new(),
            kept: 0,
            most_kept: None,
            group: None,
            strangers: 0,
            looked_at: 0,
        }
    }

    /// Runs a script, and calls `each` with the result of every statement; it may stop the run.
    pub(super) fn script(
        &mut self,
        editor: &mut dyn AnyEditor,
        text: &str,
        each: &mut dyn FnMut(Result<Outcome, Refusal>) -> ControlFlow<()>,
    ) {
        self.begin_script(editor);
        for statement in Script::new(text) {
            let fared = statement.and_then(|statement| self.statement(editor, &statement));
            if each(fared).is_break() {
                return;
            }
        }
    }

    /// Runs every statement of a line.
    ///
    /// # Errors
    /// The first refusal. The statements before it stay done.
    pub(super) fn line(&mut self, editor: &mut dyn AnyEditor, text: &str) -> Result<Vec<Outcome>, Refusal> {
        self.begin_script(editor);
        Script::new(text).map(|statement| self.statement(editor, &statement?)).collect()
    }

    /// Runs a statement, as a script of its own.
    ///
    /// # Errors
    /// If the statement is refused. Nothing has changed then.
    pub(super) fn run(
        &mut self,
        editor: &mut dyn AnyEditor,
        statement: &Statement<'_>,
    ) -> Result<Outcome, Refusal> {
        self.begin_script(editor);
        self.statement(editor, statement)
    }

    fn statement(
        &mut self,
        editor: &mut dyn AnyEditor,
        statement: &Statement<'_>,
    ) -> Result<Outcome, Refusal> {
        let Some((first, rest)) = statement.words.split_first() else { return Ok(Outcome::default()) };
        let found =
            self.verbs.get(first.text).or_else(|| self.verbs.get(first.text.to_ascii_lowercase().as_str()));
        let found = found.or_else(|| {
            let (_, verb) = ALSO.iter().find(|(also, _)| first.text.eq_ignore_ascii_case(also))?;
            self.verbs.get(verb)
        });
        let Some((verb, row)) = found.copied() else {
            let refusal = Refusal::unknown("command", first.text).at(first.at);
            self.strangers = self.strangers.saturating_add(1);
            if self.strangers > MOST_HINTS {
                return Err(refusal);
            }
            let near = nearest(first.text, verbs(editor).map(|verb| verb.name));
            let near = if near.is_empty() { self.akin(editor, first.text) } else { near };
            if near.is_empty() {
                let name = format_args!("{}; help lists those that there are", first.text);
                return Err(Refusal::unknown("command", name).at(first.at));
            }
            return Err(refusal.or(near));
        };
        let mut command = Command::new(verb.name, first.at, rest);
        self.setting.begin(&statement.remarks);
        let fared = self.spend(editor).and_then(|()| {
            self.setting.work.begin();
            match self.common(editor, &mut command) {
                Some(fared) => fared,
                None => self.apply(editor, row, &mut command, statement.text),
            }
        });
        self.setting.work.end();
        fared.map_err(|refusal| refusal.in_command(verb.name).at(first.at))
    }

    /// Applies a command of the family. If it is refused, undoes what it has begun.
    fn apply(
        &mut self,
        editor: &mut dyn AnyEditor,
        row: Option<usize>,
        command: &mut Command<'_>,
        text: &str,
    ) -> Result<Outcome, Refusal> {
        let (kept, mut part) = self.weighed(editor, row, command, text);
        match kept {
            Ok(weight) => part.weight = weight,
            Err(refusal) => {
                self.swap(editor, &mut part, false);
                return Err(refusal);
            }
        }
        let changed = part.change.is_some() || !part.selection.is_empty();
        if changed {
            part.made = take(&mut self.setting.made).into_iter().map(|key| editor.name(key)).collect();
            self.setting.remarks.made(&part.made);
            self.forget_undone();
            match self.group {
                _ if self.setting.options.forget => {}
                Some((_, start)) if self.done.len() > start => {
                    if let Some(step) = self.done.last_mut() {
                        step.parts.push(part);
                    }
                }
                _ => self.done.push(Step { parts: vec![part], grouped: self.group.is_some() }),
            }
        }
        Ok(Outcome { said: take(&mut self.setting.said), changed, request: self.setting.request.take() })
    }

    /// Runs a command of the family, which ends early if it overwrites more than may be kept, or looks at more than it may. Tells how it
    /// fared, and what it did.
    pub(super) fn ran(
        &mut self,
        editor: &mut dyn AnyEditor,
        row: Option<usize>,
        command: &mut Command<'_>,
        text: &str,
    ) -> (Result<(), Refusal>, Part) {
        editor.allow(self.room(text));
        if editor.looked_at().is_some() {
            editor.bound(self.setting.work.left(editor));
        }
        let fared = match row {
            // What a verb has not taken is refused even if the verb does not look for it.
            Some(row) => editor
                .apply(row, command, &mut self.chosen, &mut self.setting)
                .and_then(|()| command.finish()),
            None => self.select(editor, command),
        };
        // What a command has looked at may be why it was refused.
        let fared = fared.or_else(|refusal| self.spend(editor).and(Err(refusal)));
        let part = Part {
            text: text.into(),
            given: take(&mut self.setting.given),
            made: Vec::new(),
            is_whole: !editor.is_full(),
            change: editor.take_change(),
            selection: self.chosen.take_changes(),
            weight: 0,
        };
        (fared, part)
    }

    fn select(&mut self, editor: &dyn AnyEditor, command: &mut Command<'_>) -> Result<(), Refusal> {
        let word = command.need("a selector")?;
        command.finish()?;
        let items = self.setting.select(editor, &self.chosen, &word)?;
        self.setting.said.push(format!("{} selected", items.len()));
        self.chosen.set(items);
        Ok(())
    }

    /// Runs a verb that concerns the session itself; `None` for other verbs.
    fn common(
        &mut self,
        editor: &mut dyn AnyEditor,
        command: &mut Command<'_>,
    ) -> Option<Result<Outcome, Refusal>> {
        let done = match command.verb() {
            "undo" => self.walk(editor, command, false),
            "redo" => self.walk(editor, command, true),
            "begin" => command.finish().map(|()| self.begin()),
            "end" => command.finish().and_then(|()| self.end()),
            "status" => command.finish().and_then(|()| self.status(editor)),
            "show" => self.show(editor, command),
            "help" => self.help(editor, command),
            _ => return None,
        };
        Some(done)
    }

    fn walk(
        &mut self,
        editor: &mut dyn AnyEditor,
        command: &mut Command<'_>,
        forward: bool,
    ) -> Result<Outcome, Refusal> {
        let steps = match command.take() {
            None => 1,
            Some(word) if word.text.eq_ignore_ascii_case("all") => usize::MAX,
            Some(word) => word.text.parse().ok().filter(|steps| *steps > 0).ok_or_else(|| {
                Refusal::new(format!("{} where a number of steps or all was expected", word.text)).at(word.at)
            })?,
        };
        command.finish()?;
        let walked = if forward { &self.undone } else { &self.done };
        let parts = walked.iter().rev().take(steps).flat_map(|step| &step.parts);
        let weight = parts.map(|part| part.weight).fold(0, u64::saturating_add);
        self.setting.work.spend(weight, editor)?;
        let (walked, what) = match forward {
            true => (self.redo(editor, steps), "done again"),
            false => (self.undo(editor, steps), "taken back"),
        };
        if walked == 0 && steps != usize::MAX {
            return Err(Refusal::new(format!("there is nothing that could be {what}")));
        }
        let said = vec![format!("{walked} {} {what}", if walked == 1 { "step" } else { "steps" })];
        Ok(Outcome { said, changed: walked > 0, request: None })
    }

    /// Undoes up to `steps` steps and returns the number undone. Closes an open group.
    pub(super) fn undo(&mut self, editor: &mut dyn AnyEditor, steps: usize) -> usize {
        self.group = None;
        let steps = steps.min(self.done.len());
        for _ in 0..steps {
            let Some(mut step) = self.done.pop() else { break };
            step.parts.iter_mut().rev().for_each(|part| self.swap(editor, part, false));
            self.undone.push(step);
        }
        steps
    }

    /// Redoes up to `steps` undone steps and returns the number redone.
    pub(super) fn redo(&mut self, editor: &mut dyn AnyEditor, steps: usize) -> usize {
        self.group = None;
        let steps = steps.min(self.undone.len());
        for _ in 0..steps {
            let Some(mut step) = self.undone.pop() else { break };
            step.parts.iter_mut().for_each(|part| self.swap(editor, part, true));
            self.done.push(step);
        }
        steps
    }

    pub(super) fn swap(&mut self, editor: &mut dyn AnyEditor, part: &mut Part, forward: bool) {
        if let Some(change) = &mut part.change {
            editor.swap(&mut **change);
        }
        match forward {
            true => self.chosen.redo(&mut part.selection),
            false => self.chosen.undo(&mut part.selection),
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
    fn akin(&self, editor: &dyn AnyEditor, typed: &str) -> Vec<String> {
        let lower = typed.to_ascii_lowercase();
        let Some(bare) = lower.strip_prefix("nav_") else { return Vec::new() };
        if self.verbs.contains_key(bare) {
            return vec![bare.to_owned()];
        }
        let flags = editor.suggest("flag", Role::Operand).into_iter();
        let flags = flags.filter(|flag| self.verbs.contains_key("flag") && flag.eq_ignore_ascii_case(bare));
        flags.map(|flag| format!("flag {flag}")).collect()
    }

    fn status(&mut self, editor: &dyn AnyEditor) -> Result<Outcome, Refusal> {
        let all = self.setting.work.items(editor);
        self.setting.work.spend(all.saturating_mul(work::TOLD), editor)?;
        let report = editor.report();
        let compared = report.rows.iter().map(|row| row.before.saturating_add(row.after));
        let compared = compared.fold(0, u64::saturating_add);
        self.setting.work.spend(compared.saturating_mul(work::COMPARED), editor)?;
        let mut said: Vec<String> = report.to_string().lines().map(str::to_owned).collect();
        said.push(format!(
            "{} selected, {} to undo, {} to redo",
            self.chosen.order.len(),
            self.done.len(),
            self.undone.len()
        ));
        Ok(Outcome { said, ..Outcome::default() })
    }

    fn show(&mut self, editor: &dyn AnyEditor, command: &mut Command<'_>) -> Result<Outcome, Refusal> {
        let items = match command.take() {
            Some(word) => self.setting.select(editor, &self.chosen, &word)?,
            None => self.chosen.order.clone(),
        };
        command.finish()?;
        if items.is_empty() {
            return Err(Refusal::new("nothing is selected, so there is nothing to show"));
        }
        let all = self.setting.work.items(editor);
        self.setting.work.spend(work::shown(items.len(), all), editor)?;
        let bytes = editor.encode().map_err(|error| Refusal::new(error.to_string()))?;
        self.setting.work.spend(work::WRITTEN.saturating_mul(bytes.len() as u64), editor)?;
        let names = |items: Vec<AnyKey>| items.into_iter().map(|item| editor.name(item)).collect();
        let asked = Asked { items: names(items), all: names(editor.all()), bytes };
        Ok(Outcome { request: Some(Request::Show(asked)), ..Outcome::default() })
    }

    /// The names of the items that a selector selects, each once.
    ///
    /// # Errors
    /// If the text is no selector, or names something that does not exist.
    pub(super) fn items(&mut self, editor: &dyn AnyEditor, selector: &str) -> Result<Vec<String>, Refusal> {
        let word = Word { text: selector.trim(), quoted: true, at: Spot { line: 1, column: 1 } };
        self.setting.begin(&[]);
        let items = self.setting.select(editor, &self.chosen, &word)?;
        Ok(items.into_iter().map(|item| editor.name(item)).collect())
    }

    fn help(&mut self, editor: &dyn AnyEditor, command: &mut Command<'_>) -> Result<Outcome, Refusal> {
        let outcome = self.explained(editor, command)?;
        // A script may ask for the same again and again.
        let bytes = outcome.said.iter().map(|line| line.len() as u64).sum();
        self.setting.work.spend(bytes, editor)?;
        Ok(outcome)
    }

    fn explained(&self, editor: &dyn AnyEditor, command: &mut Command<'_>) -> Result<Outcome, Refusal> {
        let asked = command.take();
        command.finish()?;
        if asked.is_some_and(|word| word.text.eq_ignore_ascii_case("selectors")) {
            let rows = NAMED.iter().chain(editor.selectors());
            let said = rows.map(|(usage, help)| format!("{usage}: {help}")).collect();
            return Ok(Outcome { said, ..Outcome::default() });
        }
        let line = |verb: &Verb| format!("{} {}: {}", verb.name, verb.usage, verb.help).replace(" : ", ": ");
        let said = match asked {
            None => verbs(editor).map(line).collect(),
            Some(word) => match self.verbs.get(word.text.to_ascii_lowercase().as_str()) {
                Some((verb, _)) => vec![line(verb)],
                None => {
                    let near = nearest(word.text, verbs(editor).map(|verb| verb.name));
                    return Err(Refusal::unknown("command", word.text).or(near).at(word.at));
                }
            },
        };
        Ok(Outcome { said, ..Outcome::default() })
    }
}
