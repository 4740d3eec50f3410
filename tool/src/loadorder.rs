//! `navmap check --load-order`: checks several plugins as the game loads them.

use super::check::exit;
use super::findings::{self, Filter, Form, Shown, Summary, print};
use super::out::{Out, say};
use super::{Exit, Failure, args, orders, progress};
use navmap::Finding;
use navmap::bytes::Scratch;
use navmap::error::Error;
use navmap::format::Family;
use navmap::open::Mesh;
use navmap::scan::path_text;
use navmap::text::counted;
use std::collections::BTreeMap;
use std::io::Write;

pub(super) fn run(typed: &args::Check) -> Result<Exit, Failure> {
    if typed.fix {
        let why = "mends one mesh after the other: `navmap fix` repairs the plugins of a load order";
        return Err(Error::invalid("--fix", why).into());
    }
    let filter = Filter::new(typed);
    let mut out = Out::new().json(typed.format == args::Lines::Jsonl);
    let form = Form { lines: typed.format, painter: out.painter() };
    let (plugins, named) =
        orders::listed(&typed.run.paths, &typed.data, &typed.run.open, orders::Stale::Told)?;
    let unread = &plugins.beside().unread;
    // Those that cannot be read are rows.
    if plugins.is_empty() && unread.is_empty() {
        return Err(orders::none().into());
    }
    let line = progress::line(None, "findings");
    for error in unread {
        let path = error.file().map(path_text).unwrap_or_default();
        line.suspend(|| print(&mut out, form, mesh(&path, None), &Shown::from(error)))?;
    }
    // Findings about links come last, so those of a plugin may come in several runs.
    let mut of_plugins: BTreeMap<usize, Summary> = BTreeMap::new();
    let mut printed = Ok(());
    plugins.order().check(&mut Scratch::new(), &mut |plugin, finding: Finding| {
        if printed.is_err() {
            return;
        }
        let (mut shown, of_mesh) = filter.choose(Some(Family::Skyrim), std::slice::from_ref(&finding));
        of_plugins.entry(plugin).or_default().more(&of_mesh);
        let Some(finding) = shown.pop() else { return };
        line.inc(1);
        let Some(bytes) = plugins.get(plugin).map(Mesh::bytes) else { return };
        let shown = Shown::from(finding);
        let path = path_text(bytes.path());
        printed = line.suspend(|| print(&mut out, form, mesh(&path, bytes.member()), &shown));
    });
    drop(line);
    printed?;
    out.flush()?;
    plugins.intact()?;
    let mut summary = Summary::default();
    of_plugins.values().for_each(|of_plugin| summary.add(of_plugin));
    if !typed.run.quiet {
        let (count, words) = (plugins.len(), summary.words(unread.len() as u64));
        say(format_args!("{}: {words}", counted(count as u64, "plugin", "plugins")));
        summary.say();
    }
    Ok(exit(&summary, typed.strict, !unread.is_empty()).max(named))
}

fn mesh<'m>(path: &'m str, member: Option<&'m str>) -> findings::Mesh<'m> {
    findings::Mesh { path, member, family: Some(Family::Skyrim) }
}
