//! What pages ask of a mesh that they change, and what they are answered.

use super::desk::{Desk, No};
use super::http::Answer;
use navmap::edit::Refusal;
use serde::Deserialize;
use serde_json::{Value, json};

/// A script for a mesh.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    /// The state of the mesh that it is meant for.
    base: u64,
    script: String,
    #[serde(default)]
    dry: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Save {
    base: u64,
    /// A name beside the mesh. Without one, the file itself.
    #[serde(default, rename = "as")]
    name: Option<String>,
}

/// What was left by an earlier run, or what is done when the file has changed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Choice {
    base: u64,
    take: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    line: String,
}

/// What a page has to know before it changes a mesh.
pub(super) fn about(desk: &Desk) -> Answer {
    let mut state = desk.state();
    state["verbs"] = desk.verbs();
    state["fixes"] = desk.fixes();
    Answer::json(200, &state)
}

/// Does what a page asks.
pub(super) fn answer(desk: &mut Desk, what: &str, body: &[u8]) -> Answer {
    let done = match what {
        "run" => read(body).map(|asked| run(desk, &asked)),
        "save" => read(body).map(|asked| save(desk, &asked)),
        "resume" => read(body).map(|Choice { base, take }| refused(desk.resume(base, take))),
        "reload" => read(body).map(|Choice { base, take }| refused(desk.reload(base, take))),
        "complete" => read(body).map(|Line { line }| Ok(desk.complete(&line))),
        _ => return Answer::refusal(404),
    };
    match done {
        None => Answer::refusal(400),
        // That a command would be refused is what was asked.
        Some(Err(No::Refused(refusal))) if what == "run" && is_dry(body) => {
            Answer::json(200, &json!({"refused": why(&refusal), "revision": desk.revision()}))
        }
        Some(Ok(mut said)) => {
            if what != "complete" {
                merge(&mut said, desk.state());
            }
            Answer::json(200, &said)
        }
        Some(Err(no)) => not_done(desk, no),
    }
}

fn read<'b, T: Deserialize<'b>>(body: &'b [u8]) -> Option<T> {
    serde_json::from_slice(body).ok()
}

fn merge(into: &mut Value, from: Value) {
    if let (Value::Object(into), Value::Object(from)) = (into, from) {
        into.extend(from);
    }
}

fn run(desk: &mut Desk, asked: &Run) -> Result<Value, No> {
    let attempt = desk.run(asked.base, &asked.script, asked.dry)?;
    let said: Vec<&String> = attempt.outcomes.iter().flat_map(|outcome| &outcome.said).collect();
    Ok(json!({"said": said, "made": attempt.made, "selected": attempt.selected}))
}

fn save(desk: &mut Desk, asked: &Save) -> Result<Value, No> {
    let written = desk.save(asked.base, asked.name.as_deref())?;
    let name = |path: std::path::PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let said: Vec<String> = written.said.into_iter().collect();
    Ok(json!({"saved": name(written.file), "copy": written.copy.and_then(name), "said": said}))
}

fn refused(done: Result<Vec<String>, No>) -> Result<Value, No> {
    done.map(|refused| json!({"refused": refused}))
}

fn is_dry(body: &[u8]) -> bool {
    read::<Run>(body).is_some_and(|run| run.dry)
}

fn why(refusal: &Refusal) -> Value {
    let spot = refusal.spot().map(|spot| [spot.line, spot.column]);
    let words = refusal.to_string();
    let text = refusal.spot().and_then(|spot| words.strip_prefix(&format!("{spot}: "))).unwrap_or(&words);
    json!({"at": spot, "verb": refusal.verb(), "why": refusal.why(), "text": text})
}

fn not_done(desk: &Desk, no: No) -> Answer {
    match no {
        No::Refused(refusal) => {
            Answer::json(422, &json!({"refused": why(&refusal), "revision": desk.revision()}))
        }
        No::Missed(scripts) => {
            let mut state = desk.state();
            merge(&mut state, json!({"missed": scripts}));
            Answer::json(409, &state)
        }
        No::Changed => Answer::json(412, &json!({"disk": "changed", "revision": desk.revision()})),
        No::Failed(error) => {
            let why = json!({"text": error.without_file().to_string()});
            Answer::json(422, &json!({"refused": why, "revision": desk.revision()}))
        }
    }
}
