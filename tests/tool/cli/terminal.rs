//! What people see on a terminal: colours, and tables of its width.

use super::*;
#[cfg(target_os = "linux")]
use std::path::Path;

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

/// What a run sends to a terminal, byte by byte, answers and messages; `None` where no terminal can be had.
#[cfg(target_os = "linux")]
fn sent_to_terminal(folder: &Path, line: &str) -> Option<Vec<u8>> {
    let command = format!("{} {line}", env!("CARGO_BIN_EXE_navmap"));
    let run = Command::new("script")
        .args(["-q", "-e", "-c", &command, "/dev/null"])
        .env("NO_COLOR", "1")
        .env("TERM", "xterm")
        .current_dir(folder)
        .stdin(Stdio::null())
        .output();
    run.ok().map(|done| done.stdout).filter(|sent| !sent.is_empty())
}

/// Control characters of both kinds, and one that turns the line around.
#[cfg(target_os = "linux")]
const DRIVERS: &str = "\u{1b}[31mred\u{7f}\u{9b}2J\u{202e}\u{2066}\u{7}";

#[cfg(target_os = "linux")]
#[test]
fn no_verb_lets_a_name_drive_the_terminal() {
    let temp = Temp::new("driven");
    let mut mesh = source::level(9, None, &source::Shape::small(1));
    let whole = source::write(&mesh);
    mesh.places.fill(format!("{DRIVERS}\0").into_bytes());
    let named = source::write(&mesh);
    temp.file("plain.nav", &whole);
    temp.file("named.nav", &named);
    temp.file(format!("{DRIVERS}.nav"), &named);
    temp.file("a.pak", &archive::pak(&[(format!("{DRIVERS}.nav").as_bytes(), &named)]));
    for (from, name) in [("bsp/yard-goldsrc.bsp", "bsp"), ("skyrim/le/village.esp", "esp")] {
        let mut bytes = fs::read(project().join("corpus").join(from)).unwrap();
        // The author of the plugin.
        if let Some(at) = bytes.windows(7).position(|part| part == b"navmap\0") {
            bytes[at..at + 6].copy_from_slice(b"\x1b[31mr");
        }
        temp.file(format!("{DRIVERS}.{name}"), &bytes);
    }
    fs::create_dir(temp.join(format!("{DRIVERS}.data"))).unwrap();
    temp.file(format!("{DRIVERS}.txt"), format!("nav_{DRIVERS} all").as_bytes());
    let file = format!("'{DRIVERS}.nav'");
    let lines = [
        "scan -q .".to_owned(),
        "scan -q --format csv .".to_owned(),
        "scan -q --format jsonl .".to_owned(),
        format!("info {file}"),
        format!("show {file} 'all'"),
        format!("show {file} '#1' --format jsonl"),
        format!("show {file} '{DRIVERS}'"),
        // Until it is told to end; it has answered for each mesh by then, or prints less.
        format!("watch --now --every 20 --then 'check -q' {file} & sleep 1; kill $!"),
        format!("watch '{DRIVERS}.missing'"),
        format!("watch --then '{DRIVERS}' ."),
        "check -q --all --least info .".to_owned(),
        "check -q --all --format jsonl .".to_owned(),
        format!("check --fix {file}"),
        format!("diff --script plain.nav {file}"),
        format!("diff --all plain.nav {file}"),
        format!("diff --format jsonl plain.nav {file}"),
        format!("dump {file}"),
        format!("dump --pretty {file}"),
        "list a.pak".to_owned(),
        "list --format jsonl a.pak".to_owned(),
        format!("locate {file} 100,100,0"),
        format!("locate --format csv {file} 100,100,0"),
        format!("locate --format jsonl {file} 100,100,0"),
        format!("path {file} 100,100,0 300,300,0"),
        format!("path --format jsonl {file} 100,100,0 300,300,0"),
        format!("reach {file}"),
        format!("reach --format csv {file}"),
        format!("edit {file} -c 'nav_check; status; help'"),
        format!("slim {file}"),
        format!("analyze {file}"),
        format!("export {file} --format geojson -o -"),
        format!("export {file} --format graphml -o -"),
        format!("draw {file} -o -"),
        format!("view {file} --html '{DRIVERS}.html'"),
        format!("view {file} --html '{DRIVERS}.html'"),
        format!("view '{DRIVERS}.missing'"),
        format!("convert {file} --to source-9 -o -"),
        format!("merge plain.nav {file} plain.nav -o -"),
        format!("info '{DRIVERS}.esp'"),
        format!("check -q --all --least info '{DRIVERS}.esp'"),
        format!("trace '{DRIVERS}.bsp' 0,0,0 0,0,100"),
        format!("generate '{DRIVERS}.bsp' --dry-run -o '{DRIVERS}.new.nav'"),
        format!("generate '{DRIVERS}.bsp' -o {file}"),
        format!("build '{DRIVERS}.bsp' -o '{DRIVERS}.navmesh'"),
        format!("fix --dry-run '{DRIVERS}.esp'"),
        format!("fix '{DRIVERS}.esp' -o '{DRIVERS}.new.esp'"),
        format!("conflicts '{DRIVERS}.esp'"),
        format!("patch {file} '{DRIVERS}.txt' --dry-run"),
        format!("extract a.pak --dry-run -o '{DRIVERS}.out'"),
        format!("extract a.pak -o '{DRIVERS}.out'"),
        format!("tables -q {file} --dry-run -o '{DRIVERS}.tables'"),
        format!("tables -q {file} -o '{DRIVERS}.tables'"),
        format!("tables -q {file} -o '{DRIVERS}.nav'"),
        format!("draw {file} -o '{DRIVERS}.svg'"),
        format!("export {file} -o '{DRIVERS}.obj'"),
        format!("edit {file} -c '{DRIVERS}'"),
        format!("edit {file} -f '{DRIVERS}.txt' --dry-run"),
        format!("edit {file} -c 'nav_delete #{DRIVERS}' --dry-run"),
        format!("path {file} '{DRIVERS}' '#{DRIVERS}'"),
        format!("path {file} '#1' '#2' --avoid '{DRIVERS}'"),
        format!("locate {file} '{DRIVERS}'"),
        format!("scan --files-from '{DRIVERS}.txt'"),
        format!("info '{DRIVERS}.missing'"),
        format!("'{DRIVERS}'"),
        format!("info '--{DRIVERS}'"),
        format!("draw {file} --color '{DRIVERS}'"),
        format!("check --explain '{DRIVERS}'"),
        #[cfg(feature = "sql")]
        "sql -q --format csv 'SELECT name FROM places UNION SELECT path FROM files' .".to_owned(),
        #[cfg(feature = "sql")]
        "sql -q --format jsonl 'SELECT path FROM files' .".to_owned(),
        #[cfg(feature = "sql")]
        "sql -q 'SELECT path FROM files' .".to_owned(),
        #[cfg(feature = "sql")]
        format!("sql -q 'SELECT \"{DRIVERS}\" FROM {DRIVERS}' ."),
    ];
    let help = navmap_in(temp.path(), &["help"]);
    let verbs =
        help.lines().filter_map(|line| line.strip_prefix("  ")?.split_once("  ")).map(|(verb, _)| verb);
    let verbs: Vec<&str> =
        verbs.filter(|verb| !verb.is_empty() && verb.bytes().all(|b| b.is_ascii_lowercase())).collect();
    assert!(verbs.len() > 20, "{verbs:?}");
    for verb in verbs.iter().filter(|verb| !["help", "man", "completions"].contains(verb)) {
        let built_in = *verb != "sql" || cfg!(feature = "sql");
        let begins = |line: &String| line.split(' ').next() == Some(verb);
        assert!(!built_in || lines.iter().any(begins), "no line for {verb}");
    }
    let mut named_it = 0;
    for line in lines {
        let Some(sent) = sent_to_terminal(temp.path(), &line) else {
            eprintln!("{line}: prints nothing, or no terminal can be had");
            continue;
        };
        // A line of progress that nobody gets to see is wiped out.
        let text = text(&sent).replace("\r\n", "\n").replace("\r\x1b[2K", "");
        let drives = |c: &char| {
            (c.is_control() && !matches!(c, '\n' | '\t'))
                || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        let found = text.chars().find(drives);
        assert!(found.is_none(), "{line}: {found:?} in {}", text.escape_debug());
        named_it += usize::from(text.contains("red"));
    }
    assert!(named_it == 0 || named_it > 15, "{named_it} lines name it");
    // What a program reads is as it is stored.
    let rows = navmap_in(temp.path(), &["scan", "-q", "--format", "csv", "."]);
    assert!(rows.contains(DRIVERS), "{}", rows.escape_debug());
}

#[cfg(target_os = "linux")]
fn navmap_in(folder: &Path, args: &[&str]) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_navmap")).args(args).current_dir(folder).output().unwrap();
    text(&done.stdout)
}

