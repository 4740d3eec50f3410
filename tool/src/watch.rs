//! `navmap watch`: runs verbs on meshes that have changed. It looks at names, sizes and times of files, so it needs nothing of the
//! system and works over a network.

use super::manual::PAGES;
use super::out::{Out, complain, say};
use super::paths::Paths;
use super::{Exit, Failure, args, beside, signals};
use navmap::bytes::Stamp;
use navmap::edit::nearest;
use navmap::error::Error;
use navmap::format::Kind;
use navmap::open::{Files, on_disk};
use navmap::text::path_text;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

/// The meshes that are there, with what tells that one has changed.
type Seen = BTreeMap<PathBuf, Stamp>;

/// The longest that a wait lasts before it looks for a signal.
const NAP: Duration = Duration::from_millis(50);

pub(super) fn run(typed: &args::Watch) -> Result<Exit, Failure> {
    let usual = ["check".to_owned()];
    let then = if typed.then.is_empty() { &usual[..] } else { &typed.then[..] };
    let commands = then.iter().map(|text| words(text)).collect::<Result<Vec<_>, Error>>()?;
    // Asked later, the system would name a program that has been replaced meanwhile as deleted.
    let runs = Runs { program: std::env::current_exe()?, commands };
    let stop = Arc::new(AtomicBool::new(false));
    signals::stop_by(&stop);
    let mut paths = Paths::read(&typed.paths, &stop)?;
    let roots: Vec<PathBuf> = paths.by_ref().collect();
    let (mut seen, mut took) = look(&roots, &mut |error| complain(format_args!("navmap: {error}")));
    if paths.finish()? != Exit::Clean {
        return Ok(Exit::Failed);
    }
    say(format_args!(
        "navmap: {} watched; Ctrl-C ends",
        navmap::text::counted(seen.len() as u64, "mesh", "meshes")
    ));
    let mut worst = Exit::Clean;
    let writes = runs.commands.iter().any(|command| !only_reads(command));
    if typed.now {
        for path in seen.keys() {
            worst = worst.max(runs.each(path, &stop)?);
        }
    }
    // What changed at the last look, and is left alone until it no longer does: it may still be written.
    let mut changing = Seen::new();
    while pause(Duration::from_millis(typed.every).max(took.saturating_mul(10)), &stop) {
        let now;
        (now, took) = look(&roots, &mut |_| {});
        for gone in seen.keys().filter(|path| !now.contains_key(*path)) {
            say(format_args!("navmap: {} is gone", path_text(gone)));
        }
        let differs = |(path, state): &(&PathBuf, &Stamp)| seen.get(*path) != Some(*state);
        let changed: Seen = now.iter().filter(differs).map(|(path, state)| (path.clone(), *state)).collect();
        let settled: Vec<&PathBuf> = changed
            .iter()
            .filter(|(path, state)| changing.get(*path) == Some(*state))
            .map(|(path, _)| path)
            .collect();
        for path in &settled {
            worst = worst.max(runs.each(path, &stop)?);
        }
        if typed.once && !settled.is_empty() {
            return Ok(worst);
        }
        // What the commands themselves have changed meanwhile is no news either. If they only read, somebody else has saved it.
        let (after, _) =
            if writes && !settled.is_empty() { look(&roots, &mut |_| {}) } else { (now.clone(), took) };
        seen = after
            .into_iter()
            .filter_map(|(path, state)| {
                let waits = changed.contains_key(&path) && !settled.contains(&&path);
                if waits { seen.get(&path).map(|old| (path, *old)) } else { Some((path, state)) }
            })
            .collect();
        changing = changed;
    }
    Ok(Exit::Stopped)
}

/// The meshes at these paths, and how long it took to list them. Calls `failed` for what cannot be listed.
fn look(roots: &[PathBuf], failed: &mut dyn FnMut(Error)) -> (Seen, Duration) {
    let begun = Instant::now();
    let files = Files::new(roots.to_vec()).filter_map(|file| file.map_err(&mut *failed).ok());
    let meshes = files.filter(|file| file.named || Kind::names(&file.path));
    let states = meshes.filter_map(|file| Stamp::at(on_disk(&file.path)).map(|state| (file.path, state)));
    (states.collect(), begun.elapsed())
}

/// Waits. `false` if a signal asks for the end.
fn pause(time: Duration, stop: &AtomicBool) -> bool {
    let until = Instant::now().checked_add(time);
    while !stop.load(SeqCst) {
        match until.and_then(|until| until.checked_duration_since(Instant::now())) {
            Some(left) => thread::sleep(left.min(NAP)),
            None => return true,
        }
    }
    false
}

