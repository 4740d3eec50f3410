//! `navmap conflicts`: meshes that more than one plugin of a load order overrides.

use super::args::Lines;
use super::common;
use super::diff::picture;
use super::inputs;
use super::out::{Out, say};
use super::save::{make_folder, save, vacant};
use super::{Exit, Failure, args, orders, repair};
use navmap::diff::{Diff, on_one_map};
use navmap::error::{Error, Result};
use navmap::format::skyrim::fix::{Choice, Conflict, FixPlan, Outcome, Overrider};
use navmap::format::skyrim::{FormId, LoadOrder, NavMesh};
use navmap::format::{NavFormat, has_extension};
use navmap::graph::{FlatGraph, Stats};
use navmap::text::{counted, path_text, printable};
use serde::Serialize;
use std::io::Write;
use std::path::Path;

pub(super) fn run(typed: &args::Conflicts) -> Result<Exit, Failure> {
    let folder = typed.draw.as_deref().filter(|path| !has_extension(path, &["svg", "png"]));
    for output in typed.output.iter().chain(&typed.draw).filter(|path| Some(path.as_path()) != folder) {
        vacant(output, typed.force)?;
    }
    let stale = orders::Stale::if_written(typed.output.is_some());
    let (plugins, unread) = orders::open(&typed.order, stale)?;
    let order = plugins.order();
    let light = orders::is_light(&order, typed.light, typed.output.as_deref())?;
    let choices: Vec<Choice> = typed.choose.iter().map(|text| choice(&order, text)).collect::<Result<_>>()?;
    let (mut plan, conflicts) = match typed.mesh {
        Some(form) => FixPlan::conflicts_of(&order, form, &choices)?,
        None => FixPlan::conflicts(&order, &choices)?,
    };
    if typed.mesh.is_some() && conflicts.is_empty() {
        let why = "no navmesh of this FormID is overridden more than once";
        return Err(Error::invalid("--mesh", why).into());
    }
    let shown: Vec<&Conflict> = conflicts
        .iter()
        .filter(|conflict| conflict.outcome != Outcome::Alike || typed.mesh.is_some())
        .collect();
    let alike = conflicts.iter().filter(|conflict| conflict.outcome == Outcome::Alike).count() as u64;
    let mut text = String::new();
    for conflict in &shown {
        match typed.format {
            Lines::Text => text.push_str(&told(conflict)),
            Lines::Jsonl => {
                let row = serde_json::to_string(&Row::new(conflict)).map_err(std::io::Error::from)?;
                text.push_str(&row);
                text.push('\n');
            }
        }
    }
    text.push_str(&repair::lines(plan.deeds(), typed.format)?);
    let mut out = Out::new().json(typed.format == Lines::Jsonl);
    out.write_all(text.as_bytes())?;
    out.flush()?;
    plugins.intact()?;
    let open = shown.iter().filter(|c| matches!(c.outcome, Outcome::Clashes(_) | Outcome::Choice(_))).count();
    let merged = shown.iter().filter(|c| c.outcome == Outcome::Merged).count();
    let chosen = shown.iter().filter(|c| matches!(c.outcome, Outcome::Chosen(_))).count();
    let chosen = if chosen > 0 { format!("{chosen} chosen, ") } else { String::new() };
    say(format_args!(
        "navmap: {} overridden more than once, {merged} can be merged, {chosen}{open} need a choice",
        counted(shown.len() as u64, "navmesh", "navmeshes")
    ));
    if alike > 0 {
        let alike =
            counted(alike, "navmesh that all override alike is", "navmeshes that all override alike are");
        say(format_args!("navmap: {alike} no conflict"));
    }
    let changes = !plan.changed_plugins().is_empty();
    if let Some(folder) = folder {
        draw_all(&mut plan, &shown, folder, typed.force)?;
    } else if let Some(path) = &typed.draw {
        let first = shown.iter().find(|c| c.outcome != Outcome::Harmless).or(shown.first());
        let conflict =
            first.ok_or_else(|| Error::invalid("picture", "no navmesh is overridden more than once"))?;
        draw(&mut plan, conflict, path, typed.force)?;
    }
    typed.output.as_deref().map_or(Ok(()), inputs::unread)?;
    match &typed.output {
        Some(output) if changes => save(output, typed.force, |out| {
            let patch = plan.patch_named(&orders::file_name(output), light);
            out.write_all(&patch.map_err(std::io::Error::other)?)
        })?,
        Some(_) => say(format_args!("navmap: nothing is written: no navmesh can be merged")),
        None if changes => say(format_args!("navmap: nothing is written: -o FILE says where the patch goes")),
        None => {}
    }
    let left = open > 0 || plan.left() > 0 || (changes && typed.output.is_none());
    Ok(unread.max(if left { Exit::Findings } else { Exit::Clean }))
}

