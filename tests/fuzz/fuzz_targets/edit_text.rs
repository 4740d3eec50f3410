#![no_main]
//! A text of areas: no panic, and what is imported goes out again as it came in.

use navmap::edit::{Files, SessionOptions, Refusal, Request, Session};
use navmap::format::source::SourceBuf;
use navmap::format::source::edit::SourceEditor;
use navmap::format::source::edit::text::SelectedAreas;

#[derive(Debug)]
struct One(Vec<u8>);

impl Files for One {
    fn read(&self, name: &str, _: &str) -> Result<(String, Vec<u8>), Refusal> {
        Ok((name.to_owned(), self.0.clone()))
    }
}

fn imported(text: &[u8], game_exact: bool) -> Option<Session<SourceEditor>> {
    let mut editor = SourceEditor::new(SourceBuf::new(16, 2)).unwrap();
    editor.force_odd(true);
    let mut session = Session::new(editor, SessionOptions { game_exact, journal: false, ..SessionOptions::default() });
    session.read_through(Box::new(One(text.to_vec())));
    session.line("nav_merge_mesh x --force --allow-jump --drops").ok()?;
    Some(session)
}

fn exported(mut session: Session<SourceEditor>) -> Option<Vec<u8>> {
    match session.line("nav_save_selected all").ok()?.pop()?.request {
        Some(Request::Export { text, .. }) => Some(text),
        _ => None,
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let bytes = &bytes[..bytes.len().min(16 << 10)];
    let _ = imported(bytes, true);
    let Some(session) = imported(bytes, false) else { return };
    let count = session.editor().to_buf().areas.len();
    let Some(text) = exported(session) else { return };
    let read = SelectedAreas::parse(&text).expect("what is written is read");
    // A quote in the name of a place ends it early: the game cannot carry such a place either.
    assert!(read.areas.len() == count || bytes.contains(&b'"'), "{} of {count}", read.areas.len());
});
