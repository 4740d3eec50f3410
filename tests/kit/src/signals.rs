//! Starts programs that will be sent signals.

use std::process::Command;

/// A program that reacts to SIGINT, SIGTERM and SIGHUP, even if the tests ignore them: a script ignores SIGINT for its background
/// jobs, and child processes inherit that.
pub fn heeding(program: &str) -> Command {
    if ignored() == 0 {
        return Command::new(program);
    }
    let mut command = Command::new("env");
    command.arg("--default-signal=INT,TERM,HUP").arg(program);
    command
}

/// Which of SIGHUP, SIGINT and SIGTERM this process ignores, as bits from signal 1 on; 0 if unknown.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask & (1 << 0 | 1 << 1 | 1 << 14)
}
