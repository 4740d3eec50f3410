//! The installed library, found by pkg-config, and programs compiled against it.

use navmap_testkit::corpus::bundled;
use navmap_testkit::temp::Temp;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub(crate) const HERE: &str = env!("CARGO_MANIFEST_DIR");
const STRICT: [&str; 5] = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-g"];

/// Whether a program is installed. Reports a missing one, because its tests are skipped.
pub(crate) fn has(program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok_and(|done| done.status.success());
    if !there {
        eprintln!("skipped: {program} is not installed");
    }
    there
}

pub(crate) fn run(command: &mut Command) -> Output {
    let done = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = [&done.stdout, &done.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(done.status.success(), "{command:?}: {}\n{}{}", done.status, said[0], said[1]);
    done
}

/// The folder of this build of the library: the one with the tests.
pub(crate) fn built() -> PathBuf {
    let folder = env::current_exe().unwrap().parent().unwrap().to_path_buf();
    for name in ["libnavmap_c.so", "libnavmap_c.a"] {
        assert!(folder.join(name).is_file(), "{name} is not in {}", folder.display());
    }
    folder
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Static,
    Shared,
}

/// An installed library.
pub(crate) struct Installed {
    prefix: PathBuf,
    kind: Kind,
}

impl Installed {
    pub(crate) fn new(kind: Kind, temp: &Temp) -> Self {
        let prefix = temp.join(format!("{kind:?}"));
        let target = if kind == Kind::Static { "install-static" } else { "install-shared" };
        let mut make = Command::new("make");
        make.args(["-s", "-C", HERE, target]);
        make.arg(format!("PREFIX={}", prefix.display())).arg(format!("BUILT={}", built().display()));
        run(&mut make);
        Self { prefix, kind }
    }

    /// Where it is installed.
    pub(crate) fn prefix(&self) -> &Path {
        &self.prefix
    }

    /// Flags to compile and link, from pkg-config or, if that is missing, from the same file.
    fn flags(&self) -> Vec<String> {
        let folder = self.prefix.join("lib/pkgconfig");
        let fixed = self.kind == Kind::Static;
        let text = if has("pkg-config") {
            let mut command = Command::new("pkg-config");
            command.args(["--cflags", "--libs"]).args(fixed.then_some("--static")).arg("navmap");
            String::from_utf8(run(command.env("PKG_CONFIG_PATH", folder)).stdout).unwrap()
        } else {
            let file = std::fs::read_to_string(folder.join("navmap.pc")).unwrap();
            let line = |name: &str| file.lines().find_map(|line| line.strip_prefix(name)).unwrap().to_owned();
            let libs = line("Libs: ")
                + if fixed { " " } else { "" }
                + &if fixed { line("Libs.private: ") } else { String::new() };
            let text = line("Cflags: ") + " " + &libs;
            text.replace("${libdir}", &line("libdir=")).replace("${includedir}", &line("includedir="))
        };
        text.split_whitespace().map(str::to_owned).collect()
    }

    /// Compiles a program with the compiler of its language.
    pub(crate) fn compile(&self, language: Language, source: &Path, more: &[&str], out: &Path) {
        let mut command = Command::new(language.compiler());
        command.args(language.flags()).args(STRICT).args(more).arg(source).args(self.flags());
        command.args(["-pthread", "-lm", "-o"]).arg(out);
        run(&mut command);
    }

    /// A command that finds the shared library.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("LD_LIBRARY_PATH", self.prefix.join("lib"));
        command
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Language {
    C99,
    Cpp17,
}

impl Language {
    fn compiler(self) -> &'static str {
        match self {
            Self::C99 => "cc",
            Self::Cpp17 => "c++",
        }
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Self::C99 => &["-std=c99"],
            Self::Cpp17 => &["-std=c++17", "-x", "c++"],
        }
    }
}

pub(crate) fn tools() -> bool {
    has("cc") && has("c++") && has("make")
}

/// Flags of a debug build, in which more statuses can be provoked.
pub(crate) fn debug() -> &'static [&'static str] {
    if cfg!(debug_assertions) { &["-DNAVMAP_DEBUG_LIBRARY"] } else { &[] }
}

/// A folder for the program: two tiles of a map, with the one between them missing.
pub(crate) fn folder(name: &str) -> Temp {
    let temp = Temp::new(name);
    for tile in ["plain_101_102_nav.nav2", "plain_103_102_nav.nav2"] {
        temp.file(
            Path::new("torn").join(tile),
            &std::fs::read(bundled().join("fox/set").join(tile)).unwrap(),
        );
    }
    temp
}

pub(crate) fn program() -> PathBuf {
    Path::new(HERE).join("tests/c/program.c")
}
