//! What people see on a terminal: colours, and tables of its width.

use super::*;

#[test]
fn errors_and_warnings_have_colours_where_somebody_sees_them() {
    let run = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
        for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM"] {
            command.env_remove(variable);
        }
        let done =
            command.args(args).envs(variables.iter().copied()).current_dir(project()).output().unwrap();
        (text(&done.stdout), text(&done.stderr))
    };
    let scan = ["scan", "-q", "corpus/hostile/source"];
    let (stdout, stderr) = run(&scan, &[]);
    assert!(!stdout.contains('\x1b') && !stderr.contains('\x1b'), "nothing in a pipe");
    let (coloured, _) = run(&scan, &[("CLICOLOR_FORCE", "1")]);
    assert!(coloured.contains("\x1b[1m\x1b[31merror   \x1b[0m") && coloured.contains("\x1b[33mwarning "));
    let mut plain = coloured;
    for code in ["\x1b[1m", "\x1b[31m", "\x1b[33m", "\x1b[0m"] {
        plain = plain.replace(code, "");
    }
    assert_eq!(plain, stdout, "the same but for the colours");
    let missing = ["info", "corpus/nowhere.nav"];
    let (_, said) = run(&missing, &[("CLICOLOR_FORCE", "1")]);
    assert!(said.starts_with("\x1b[1m\x1b[31mnavmap:\x1b[0m corpus/nowhere.nav: "), "{said:?}");
    let (_, said) = run(&missing, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]);
    assert!(said.starts_with("navmap: corpus/nowhere.nav: "), "{said:?}");
}

/// What a run prints on a terminal of this width; `None` where no terminal can be had.
#[cfg(target_os = "linux")]
fn on_terminal(columns: u16, line: &str) -> Option<Vec<String>> {
    let command = format!("stty cols {columns} rows 50; {} {line} 2>/dev/null", env!("CARGO_BIN_EXE_navmap"));
    let run = Command::new("script")
        .args(["-q", "-e", "-c", &command, "/dev/null"])
        .env("NO_COLOR", "1")
        .env("TERM", "xterm")
        .current_dir(project())
        .stdin(Stdio::null())
        .output();
    let done = run.ok().filter(|done| !done.stdout.is_empty())?;
    Some(text(&done.stdout).lines().map(|line| line.trim_end().to_owned()).collect())
}

#[cfg(target_os = "linux")]
#[test]
fn tables_fit_the_terminal() {
    let widest = |lines: &[String]| lines.iter().map(|line| line.chars().count()).max().unwrap();
    for columns in [80, 120, 200] {
        for line in ["scan -q corpus/quake corpus/source/town.nav", "scan -q --graph corpus/quake"] {
            let Some(lines) = on_terminal(columns, line) else {
                eprintln!("skipped: no terminal can be had");
                return;
            };
            assert!(lines.len() > 4 && widest(&lines) <= columns.into(), "{columns} {line}: {lines:#?}");
            assert!(lines[0].starts_with("STATUS  GAME") && lines[0].ends_with("PATH"));
        }
    }
    let tf2 = "info corpus/source/v16-2-tf2.nav";
    let piped = text(&navmap(&["info", "corpus/source/v16-2-tf2.nav"]).stdout);
    let narrow = on_terminal(80, tf2).unwrap();
    assert!(widest(&narrow) <= 80 && piped.lines().any(|line| line.chars().count() > 80));
    let joined = narrow.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(joined, piped.split_whitespace().collect::<Vec<_>>().join(" "), "no word is lost");
}

#[cfg(target_os = "linux")]
#[test]
fn a_list_on_a_narrow_terminal_keeps_its_room_for_names() {
    let temp = Temp::new("list-narrow");
    let town = fs::read(project().join("corpus/source/town.nav")).unwrap();
    let path = temp.file("a.pak", &archive::pak(&[(b"maps/town.nav", &town)]));
    let head = |columns| Some(on_terminal(columns, &format!("list {}", path.display()))?.remove(0));
    let Some(wide) = head(100) else {
        eprintln!("skipped: no terminal can be had");
        return;
    };
    let words = |line: String| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
    assert_eq!(words(wide), "SIZE PACKED METHOD PART NAME");
    assert_eq!(head(66).map(words).unwrap(), "SIZE METHOD PART NAME");
    assert_eq!(head(50).map(words).unwrap(), "SIZE NAME");
}
