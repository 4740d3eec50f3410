//! The list of verbs in `navmap --help`, grouped by purpose.

use clap::Command;

/// The groups in the order of `docs/verbs.md`, whose headings they are.
pub(super) const GROUPS: &[(&str, &[&str])] = &[
    ("Look", &["scan", "info", "show", "check", "watch", "diff", "draw", "view", "dump", "list"]),
    ("Find", &["locate", "path", "reach", "trace", "sql"]),
    ("Change", &["edit", "analyze", "slim", "fix", "conflicts", "patch", "merge"]),
    ("Make", &["generate", "build", "convert"]),
    ("Take along", &["export", "tables", "extract"]),
    ("Help", &["help", "man", "completions"]),
];

/// Width of the column of verbs.
const COLUMN: usize = 13;

/// What clap says of the verb that it adds.
const HELP: &str = "Print this message or the help of the given subcommand(s)";

/// The program with its verbs in groups. Clap supports groups for options, but only one list of verbs.
pub(super) fn grouped(program: Command) -> Command {
    let styles = program.get_styles().clone();
    let (head, literal) = (styles.get_header(), styles.get_literal());
    let mut list = String::new();
    for (title, verbs) in GROUPS {
        list += &format!("{head}{title}:{head:#}\n");
        for name in *verbs {
            let about = program.find_subcommand(name).and_then(Command::get_about);
            let about = about.map_or_else(|| HELP.to_owned(), ToString::to_string);
            let about = about.split([';', ':']).next().unwrap_or_default();
            let pad = COLUMN.saturating_sub(name.len());
            list += &format!("  {literal}{name}{literal:#}{:pad$}{about}\n", "");
        }
        list.push('\n');
    }
    program.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}{head}Options:{head:#}\n{{options}}{{after-help}}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_verb_is_in_one_group_and_its_line_is_short() {
        let mut program = crate::args::program();
        program.build();
        let verbs: BTreeSet<&str> = program.get_subcommands().map(Command::get_name).collect();
        let listed: Vec<&str> = GROUPS.iter().flat_map(|(_, verbs)| verbs.iter().copied()).collect();
        assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), verbs);
        assert_eq!(listed.len(), verbs.len(), "a verb stands in two groups");
        let help = program.find_subcommand("help").and_then(Command::get_about).map(ToString::to_string);
        assert_eq!(help.as_deref(), Some(HELP));
        let help = grouped(program).render_help().to_string();
        let long = help.lines().find(|line| line.chars().count() > 100);
        assert_eq!(long, None);
    }
}