/// A conflict in lines for a person: who overrides the mesh, who wins, and what becomes of it.
pub(super) fn told(conflict: &Conflict) -> String {
    let mut lines = vec![format!("{} of {}", called(conflict), conflict.base)];
    let winner = conflict.overriders.len().saturating_sub(1);
    for (at, overrider) in conflict.overriders.iter().enumerate() {
        let wins = if at == winner { "  wins: " } else { "        " };
        let what = match &overrider.changes {
            _ if overrider.deletes => "deletes it".to_owned(),
            Some(changes) => changes.to_string(),
            None => "cannot be compared".to_owned(),
        };
        lines.push(format!("{wins}{}: {what}", overrider.file));
    }
    let open = matches!(conflict.outcome, Outcome::Clashes(_) | Outcome::Choice(_));
    for (at, overrider) in conflict.overriders.iter().enumerate().filter(|(at, _)| open || *at == winner) {
        for dangling in &overrider.dangling {
            let with = if at == winner { String::new() } else { format!(" with {}", overrider.file) };
            lines.push(format!("  dangles{with}: {dangling}"));
        }
    }
    for overrider in conflict.overriders.iter().filter(|_| open) {
        let only = overrider.changes.iter().flat_map(|changes| changes.only.iter().zip(["gone", "new"]));
        for (triangles, what) in only.filter(|(triangles, _)| !triangles.is_empty()) {
            lines.push(format!("  triangles {what} in {}: {}", overrider.file, few(triangles)));
        }
    }
    match &conflict.outcome {
        Outcome::Alike => lines.push("  all say the same".to_owned()),
        Outcome::Harmless => lines.push("  nothing is lost".to_owned()),
        Outcome::Merged => lines.push("  fits together: -o writes a patch".to_owned()),
        Outcome::Clashes(clashes) => {
            lines.extend(clashes.iter().map(|clash| format!("  both changed {clash}")));
        }
        Outcome::Choice(why) => lines.push(format!("  to choose: {why}")),
        Outcome::Chosen(file) => lines.push(format!("  chosen: {file}")),
    }
    if open {
        let live = conflict.overriders.iter().filter(|overrider| !overrider.deletes);
        let choices: Vec<_> =
            live.map(|o| format!("--choose {}", word(&format!("{}:{}", o.file, o.form)))).collect();
        lines.push(format!("  {}", choices.join(" or ")));
    }
    lines.iter().map(|line| printable(line.as_bytes()) + "\n").collect()
}

/// Text as one word of a shell.
fn word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._:/+-".contains(c);
    if text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// The first numbers of a list, and how many follow.
fn few(numbers: &[u16]) -> String {
    const SHOWN: usize = 12;
    let shown: Vec<_> = numbers.iter().take(SHOWN).map(u16::to_string).collect();
    let more = numbers.len().saturating_sub(SHOWN);
    if more > 0 { format!("{} and {more} more", shown.join(" ")) } else { shown.join(" ") }
}

/// A choice as it is typed: the name of a plugin, optionally followed by a colon and its FormID of a navmesh.
fn choice(order: &LoadOrder<'_>, text: &str) -> Result<Choice> {
    // A name may have a colon, and so has [NAVM:01002345].
    let form = text.match_indices(':').find_map(|(at, _)| {
        let (name, form) = text.split_at_checked(at)?;
        Some((name, FormId::read(form.strip_prefix(':')?)?))
    });
    let (name, form) = form.map_or((text, None), |(name, form)| (name, Some(form)));
    Ok(Choice { plugin: orders::named(order, "--choose", name)?, form })
}

/// A conflict as a row for scripts.
#[derive(Serialize)]
struct Row<'c> {
    /// As the winner names the navmesh, and as the load order does.
    form_id: String,
    order_form_id: String,
    place: Option<&'c str>,
    base: &'c str,
    winner: Option<&'c str>,
    plugins: Vec<(&'c str, Option<String>)>,
    versions: Vec<Version<'c>>,
    dangling: &'c [String],
    outcome: &'static str,
    why: Option<&'c str>,
    clashes: Vec<String>,
}

/// One plugin's version: the triangles of the first version missing from it and those new in it, with their areas in square
/// units, and the links that dangle if it wins.
#[derive(Serialize)]
struct Version<'c> {
    plugin: &'c str,
    form_id: String,
    deletes: bool,
    gone: &'c [u16],
    new: &'c [u16],
    area_gone: f64,
    area_new: f64,
    dangling: &'c [String],
}

