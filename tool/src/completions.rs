//! Shell scripts that complete verbs, options and values.

use super::args::program;
use clap_complete::Shell;
use std::collections::BTreeSet;

/// The script for a shell.
pub(super) fn script(shell: Shell) -> Vec<u8> {
    let mut program = program();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program, "navmap", &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    for (name, values) in lists(&program) {
        script = after_commas(shell, &script, &name, &values);
    }
    script.into_bytes()
}

/// The options with several values separated by commas: the name of the value, and its candidates.
fn lists(program: &clap::Command) -> BTreeSet<(String, String)> {
    let options = program.get_subcommands().flat_map(clap::Command::get_arguments);
    let lists = options.filter(|option| option.get_value_delimiter() == Some(','));
    let lists = lists.filter_map(|option| {
        let values: Vec<_> = option.get_possible_values().iter().map(|v| v.get_name().to_owned()).collect();
        let name = option.get_value_names()?.first()?.to_string();
        (!values.is_empty()).then(|| (name, values.join(" ")))
    });
    lists.collect()
}

/// The generator offers the values of a list only once. This offers them after each comma as well.
fn after_commas(shell: Shell, script: &str, name: &str, values: &str) -> String {
    match shell {
        Shell::Bash => {
            let one = format!("compgen -W \"{values}\" -- \"${{cur}}\"");
            let next =
                format!("compgen -P \"${{cur%\"${{cur##*,}}\"}}\" -W \"{values}\" -- \"${{cur##*,}}\"");
            script.replace(&one, &next)
        }
        Shell::Zsh => {
            script.replace(&format!(":{name}:({values})"), &format!(":{name}:_values -s , {name} {values}"))
        }
        _ => script.to_owned(),
    }
}
