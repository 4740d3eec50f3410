//! Programs that are sent signals.

use std::process::Command;

/// A program that takes SIGINT, SIGTERM and SIGHUP, whatever the tests themselves were started with. A script ignores
/// SIGINT for the jobs that it puts into the background, and every program below inherits that.
pub fn heeding(program: &str) -> Command {
    if ignored() == 0 {
        return Command::new(program);
    }
    let mut command = Command::new("env");
    command.arg("--default-signal=INT,TERM,HUP").arg(program);
    command
}

/// Which of SIGHUP, SIGINT and SIGTERM this process ignores, as bits from signal 1 on; 0 if the system does not tell.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask & (1 << 0 | 1 << 1 | 1 << 14)
}