/// The words of a command, whose first is a verb.
///
/// # Errors
/// If it is none, or a quote is not closed.
fn words(text: &str) -> Result<Vec<String>, Error> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match (quote, c) {
            (Some(end), c) if c == end => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if quote.is_some() {
        return Err(Error::invalid("--then", format!("has a quote that is not closed: {text}")));
    }
    let verbs = || PAGES.iter().map(|(verb, _)| *verb).filter(|verb| *verb != "watch");
    match words.first() {
        Some(verb) if verbs().any(|known| known == verb) => Ok(words),
        Some(verb) if verb == "watch" => Err(Error::invalid("--then", "a watch runs no other watch")),
        Some(verb) => {
            let near = nearest(verb, verbs());
            let near = near.first().map_or_else(String::new, |near| format!("; did you mean {near}?"));
            Err(Error::invalid("--then", format!("begins with {verb}, which is no verb{near}")))
        }
        None => Err(Error::invalid("--then", "is empty")),
    }
}

/// Whether a command writes no mesh.
fn only_reads(command: &[String]) -> bool {
    const READING: [&str; 10] =
        ["check", "scan", "info", "list", "show", "dump", "draw", "locate", "path", "reach"];
    let verb = command.first().is_some_and(|verb| READING.contains(&&**verb));
    verb && !command.iter().any(|word| word == "--in-place")
}

/// What runs when a mesh has changed.
struct Runs {
    program: PathBuf,
    commands: Vec<Vec<String>>,
}

impl Runs {
    /// Runs every command on a mesh. The worst status.
    fn each(&self, path: &Path, stop: &AtomicBool) -> Result<Exit, Failure> {
        let mut worst = Exit::Clean;
        for command in &self.commands {
            if stop.load(SeqCst) {
                return Ok(Exit::Stopped);
            }
            let (exit, fared) = self.one(command, path);
            match exit {
                Exit::Clean => {
                    say(format_args!("navmap: {}: {}: {fared}", path_text(path), command.join(" ")))
                }
                _ => complain(format_args!("navmap: {}: {}: {fared}", path_text(path), command.join(" "))),
            }
            worst = worst.max(exit);
        }
        Out::new().flush()?;
        Ok(worst)
    }

    /// Runs one command, and says how it fared.
    fn one(&self, command: &[String], path: &Path) -> (Exit, String) {
        let status = match Command::new(&self.program).args(arguments(command, path)).status() {
            Ok(status) => status,
            Err(error) => {
                return (Exit::Failed, format!("{} does not start: {error}", path_text(&self.program)));
            }
        };
        match status.code() {
            Some(0) => (Exit::Clean, "all is well".to_owned()),
            Some(1) => (Exit::Findings, "exit status 1".to_owned()),
            Some(code) => (Exit::Failed, format!("exit status {code}")),
            None => (Exit::Failed, "was ended".to_owned()),
        }
    }
}

/// The words of a command with the mesh put in.
fn arguments(command: &[String], path: &Path) -> Vec<OsString> {
    let name = beside::map_name(path);
    let mut named = false;
    let mut arguments: Vec<OsString> = Vec::new();
    for word in command {
        if word == "{}" {
            named = true;
            arguments.push(no_option(path.into()));
            continue;
        }
        // A name that is no text can only stand alone.
        let text = path.to_string_lossy();
        named |= word.contains("{}");
        let made = word.replace("{}", &text).replace("{name}", &name).into();
        arguments.push(if word.starts_with('-') { made } else { no_option(made) });
    }
    if !named {
        arguments.push(no_option(path.into()));
    }
    arguments
}

/// A word that begins with the name of a file, which may begin as an option does.
fn no_option(word: OsString) -> OsString {
    if !word.as_encoded_bytes().starts_with(b"-") {
        return word;
    }
    let mut path = OsString::from("./");
    path.push(word);
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_words_of_which_the_first_is_a_verb() {
        assert_eq!(words("check --code 'a b',c  \"\"").unwrap(), ["check", "--code", "a b,c", ""]);
        assert_eq!(
            words("chek").unwrap_err().to_string(),
            "--then: begins with chek, which is no verb; did you mean check?"
        );
        assert!(words("draw 'x").is_err() && words("  ").is_err());
        assert_eq!(words("watch x").unwrap_err().to_string(), "--then: a watch runs no other watch");
    }

    #[test]
    fn the_mesh_is_put_where_it_is_asked_for() {
        let of = |text: &str| arguments(&words(text).unwrap(), Path::new("maps/a.nav"));
        assert_eq!(of("check -q"), ["check", "-q", "maps/a.nav"]);
        assert_eq!(of("draw {} -o out/{name}.svg"), ["draw", "maps/a.nav", "-o", "out/a.svg"]);
        assert_eq!(of("slim {} -o {}.slim"), ["slim", "maps/a.nav", "-o", "maps/a.nav.slim"]);
        let of = |text: &str| arguments(&words(text).unwrap(), Path::new("--in-place.nav"));
        assert_eq!(of("check -q"), ["check", "-q", "./--in-place.nav"]);
        assert_eq!(of("draw {} -o {name}.svg"), ["draw", "./--in-place.nav", "-o", "./--in-place.svg"]);
        assert_eq!(of("slim {} --output={}"), ["slim", "./--in-place.nav", "--output=--in-place.nav"]);
    }
}
