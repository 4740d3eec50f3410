//! `navmap fix`: repairs the navmeshes of Bethesda plugins.

use super::args::Lines;
use super::inputs;
use super::out::{Out, complain, say};
use super::save::{save, writable};
use super::target::Target;
use super::{Exit, Failure, args, orders, report};
use navmap::error::Error;
use navmap::format::skyrim::LoadOrder;
use navmap::format::skyrim::fix::{Deed, FixOptions, FixPlan, Repair};
use navmap::open::{Plugins, comes_with_game};
use navmap::text::{counted, printable};
use serde::Serialize;
use std::io::Write;

pub(super) fn run(typed: &args::Fix) -> Result<Exit, Failure> {
    typed.goal.vacant()?;
    let report = typed.report.as_deref().map(|path| report::Form::of(path, typed.goal.force)).transpose()?;
    let writes =
        !typed.dry_run && typed.explain.is_none() && (typed.goal.in_place || typed.goal.output.is_some());
    let (plugins, unread) = orders::open(&typed.order, orders::Stale::if_written(writes))?;
    let order = plugins.order();
    let is_patch = typed.plugin.is_none() && !typed.goal.in_place;
    let output = typed.goal.output.as_deref().filter(|_| is_patch);
    let light = orders::is_light(&order, typed.light, output)?;
    let mut options = FixOptions {
        patch: is_patch,
        write_overrides: typed.write_overrides,
        stub: typed.stub,
        geometric_grid: typed.geometric_grid,
        ..FixOptions::default()
    };
    if !typed.only.is_empty() {
        options.repairs.clone_from(&typed.only);
    }
    for (asked, repair) in [(typed.itm, Repair::Identical), (typed.prune_navi, Repair::Prune)] {
        if asked && !options.repairs.contains(&repair) {
            options.repairs.push(repair);
        }
    }
    if let Some(name) = &typed.plugin {
        options.plugins.push(orders::named(&order, "--plugin", name)?);
    }
    if let Some(name) = &typed.explain {
        options.plugins.push(orders::named(&order, "--explain", name)?);
        options.patch = false;
    }
    if typed.goal.in_place && options.plugins.is_empty() {
        options.plugins = others_than_games(&order)?;
    }
    let mut plan = FixPlan::new(&order, &options);
    // Only what was looked at again is known to be right.
    let refused = match plan.verify(light) {
        Err(error) if writes => return Err(error.into()),
        verified => verified.err(),
    };
    match &typed.explain {
        Some(_) if typed.format == Lines::Text => explain(plan.deeds())?,
        _ => print(plan.deeds(), typed)?,
    }
    plugins.intact()?;
    tell_missing(&order, &options);
    if let (Some(form), Some(path)) = (report, &typed.report) {
        let words = form.write(plan.deeds());
        save(path, typed.goal.force, |out| out.write_all(words.as_bytes()))?;
    }
    for (file, [done, left], records) in by_plugin(plan.deeds()) {
        say(format_args!(
            "{}: {} of {}, {} left",
            printable(file.as_bytes()),
            counted(done, "repair", "repairs"),
            counted(records, "record", "records"),
            counted(left, "problem", "problems")
        ));
    }
    let done = plan.done();
    say(format_args!(
        "navmap: {}, {} left",
        counted(done as u64, "repair", "repairs"),
        counted(plan.left() as u64, "problem", "problems")
    ));
    if let fields @ 1.. = plan.carried() {
        let fields = counted(fields, "field", "fields");
        say(format_args!("navmap: {fields} of cells and worldspaces that are not known stay as they are"));
    }
    let written = match plan.deeds().is_empty() {
        _ if typed.explain.is_some() => false,
        true => true,
        false => write(&plan, &order, &plugins, typed, light)?,
    };
    if let Some(error) = &refused {
        complain(format_args!("navmap: this could not be written: {error}"));
    }
    let left = plan.left() > 0 || refused.is_some() || (!written && done > 0);
    Ok(unread.max(if left { Exit::Findings } else { Exit::Clean }))
}

/// The plugins that may be written over unasked: the game's own files belong to who installs the game. Names those that stay as they
/// are.
///
/// # Errors
/// If there are no others.
fn others_than_games(order: &LoadOrder<'_>) -> Result<Vec<usize>, Error> {
    let is_own = |index: &usize| order.get(*index).is_some_and(|(file, _)| comes_with_game(file));
    let (own, others): (Vec<usize>, Vec<usize>) = (0..order.len()).partition(is_own);
    if others.is_empty() {
        let why = "would write over files of the game alone: --plugin NAME says that this one may be changed";
        return Err(Error::invalid("--in-place", why));
    }
    for (file, _) in own.into_iter().filter_map(|index| order.get(index)) {
        let file = printable(file.as_bytes());
        say(format_args!("{file}: comes with the game, and stays as it is: --plugin {file} repairs it"));
    }
    Ok(others)
}

/// Names the masters that are not in the load order, since what is right may depend on them.
fn tell_missing(order: &LoadOrder<'_>, options: &FixOptions) {
    let looked_at = |index: &usize| options.plugins.is_empty() || options.plugins.contains(index);
    for index in (0..order.len()).filter(looked_at) {
        let (Some((file, _)), missing) = (order.get(index), order.missing_masters(index)) else { continue };
        let (masters, them) = match missing.split_last() {
            None => continue,
            Some((only, [])) => (format!("its master {only} is"), "it"),
            Some((last, others)) => (format!("its masters {} and {last} are", others.join(", ")), "them"),
        };
        let line = format!("{file}: {masters} not in the load order: repairs that depend on {them} are left");
        say(format_args!("{}", printable(line.as_bytes())));
    }
}

