//! The command line tool `navmap`.

#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    navmap::cli::main()
}
