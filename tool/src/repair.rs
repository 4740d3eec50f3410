//! `navmap fix`: repairs the navmeshes of Bethesda plugins.

use super::args::Lines;
use super::out::{Out, say};
use super::save::save;
use super::target::Target;
use super::{Exit, Failure, args, orders};
use navmap::error::Error;
use navmap::format::skyrim::LoadOrder;
use navmap::format::skyrim::fix::{Deed, FixOptions, FixPlan, Repair};
use navmap::open::{Mesh, Plugins};
use navmap::text::{counted, printable};
use serde::Serialize;
use std::io::Write;

pub(super) fn run(typed: &args::Fix) -> Result<Exit, Failure> {
    if !typed.dry_run {
        typed.goal.vacant()?;
    }
    let (plugins, unread) = orders::open(&typed.order)?;
    let order = plugins.order();
    let mut options = FixOptions {
        patch: typed.plugin.is_none() && !typed.goal.in_place,
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
    let plan = FixPlan::of(&order, &options);
    print(plan.deeds(), typed)?;
    plugins.intact()?;
    let done = plan.done();
    say(format_args!(
        "navmap: {}, {} left",
        counted(done as u64, "repair", "repairs"),
        counted(plan.left() as u64, "problem", "problems")
    ));
    let written = match plan.deeds().is_empty() {
        true => true,
        false => write(&plan, &order, &plugins, typed)?,
    };
    let left = plan.left() > 0 || (!written && done > 0);
    Ok(unread.max(if left { Exit::Findings } else { Exit::Clean }))
}

/// A repair as a row for scripts.
#[derive(Serialize)]
struct Row<'d> {
    plugin: &'d str,
    form_id: String,
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
    let mut out = Out::new();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Writes what was asked for. Returns whether all of it was written.
fn write(
    plan: &FixPlan<'_, '_>,
    order: &LoadOrder<'_>,
    plugins: &Plugins,
    typed: &args::Fix,
) -> Result<bool, Failure> {
    let changed = plan.changed_plugins();
    if typed.dry_run {
        say(format_args!("navmap: nothing is written: --dry-run"));
        return Ok(false);
    }
    if changed.is_empty() {
        return Ok(true);
    }
    if typed.goal.in_place {
        for index in changed {
            let Some(bytes) = plugins.get(index).map(Mesh::bytes) else { continue };
            if bytes.member().is_some() {
                let error = Error::invalid("--in-place", "cannot change a member of an archive");
                return Err(error.in_file(bytes.location()).into());
            }
            Target::new(bytes.path(), None, true).mesh(&plan.plugin(index)?)?;
        }
        return Ok(true);
    }
    let Some(output) = &typed.goal.output else {
        say(format_args!("navmap: nothing is written: -o FILE or --in-place says where"));
        return Ok(false);
    };
    let made = match &typed.plugin {
        Some(name) => plan.plugin(orders::named(order, "--plugin", name)?)?,
        None => plan.patch(typed.light)?,
    };
    save(output, typed.goal.force, |out| out.write_all(&made))?;
    Ok(true)
}