impl<'c> Version<'c> {
    fn new(overrider: &'c Overrider) -> Self {
        let (only, area) = match &overrider.changes {
            Some(changes) => (changes.only.each_ref().map(Vec::as_slice), changes.area),
            None => ([&[][..]; 2], [0.0; 2]),
        };
        let ([gone, new], [area_gone, area_new]) = (only, area);
        Self {
            plugin: &overrider.file,
            form_id: overrider.form.to_string(),
            deletes: overrider.deletes,
            gone,
            new,
            area_gone,
            area_new,
            dangling: &overrider.dangling,
        }
    }
}

impl<'c> Row<'c> {
    fn new(conflict: &'c Conflict) -> Self {
        let (outcome, why, clashes) = match &conflict.outcome {
            Outcome::Alike => ("alike", None, &[][..]),
            Outcome::Harmless => ("harmless", None, &[][..]),
            Outcome::Merged => ("merged", None, &[][..]),
            Outcome::Clashes(clashes) => ("clashes", None, &clashes[..]),
            Outcome::Choice(why) => ("choice", Some(why.as_str()), &[][..]),
            Outcome::Chosen(file) => ("chosen", Some(file.as_str()), &[][..]),
        };
        let changes = conflict.overriders.iter();
        Self {
            form_id: conflict.form.to_string(),
            order_form_id: conflict.number.to_string(),
            place: conflict.place.as_deref(),
            base: &conflict.base,
            winner: conflict.overriders.last().map(|winner| winner.file.as_str()),
            plugins: changes
                .map(|o| (o.file.as_str(), o.changes.as_ref().map(ToString::to_string)))
                .collect(),
            versions: conflict.overriders.iter().map(Version::new).collect(),
            dangling: conflict.overriders.last().map_or(&[][..], |winner| &winner.dangling),
            outcome,
            why,
            clashes: clashes.iter().map(ToString::to_string).collect(),
        }
    }
}

/// A navmesh as plugin editors write it.
fn called(conflict: &Conflict) -> String {
    let place = conflict.place.as_deref().map_or_else(String::new, |place| format!(" in {place}"));
    format!("[NAVM:{}]{place}", conflict.number)
}

/// Draws each conflict into a folder, under its FormID in the load order. Those that cannot be drawn are named.
fn draw_all(plan: &mut FixPlan<'_, '_>, shown: &[&Conflict], folder: &Path, force: bool) -> Result<()> {
    make_folder(folder)?;
    let mut drawn = 0;
    for conflict in shown {
        let path = folder.join(format!("{}.svg", conflict.number));
        vacant(&path, force)?;
        match draw(plan, conflict, &path, force) {
            Ok(()) => drawn += 1,
            Err(error) => say(format_args!("navmap: {}: {}", called(conflict), error.without_file())),
        }
    }
    if !common::dry() {
        say(format_args!("navmap: {} in {}", counted(drawn, "picture", "pictures"), path_text(folder)));
    }
    Ok(())
}

/// Draws the winner over the one before it. If one of the two deletes the mesh, the other is drawn alone.
fn draw(plan: &mut FixPlan<'_, '_>, conflict: &Conflict, path: &Path, force: bool) -> Result<()> {
    let [.., before, winner] = conflict.overriders.as_slice() else {
        return Err(Error::invalid("picture", "needs two versions"));
    };
    let mut graph = |overrider: &Overrider| {
        let unread =
            || Error::invalid("picture", format!("the version of {} cannot be read", overrider.file));
        let mesh = plan.version(overrider.plugin, overrider.form).ok_or_else(unread)?;
        Ok::<_, Error>(FlatGraph::of(&NavMesh::parse(&mesh.encode()?)?.graph()).value)
    };
    let (old, new, words) = match (before.deletes, winner.deletes) {
        (true, true) => return Err(Error::invalid("picture", "both versions delete the navmesh")),
        (false, false) => (graph(before)?, graph(winner)?, format!("{} over {}", winner.file, before.file)),
        (deleted, _) => {
            let (there, gone) = if deleted { (winner, before) } else { (before, winner) };
            let graph = graph(there)?;
            (graph.clone(), graph, format!("{}; {} deletes it", there.file, gone.file))
        }
    };
    let (diff, counted) = (Diff::between(&old, &new), Stats::of(&new).value);
    let both = on_one_map(&diff, &old, new);
    picture::write(&both, counted, [called(conflict), words], (&[], None), path, force)
}
