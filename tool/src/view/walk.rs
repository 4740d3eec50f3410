//! Leads a session back to where it was.

use navmap::edit::AnySession;

/// Takes steps back, or does them again, until so many are in effect. A script may itself have been an `undo` or a `redo`, of several
/// steps.
pub(super) fn walk_to(session: &mut dyn AnySession, steps: usize) {
    let now = session.steps();
    if now > steps {
        session.undo(now - steps);
    } else {
        session.redo(steps - now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use navmap::edit::{Opening, SessionOptions};
    use navmap::open::{Mesh, OpenOptions, edit_with};
    use navmap_testkit::corpus::project;

    #[test]
    fn a_script_is_taken_back_whichever_way_it_walked() {
        let mesh = Mesh::open(project().join("corpus/source/town.nav")).unwrap();
        let (options, opening) = (SessionOptions::default(), Opening::default());
        let mut session = edit_with(&mesh, options, &opening, &OpenOptions::new()).unwrap().session;
        for script in ["nav_delete #1", "nav_delete #3", "nav_delete #5", "nav_delete #7", "undo 2"] {
            session.attempt(script, true).unwrap();
        }
        // What is new forgets what was taken back, so it comes last.
        for script in ["undo", "undo all", "redo", "redo all", "nav_shift 8 0 0 #9; nav_delete #9"] {
            let before = (session.steps(), session.encode().unwrap());
            session.attempt(script, true).unwrap();
            assert_ne!((session.steps(), session.encode().unwrap()), before, "{script}");
            walk_to(&mut *session, before.0);
            assert_eq!((session.steps(), session.encode().unwrap()), before, "{script}");
        }
    }
}