/// What a run writes to a terminal, moving lines and all.
#[cfg(target_os = "linux")]
fn written_to_terminal(line: &str) -> Option<String> {
    let command = format!("stty cols 160 rows 50; {} {line} >/dev/null", env!("CARGO_BIN_EXE_navmap"));
    let run = Command::new("script")
        .args(["-q", "-e", "-c", &command, "/dev/null"])
        .env("TERM", "xterm")
        .env("NO_COLOR", "1")
        .current_dir(project())
        .stdin(Stdio::null())
        .output();
    Some(text(&run.ok().filter(|done| !done.stdout.is_empty())?.stdout))
}

#[cfg(target_os = "linux")]
#[test]
fn a_scan_and_tables_tell_how_much_of_the_files_is_done() {
    let temp = Temp::new("percent");
    let town = temp.file("0.nav", &fs::read(project().join("corpus/source/town.nav")).unwrap());
    for nth in 1..3_000 {
        fs::hard_link(&town, temp.join(format!("{nth}.nav"))).unwrap();
    }
    let (folder, out) = (temp.path().display().to_string(), temp.join("tables"));
    for line in [format!("check -j 1 {folder}"), format!("tables -j 1 {folder} -o {}", out.display())] {
        let Some(seen) = written_to_terminal(&line) else {
            eprintln!("skipped: no terminal can be had");
            return;
        };
        let shares: Vec<u32> = seen
            .split('%')
            .filter_map(|before| before.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok())
            .collect();
        assert!(shares.len() > 1 && shares.iter().all(|share| *share <= 100), "{line}: {shares:?}");
        assert!(shares.windows(2).all(|two| two[0] <= two[1]), "{line}: {shares:?}");
    }
}
