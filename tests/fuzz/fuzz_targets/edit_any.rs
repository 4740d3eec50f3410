//! A mesh of any family that can be edited, and commands of all of its verbs: no panic, a refused command changes nothing, and
//! everything is taken back. What is written is read again.
#![no_main]

use navmap::format::{AnyNav, ParseOptions};
use navmap::edit::{AnySession, SessionOptions};
use navmap::open::{Mesh, edit};
use std::ops::ControlFlow;

/// Commands with ids of small meshes in them; a family refuses those that it has not.
const COMMANDS: &[&str] = &[
    "nav_crouch all; nav_mark #1",
    "add 1,2,3; add 64,0,16 Kind=air Yaw=90 Floor=-4",
    "set all Origin=5,6,7",
    "set #1 Kind=climb HammerId=7; set #2 Yaw=NaN",
    "set all Hint=1; set #0 Activity=99999",
    "delete #0; delete #1 #2",
    "delete ~@0,0",
    "connect #0 #1 ground+jump --hulls human; connect 0 1",
    "moves #0 #1 none; disconnect #1 #0",
    "flag all; unflag all",
    "move 1 2 3; move 1e30 -1e30 0",
    "clean_links; number_zones",
    "select all; select #1+#2; delete sel",
    "link #0 #1; unlink #0 #1",
    "attribute 0x0001 all; merge_islands I#0 I#1; rebuild_islands",
    "raise 0.1 all --alone; tile 101,102 --grid 2",
    "begin; move 4 0 0; delete all; undo; end",
    "set_links all Time=9 End=1,2,3; connect #1 #2 Start=0,0,24 End=9,0,24; disconnect #1 #2 --nth 1",
    "flag disabled all; remove_links #1+#2; set all Contents=lava",
    "isolate #1; clean; set corners(2) At=1,2,3; set L#7 TopLeft=#1; connect #1 #3 --edge 0 --to 2",
    "radius 16 all; type 1 #1",
    "set all Area=3 Flags=0x7; delete #4294967297; connect #0 #2 --both Radius=2",
    "connect 0,1,3 9,1,3 Area=5; set C#0 End=1,1,7 Both=yes; move 1 0 0 C#0; delete C#0",
    "nav_split #1; nav_merge #1 #2; nav_delete #3",
    "undo; redo; undo all; redo all",
    "status; help; help delete",
];

/// Numbers that follow from the input.
fn dice(bytes: &[u8]) -> impl FnMut(usize) -> usize {
    let mut state = bytes.iter().fold(0x9E37_79B9_u32, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193)) | 1;
    move |most| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as usize % most
    }
}

fn is_refused(session: &mut dyn AnySession, text: &str) -> bool {
    let mut refused = false;
    session.script(text, &mut |done| {
        refused |= done.is_err();
        ControlFlow::Continue(())
    });
    refused
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for name in ["mesh", "mesh.nvnm", "mesh.navjson"] {
        let Ok(mesh) = Mesh::from_vec(name, bytes.to_vec()) else { continue };
        let Ok(mut session) = edit(&mesh, SessionOptions { journal: true, ..SessionOptions::default() }) else { continue };
        let before = session.encode().ok();
        let mut dice = dice(bytes);
        for _ in 0..6 {
            let line = COMMANDS[dice(COMMANDS.len())];
            for statement in line.split("; ") {
                let (was, steps) = (session.encode().ok(), session.steps());
                if is_refused(&mut *session, statement) && !statement.starts_with("end") {
                    assert!(session.steps() == steps && session.encode().ok() == was, "{statement} was refused");
                }
            }
        }
        if let Ok(written) = session.encode() {
            // By its kind: of a graph without nodes nothing but its name tells which it is.
            let read = AnyNav::of_kind(mesh.kind(), &written, &ParseOptions::default());
            assert!(read.is_ok(), "what is written can be read");
        }
        let _ = (session.report(), session.journal(), session.further().is_ok());
        is_refused(&mut *session, "end");
        session.undo(usize::MAX);
        assert!(session.encode().ok() == before, "everything is taken back");
    }
});
