//! Selects findings, prints them and sums them up.

use super::args::{self, Lines};
use super::out::{Painter, Tone, say};
use super::plan;
use super::values::ALL_CODES;
use navmap::Space;
use navmap::error::{At, Error};
use navmap::format::skyrim::fix::Repair;
use navmap::format::{Family, Kind, code, codes};
use navmap::graph::Ids;
use navmap::scan::More;
use navmap::text::{Grouped, counted, printable};
use navmap::{Code, Finding, Severity};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The code of a mesh that could not be read, or not to its end.
const UNREADABLE: &str = "unreadable";

/// Which findings are shown and count.
pub(super) struct Filter<'t> {
    least: Severity,
    only: &'t [String],
    ignored: &'t [String],
    hidden_too: bool,
}

impl<'t> Filter<'t> {
    pub(super) fn new(typed: &'t args::Check) -> Self {
        let least = plan::severity(typed.least);
        Self { least, only: &typed.code, ignored: &typed.ignore, hidden_too: typed.all }
    }

    /// Whether the finding was requested. Only such findings are printed and affect the exit status.
    pub(super) fn wants(&self, name: &str) -> bool {
        (self.only.is_empty() || self.only.iter().any(|only| only == name))
            && !self.ignored.iter().any(|ignored| ignored == name)
    }

    fn shows(&self, family: Option<Family>, severity: Severity, name: &str) -> bool {
        let hidden = || code(family, name).is_some_and(|code| code.hidden);
        severity >= self.least && (self.hidden_too || !self.only.is_empty() || !hidden())
    }

    /// Of findings that were only counted, those that are shown; all that were asked for are added to the summary.
    pub(super) fn count(&self, family: Option<Family>, more: &[More], summary: &mut Summary) -> Vec<More> {
        let mut shown = Vec::new();
        for more in more.iter().filter(|more| self.wants(more.code)) {
            summary.counts |= more.severity.counts();
            if self.shows(family, more.severity, more.code) {
                let (count, _) =
                    summary.shown.entry((std::cmp::Reverse(more.severity), more.code)).or_insert((0, 1));
                *count = count.saturating_add(more.count);
                summary.any = true;
                shown.push(*more);
            } else {
                *summary.hidden.entry(more.code).or_default() += more.count;
            }
        }
        shown
    }

    /// The shown findings of one mesh, and their contribution to the summary.
    pub(super) fn choose<'f>(
        &self,
        family: Option<Family>,
        findings: &'f [Finding],
    ) -> (Vec<&'f Finding>, Summary) {
        let mut summary = Summary::default();
        let mut chosen = Vec::new();
        for finding in findings.iter().filter(|finding| self.wants(finding.code)) {
            summary.counts |= finding.severity.counts();
            if self.shows(family, finding.severity, finding.code) {
                let key = (std::cmp::Reverse(finding.severity), finding.code);
                let (count, meshes) = summary.shown.entry(key).or_default();
                (*count, *meshes) = (*count + 1, 1);
                chosen.push(finding);
            } else {
                *summary.hidden.entry(finding.code).or_default() += 1;
            }
        }
        summary.any = !chosen.is_empty();
        (chosen, summary)
    }
}

/// The summary of findings: of one mesh, or of a run.
#[derive(Default)]
pub(super) struct Summary {
    /// For each code, the number of findings and of meshes with any. The most severe come first, then by code.
    shown: BTreeMap<(std::cmp::Reverse<Severity>, &'static str), (u64, u64)>,
    hidden: BTreeMap<&'static str, u64>,
    /// Whether a requested finding counts against its file.
    pub(super) counts: bool,
    /// Whether any is shown.
    pub(super) any: bool,
}

impl Summary {
    /// Adds those of another mesh.
    pub(super) fn add(&mut self, other: &Self) {
        self.join(other, |here, there| here + there);
    }

    /// Adds more of the same mesh.
    pub(super) fn more(&mut self, other: &Self) {
        self.join(other, u64::max);
    }

