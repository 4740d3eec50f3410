//! Makes a script of the findings that commands mend.

use crate::findings::Filter;
use navmap::Finding;
use navmap::bytes::Scratch;
use navmap::edit::Fix;
use navmap::format::skyrim::Plugin;
use navmap::format::skyrim::fix::Repair;
use navmap::format::{AnyNav, NavFile};
use std::collections::BTreeMap;
use std::path::Path;

/// The number of findings of each code.
pub(super) fn findings(nav: &AnyNav<'_>, filter: &Filter<'_>) -> BTreeMap<&'static str, usize> {
    let mut found = BTreeMap::new();
    let mut note = |finding: Finding| {
        if filter.wants(finding.code) {
            *found.entry(finding.code).or_insert(0) += 1;
        }
    };
    // A mesh that cannot be read to its end is refused later.
    let _ = NavFile::check(nav, &mut Scratch::default(), &mut note);
    found
}

/// The commands, each once, with the findings they repair. What only `navmap fix` repairs in a plugin is a remark.
pub(super) fn script(
    path: &Path,
    nav: &AnyNav<'_>,
    fixes: &[Fix],
    found: &BTreeMap<&'static str, usize>,
) -> String {
    let mut lines: Vec<(&str, Vec<String>)> = Vec::new();
    for fix in fixes {
        let Some(count) = found.get(fix.code) else { continue };
        let what = format!("{} {count}", fix.code);
        match lines.iter_mut().find(|(command, _)| *command == fix.command) {
            Some((_, codes)) => codes.push(what),
            None => lines.push((fix.command, vec![what])),
        }
    }
    let name = navmap::text::printable(path.to_string_lossy().as_bytes());
    let mut script = match lines.is_empty() {
        true => format!("// {name}: nothing that a command would mend\n"),
        false => format!("// {name}: what was found and can be mended\n"),
    };
    for (command, codes) in lines {
        script.push_str(&format!("{command} // {}\n", codes.join(", ")));
    }
    if nav.as_view::<Plugin<'_>>().is_some() {
        let mended = found.iter().filter(|(code, _)| Repair::mending(code).is_some());
        let mended: Vec<String> = mended.map(|(code, count)| format!("{code} {count}")).collect();
        if !mended.is_empty() {
            script.push_str(&format!("// `navmap fix` mends what it can of {}\n", mended.join(", ")));
        }
    }
    script
}
