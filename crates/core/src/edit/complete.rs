//! Completion of commands: verbs, options, names known to a family.

use super::erased::AnyEditor;
use super::ledger::verbs;
use super::outcome::Role;

/// The words of the last statement with their offsets, and the offset of the last word, which is still being typed.
fn words(line: &str) -> Option<(Vec<&str>, usize)> {
    let (mut words, mut start) = (Vec::new(), 0);
    let (mut quoted, mut depth) = (false, 0_usize);
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            '/' if line.get(at..).is_some_and(|rest| rest.starts_with("//")) => return None,
            ';' => {
                words.clear();
                start = at + 1;
            }
            ' ' | '\t' => {
                words.extend(line.get(start..at).filter(|word| !word.is_empty()));
                start = at + 1;
            }
            _ => {}
        }
    }
    Some((words, start))
}

/// A name as it must be typed: quoted if it has characters that would end it.
fn typed(name: &str) -> String {
    let bare = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '.' | '(');
    if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { format!("\"{name}\"") }
}

/// Completions of the last word of a line: the offset at which the word begins, and its replacements, sorted. `more` are
/// additional verbs of the caller.
pub(super) fn complete(editor: &dyn AnyEditor, line: &str, more: &[&str]) -> (usize, Vec<String>) {
    let Some((words, start)) = words(line) else { return (line.len(), Vec::new()) };
    let word = line.get(start..).unwrap_or_default();
    let names = || verbs(editor).map(|verb| verb.name).chain(more.iter().copied());
    let Some((first, rest)) = words.split_first() else {
        return (start, matching(word, names().map(str::to_owned)));
    };
    let Some(verb) = verbs(editor).find(|verb| verb.name.eq_ignore_ascii_case(first)) else {
        return (start, Vec::new());
    };
    if verb.name == "help" {
        return (start, matching(word, names().chain(["selectors"]).map(str::to_owned)));
    }
    if word.starts_with("--") {
        let options = verb.usage.split(['[', ']', ' ', '|']).filter(|part| part.starts_with("--"));
        return (start, matching(word, options.map(str::to_owned)));
    }
    let suggest = |place| editor.suggest(verb.name, place).into_iter();
    if let Some(option) = rest.last().filter(|word| word.starts_with("--")) {
        let names = matching(word, suggest(Role::Option(option)).map(|name| typed(&name)));
        if !names.is_empty() {
            return (start, names);
        }
    }
    // Inside a selector, only the part after the last operator, comma or parenthesis is completed.
    let operator = word.rfind(['+', '-', '&', '!', '(', ',', '~']).map_or(0, |at| at + 1);
    let part = word.get(operator..).unwrap_or_default();
    let open = word.get(..operator).filter(|before| before.ends_with(['(', ',']));
    if let Some(before) = open.and_then(|before| before.rfind('(').and_then(|at| word.get(..at))) {
        let name = before
            .rfind(|c: char| !c.is_alphanumeric())
            .map_or(before, |at| before.get(at + 1..).unwrap_or_default());
        let names: Vec<String> = suggest(Role::Selector(name)).map(|name| typed(&name)).collect();
        if !names.is_empty() {
            return (start + operator, matching(part, names));
        }
    }
    let mut names: Vec<String> = suggest(Role::Operand).map(|name| typed(&name)).collect();
    if names.is_empty() || operator > 0 {
        names.extend(suggest(Role::Name));
    }
    (start + operator, matching(part, names))
}

/// The names with a word as prefix, in any case.
fn matching(word: &str, names: impl IntoIterator<Item = String>) -> Vec<String> {
    let lower = word.trim_start_matches('"').to_lowercase();
    let begins = |name: &String| name.trim_start_matches('"').to_lowercase().starts_with(&lower);
    let mut names: Vec<String> = names.into_iter().filter(begins).collect();
    names.sort();
    names.dedup();
    names
}