/// For each plugin in load order: its name, the repairs that are done and those that are left, and the records they are of.
fn by_plugin(deeds: &[Deed]) -> Vec<(&str, [u64; 2], u64)> {
    let count = |own: &[Deed], left: bool| {
        own.iter().filter(|deed| deed.left.is_some() == left && !(left && deed.remark)).count() as u64
    };
    deeds
        .chunk_by(|a, b| a.plugin == b.plugin)
        .filter_map(|own| {
            let records = own.chunk_by(|a, b| a.form == b.form).count() as u64;
            Some((own.first()?.file.as_str(), [count(own, false), count(own, true)], records))
        })
        .collect()
}

/// What is wrong with a plugin, by kind: what it means, what comes instead, what that is proven on, and each record.
fn explain(deeds: &[Deed]) -> Result<(), Failure> {
    let mut out = Out::new();
    for repair in Repair::ALL {
        let own: Vec<&Deed> = deeds.iter().filter(|deed| deed.repair == repair).collect();
        if own.is_empty() {
            continue;
        }
        let left = own.iter().filter(|deed| deed.left.is_some() && !deed.remark).count() as u64;
        let [wrong, instead] = repair.meaning();
        let count = counted(own.len() as u64, "place", "places");
        writeln!(out, "{}: {count}, {} left", repair.name(), counted(left, "problem", "problems"))?;
        writeln!(out, "  {wrong}\n  {instead}\n  Proven on: {}", repair.proven())?;
        for deed in own {
            writeln!(out, "    {}", printable(deed.to_string().as_bytes()))?;
        }
    }
    out.flush()?;
    Ok(())
}

/// A repair as a row for scripts.
#[derive(Serialize)]
struct Row<'d> {
    plugin: &'d str,
    /// As the plugin names the record, and as the load order does.
    form_id: String,
    order_form_id: String,
    place: Option<&'d str>,
    repair: &'d str,
    what: &'d str,
    before: &'d str,
    after: Option<&'d str>,
    left: Option<&'d str>,
}

/// A line each.
pub(super) fn lines(deeds: &[Deed], format: Lines) -> Result<String, Failure> {
    let mut text = String::new();
    for deed in deeds {
        match format {
            Lines::Text => text.push_str(&printable(deed.to_string().as_bytes())),
            Lines::Jsonl => {
                let row = Row {
                    plugin: &deed.file,
                    form_id: deed.form.to_string(),
                    order_form_id: if deed.form.is_null() { deed.form } else { deed.number }.to_string(),
                    place: deed.place.as_deref(),
                    repair: deed.repair.name(),
                    what: &deed.what,
                    before: &deed.before,
                    after: deed.left.is_none().then_some(deed.after.as_str()),
                    left: deed.left.as_deref(),
                };
                text.push_str(&serde_json::to_string(&row).map_err(std::io::Error::from)?);
            }
        }
        text.push('\n');
    }
    Ok(text)
}

fn print(deeds: &[Deed], typed: &args::Fix) -> Result<(), Failure> {
    let text = lines(deeds, typed.format)?;
    if typed.goal.is_stdout() {
        text.lines().for_each(|line| say(format_args!("{line}")));
        return Ok(());
    }
    let mut out = Out::new().json(typed.format == Lines::Jsonl);
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Writes the requested files. Returns whether all were written.
fn write(
    plan: &FixPlan<'_, '_>,
    order: &LoadOrder<'_>,
    plugins: &Plugins,
    typed: &args::Fix,
    light: bool,
) -> Result<bool, Failure> {
    let changed = plan.changed_plugins();
    let changed: Vec<_> =
        changed.into_iter().filter_map(|index| Some((index, plugins.get(index)?.bytes()))).collect();
    if typed.goal.in_place {
        // All of them are asked before the first is written.
        for (_, bytes) in &changed {
            if bytes.member().is_some() {
                let error = Error::invalid("--in-place", "cannot change a member of an archive");
                return Err(error.in_file(bytes.location()).into());
            }
            writable(bytes.path(), typed.goal.force)?;
            inputs::unchanged(bytes.path())?;
        }
    }
    if let Some(output) = typed.goal.output.as_deref().filter(|_| !changed.is_empty()) {
        inputs::unread(output)?;
    }
    if typed.dry_run {
        say(format_args!("navmap: nothing is written: --dry-run"));
        return Ok(false);
    }
    if changed.is_empty() {
        return Ok(true);
    }
    if typed.goal.in_place {
        for (index, bytes) in changed {
            Target::new(bytes.path(), None, true).force(typed.goal.force).mesh(&plan.plugin(index)?)?;
        }
        return Ok(true);
    }
    let Some(output) = &typed.goal.output else {
        say(format_args!("navmap: nothing is written: -o FILE or --in-place says where"));
        return Ok(false);
    };
    let made = match &typed.plugin {
        Some(name) => plan.plugin(orders::named(order, "--plugin", name)?)?,
        None => plan.patch_named(&orders::file_name(output), light)?,
    };
    save(output, typed.goal.force, |out| out.write_all(&made))?;
    Ok(true)
}
