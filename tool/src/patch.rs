//! `navmap patch`: runs the script of a difference on another version of a mesh.

use super::{Exit, Failure, args, edit};

/// Lines that do not fit the mesh are refused, each with its number, as in any script.
pub(super) fn run(typed: args::Patch) -> Result<Exit, Failure> {
    let args::Patch { path, script, goal, dry_run, keep_going, open } = typed;
    edit::run(&args::Edit {
        path,
        command: Vec::new(),
        script: vec![script],
        replay: None,
        goal,
        dry_run,
        keep_going,
        recompute: Vec::new(),
        keep: false,
        journal: None,
        bsp: None,
        models: Vec::new(),
        any_map: false,
        game_exact: false,
        keep_tail: false,
        force_odd: false,
        places: None,
        open,
    })
}
