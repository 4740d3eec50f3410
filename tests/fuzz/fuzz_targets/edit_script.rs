#![no_main]
//! A script, run on a mesh: no panic, a refused command changes nothing, and everything can be taken back.

use navmap::edit::{Editor, SessionOptions, Session};
use navmap::format::source::edit::SourceEditor;
use navmap::format::source::{SourceBuf, SourceNav};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    const MESH: &[u8] = include_bytes!("../../../corpus/source/v16-2-tf2.nav");
    // A short script: a long one costs time and tells nothing more.
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(2048)]);
    let mesh = SourceBuf::read(&SourceNav::parse(MESH).unwrap()).unwrap();
    for game_exact in [false, true] {
        let mut editor = SourceEditor::new(mesh.clone()).unwrap();
        editor.force_odd(true);
        editor.keep_visibility(!game_exact);
        let mut session = Session::new(editor, SessionOptions { game_exact, journal: true, ..SessionOptions::default() });
        session.script(&text, |_| std::ops::ControlFlow::Continue(()));
        let _ = session.complete(&text, &["quit"]);
        let _ = session.editor().report().to_string();
        let journal = session.journal().to_string();
        session.undo(usize::MAX);
        assert!(session.editor().encode().unwrap() == MESH, "taken back");
        session.replay(&journal, |_| std::ops::ControlFlow::Continue(()));
    }
});
