//! A system that starts no thread for the program: every run does its work on the one that it has.

use navmap_testkit::corpus::bundled;
use std::process::{Command, Output};

/// Runs the program as a user who may have one process, as the limit does not hold for root.
fn alone(args: &[&str]) -> Output {
    let script = r#"
        within='ulimit -u 1 && exec "$0" "$@"'
        [ "$(id -u)" != 0 ] && exec bash -c "$within" "$@"
        exec setpriv --reuid=65534 --regid=65534 --clear-groups bash -c "$within" "$@"
    "#;
    let mut command = Command::new("bash");
    command.args(["-c", script, "bash", env!("CARGO_BIN_EXE_navmap")]).args(args);
    command.current_dir(bundled()).output().unwrap()
}

#[test]
fn what_is_shared_out_is_done_by_one_thread_if_no_other_can_be_started() {
    let version = alone(&["--version"]);
    if !version.status.success() {
        return eprintln!("skipped: {}", String::from_utf8_lossy(&version.stderr));
    }
    let runs: [(&[&str], i32); 4] = [
        (&["fix", "skyrim/order", "--dry-run"], 1),
        (&["conflicts", "skyrim/order"], 1),
        (&["diff", "source", "source"], 0),
        (&["draw", "source", "-o", "-"], 0),
    ];
    for (args, wanted) in runs {
        let (one, usual) = (alone(args), super::navmap().args(args).current_dir(bundled()).output().unwrap());
        let said = String::from_utf8_lossy(&one.stderr);
        assert_eq!(one.status.code(), Some(wanted), "{args:?}: {said}");
        assert!((one.status, one.stdout) == (usual.status, usual.stdout), "{args:?}: {said}");
    }
}