    fn join(&mut self, other: &Self, meshes: fn(u64, u64) -> u64) {
        for (key, (count, of)) in &other.shown {
            let sum = self.shown.entry(*key).or_default();
            *sum = (sum.0 + count, meshes(sum.1, *of));
        }
        for (code, count) in &other.hidden {
            *self.hidden.entry(code).or_default() += count;
        }
        self.counts |= other.counts;
        self.any |= other.any;
    }

    /// How many findings of which weight are shown, meshes that could not be read among the errors.
    pub(super) fn words(&self, unread: u64) -> String {
        let mut sums = [0, 0, unread];
        for ((severity, _), (count, _)) in &self.shown {
            let [remarks, warnings, errors] = &mut sums;
            let sum = match severity.0 {
                Severity::Error => errors,
                Severity::Warning => warnings,
                _ => remarks,
            };
            *sum = sum.saturating_add(*count);
        }
        let [remarks, warnings, errors] = sums;
        let remarks = match remarks {
            0 => String::new(),
            count => format!("; {}", counted(count, "remark", "remarks")),
        };
        let (warnings, errors) =
            (counted(warnings, "warning", "warnings"), counted(errors, "error", "errors"));
        format!("{warnings}, {errors}{remarks}")
    }

    /// Prints a line for each code.
    pub(super) fn say(&self) {
        for ((severity, code), (count, meshes)) in &self.shown {
            let (count, meshes) = (Grouped(*count), counted(*meshes, "mesh", "meshes"));
            say(format_args!("{count:>9}  {:<9}  {code} in {meshes}", severity.0));
        }
        if !self.shown.is_empty() {
            say(format_args!("`navmap check --explain CODE` says what a finding means and what to do"));
        }
        if !self.hidden.is_empty() {
            let hidden = self.hidden.iter().map(|(code, count)| format!("{code} {}", Grouped(*count)));
            let hidden: Vec<_> = hidden.collect();
            say(format_args!("not shown: {} (--all, --least)", hidden.join(", ")));
        }
    }
}

/// Prints the meaning of a code, in every family that has it.
pub(super) fn explain(name: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut first = true;
    for (family, code) in codes().filter(|(_, code)| name == ALL_CODES || code.code == name) {
        if !std::mem::take(&mut first) {
            writeln!(out)?;
        }
        let Code { code, severity, hidden, meaning, remedy, .. } = code;
        let hidden = if *hidden { ", shown with --all" } else { "" };
        match family {
            Some(family) => writeln!(out, "{code} ({severity}{hidden}; {family})")?,
            None => writeln!(out, "{code} ({severity}{hidden})")?,
        }
        writeln!(out, "  {meaning}\n  {remedy}")?;
        if let Some(commands) = mending(family, code) {
            writeln!(out, "  `navmap check --fix` mends it: {commands}")?;
        }
        if let Some(repair) = Repair::mending(code).filter(|_| family == Some(Family::Skyrim)) {
            writeln!(
                out,
                "  `navmap fix` of the load order mends it where it can: --only {}",
                repair.name()
            )?;
        }
    }
    Ok(())
}

/// The commands that mend a finding, with the kinds of files that each is of unless they are all kinds of the family.
fn mending(family: Option<Family>, code: &str) -> Option<String> {
    let kinds = Kind::ALL.iter().filter(|kind| family.is_none_or(|family| kind.family() == family));
    let all = kinds.clone().count();
    let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
    for kind in kinds {
        let Some(fix) = kind.fixes().iter().find(|fix| fix.code == code) else { continue };
        match commands.iter_mut().find(|(command, _)| *command == fix.command) {
            Some((_, names)) => names.push(kind.name()),
            None => commands.push((fix.command, vec![kind.name()])),
        }
    }
    let told: Vec<String> = commands
        .into_iter()
        .map(|(command, names)| match names.len() == all {
            true => command.to_owned(),
            false => format!("{command} ({})", names.join(", ")),
        })
        .collect();
    (!told.is_empty()).then(|| told.join(", "))
}

/// The common parts of printed findings and errors.
pub(super) struct Shown<'f> {
    severity: Severity,
    code: &'static str,
    at: At,
    place: Option<[f32; 3]>,
    space: Option<&'f Space>,
    message: std::borrow::Cow<'f, str>,
}

