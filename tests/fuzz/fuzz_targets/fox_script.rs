#![no_main]
//! A script, run on a tile: no panic, a refused command changes nothing, and everything can be taken back.

use navmap::edit::{Editor, SessionOptions, Session};
use navmap::format::fox::edit::FoxEditor;
use navmap::format::fox::{FoxBuf, FoxNav};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    const TILE: &[u8] = include_bytes!("../../../corpus/fox/standalone.nav2");
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(2048)]);
    let tile = FoxBuf::from_bytes(TILE).unwrap();
    let options = SessionOptions { game_exact: false, journal: true, ..SessionOptions::default() };
    let mut session = Session::new(FoxEditor::new(tile).unwrap(), options);
    session.script(&text, |_| std::ops::ControlFlow::Continue(()));
    let _ = session.complete(&text, &["quit"]);
    let _ = session.editor().report().to_string();
    let now = session.editor().encode().expect("a command that does not fit is refused");
    FoxNav::parse(&now).expect("what is written can be read");
    let journal = session.journal().to_string();
    session.undo(usize::MAX);
    assert!(session.editor().encode().unwrap() == TILE, "taken back");
    session.replay(&journal, |_| std::ops::ControlFlow::Continue(()));
});
