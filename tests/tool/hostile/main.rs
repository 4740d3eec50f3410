//! Files that were made to hurt, through every verb: an end, soon, with little memory, and an error that says why.

mod archives;
#[cfg(target_os = "linux")]
mod commands;
#[cfg(target_os = "linux")]
mod faults;
#[cfg(target_os = "linux")]
mod kept;
mod limits;
#[cfg(target_os = "linux")]
mod mapwork;
mod memory;
mod orders;
mod outputs;
mod points;
mod saves;
mod scripts;
mod served;
#[cfg(feature = "sql")]
mod statements;
mod streams;
mod swaps;
#[cfg(target_os = "linux")]
mod threads;
mod writes;

use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn navmap() -> Command {
    let mut command = navmap_testkit::signals::heeding(env!("CARGO_BIN_EXE_navmap"));
    command.current_dir(navmap_testkit::corpus::project());
    command
}

/// Runs the program to its end. A run that takes a minute hangs: each of these takes a second or so, some twenty without
/// optimisation. On a machine that has other things to do a minute is one of its processor.
#[track_caller]
fn run(what: &str, command: &mut Command) -> Output {
    run_on(what, command, Stdio::null())
}

/// Whether a process that has run for so long does not end.
fn hangs(id: u32, passed: Duration) -> bool {
    if passed < Duration::from_secs(60) {
        return false;
    }
    // Hundredths of a second in the program and in the system, the twelfth and thirteenth number after the name.
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let busy: Vec<u64> = after.split_whitespace().skip(11).take(2).filter_map(|n| n.parse().ok()).collect();
    busy.len() < 2 || busy.iter().sum::<u64>() > 6_000 || passed > Duration::from_secs(300)
}

/// As [`run`], with something to read on standard input.
#[track_caller]
fn run_on(what: &str, command: &mut Command, stdin: impl Into<Stdio>) -> Output {
    let temp = navmap_testkit::temp::Temp::new(&format!("hostile-{:?}", std::thread::current().id()));
    let file = |name| std::fs::File::create(temp.join(name)).unwrap();
    let mut child = command.stdin(stdin).stdout(file("out")).stderr(file("err")).spawn().unwrap();
    let begun = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if hangs(child.id(), begun.elapsed()) => {
                child.kill().unwrap();
                panic!("{what}: runs on for more than a minute");
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let read = |name| std::fs::read(temp.join(name)).unwrap();
    Output { status, stdout: read("out"), stderr: read("err") }
}