impl<'f> From<&'f Finding> for Shown<'f> {
    fn from(finding: &'f Finding) -> Self {
        let Finding { severity, code, at, place, space, message } = finding;
        let space = space.as_deref();
        Self { severity: *severity, code, at: *at, place: *place, space, message: message.as_str().into() }
    }
}

impl From<&More> for Shown<'_> {
    fn from(more: &More) -> Self {
        let message = format!("and {} more", Grouped(more.count)).into();
        Self {
            severity: more.severity,
            code: more.code,
            at: At::default(),
            place: None,
            space: None,
            message,
        }
    }
}

impl From<&Error> for Shown<'_> {
    fn from(error: &Error) -> Self {
        let message = error.kind().to_string().into();
        Self {
            severity: Severity::Error,
            code: UNREADABLE,
            at: error.position(),
            place: None,
            space: None,
            message,
        }
    }
}

/// A finding as scripts see it. The names are a contract.
#[derive(Debug, Serialize)]
struct Line<'a> {
    path: &'a str,
    member: Option<&'a str>,
    severity: &'static str,
    code: &'static str,
    record: Option<&'static str>,
    index: Option<u64>,
    /// A number, or what people type for one inside a record.
    id: Option<serde_json::Value>,
    byte: Option<u64>,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    space: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<[f32; 3]>,
}

/// The mesh that a finding is about: a file, or a member of one.
#[derive(Clone, Copy)]
pub(super) struct Mesh<'m> {
    pub(super) path: &'m str,
    pub(super) member: Option<&'m str>,
    pub(super) family: Option<Family>,
}

/// How findings are printed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    pub(super) lines: Lines,
    pub(super) painter: Painter,
}

/// Prints one line.
pub(super) fn print(out: &mut dyn Write, form: Form, mesh: Mesh<'_>, shown: &Shown<'_>) -> io::Result<()> {
    let Mesh { path, member, family } = mesh;
    match form.lines {
        Lines::Jsonl => {
            let line = Line {
                path,
                member,
                severity: shown.severity.name(),
                code: shown.code,
                record: shown.at.record.map(|(record, _)| record),
                index: shown.at.record.map(|(_, index)| index),
                id: shown.at.typed().map(|id| match shown.at.ids {
                    Ids::Numbers => id.into(),
                    ids => ids.name(id).to_string().into(),
                }),
                byte: shown.at.offset,
                message: &shown.message,
                space: shown.space.map(Space::to_string),
                at: shown.place,
            };
            serde_json::to_writer(&mut *out, &line)?;
        }
        Lines::Text => {
            write!(out, "{}", printable(path.as_bytes()))?;
            if let Some(member) = member {
                write!(out, "!{}", printable(member.as_bytes()))?;
            }
            let finding = Finding {
                severity: shown.severity,
                code: shown.code,
                at: shown.at,
                place: shown.place,
                space: None,
                message: printable(shown.message.as_bytes()),
            };
            let finding = finding.to_string();
            let severity = shown.severity.name();
            let tone = match shown.severity {
                Severity::Error => Tone::Error,
                Severity::Warning => Tone::Warning,
                _ => Tone::Plain,
            };
            let rest = finding.strip_prefix(severity).unwrap_or_default();
            write!(out, ": {}{rest}", form.painter.paint(tone, severity))?;
            // Messages about records of plugins name the cell, which tells more.
            let named = |space: &Space| {
                shown.message.contains(" in [CELL:") || shown.message.contains(&*space.to_string())
            };
            if let Some(space) = shown.space.filter(|space| !named(space)) {
                write!(out, " in {space}")?;
            }
            if let Some([x, y, z]) = shown.place {
                // For Valve's games the position is printed as a console command.
                let at = if family == Some(Family::Source) { "setpos" } else { "at" };
                write!(out, " {at} {x} {y} {z}")?;
            }
        }
    }
    writeln!(out)
}
