//! The library as C and C++ see it: installed, found by pkg-config, compiled against, run.
#![cfg(target_os = "linux")]

use navmap_testkit::corpus::bundled;
use navmap_testkit::temp::Temp;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const HERE: &str = env!("CARGO_MANIFEST_DIR");
const STRICT: [&str; 5] = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-g"];

/// Whether a program is there. It says so where it is not, because what needs it is skipped.
fn has(program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok_and(|done| done.status.success());
    if !there {
        eprintln!("skipped: {program} is not installed");
    }
    there
}

fn run(command: &mut Command) -> Output {
    let done = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = [&done.stdout, &done.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(done.status.success(), "{command:?}: {}\n{}{}", done.status, said[0], said[1]);
    done
}

/// The folder in which this build of the library lies: beside the tests.
fn built() -> PathBuf {
    let folder = env::current_exe().unwrap().parent().unwrap().to_path_buf();
    for name in ["libnavmap_c.so", "libnavmap_c.a"] {
        assert!(folder.join(name).is_file(), "{name} is not in {}", folder.display());
    }
    folder
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Static,
    Shared,
}

/// An installed library.
struct Installed {
    prefix: PathBuf,
    kind: Kind,
}

impl Installed {
    fn new(kind: Kind, temp: &Temp) -> Self {
        let prefix = temp.join(format!("{kind:?}"));
        let target = if kind == Kind::Static { "install-static" } else { "install-shared" };
        let mut make = Command::new("make");
        make.args(["-s", "-C", HERE, target]);
        make.arg(format!("PREFIX={}", prefix.display())).arg(format!("BUILT={}", built().display()));
        run(&mut make);
        Self { prefix, kind }
    }

    /// Flags to compile and link, from pkg-config or, where that is missing, from the same file.
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

    /// Compiles a program in the language of the compiler.
    fn compile(&self, language: Language, source: &Path, more: &[&str], out: &Path) {
        let mut command = Command::new(language.compiler());
        command.args(language.flags()).args(STRICT).args(more).arg(source).args(self.flags());
        command.args(["-pthread", "-lm", "-o"]).arg(out);
        run(&mut command);
    }

    /// A command that finds the shared library.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("LD_LIBRARY_PATH", self.prefix.join("lib"));
        command
    }
}

#[derive(Clone, Copy, Debug)]
enum Language {
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

fn tools() -> bool {
    has("cc") && has("c++") && has("make")
}

/// Flags of a debug build, in which more statuses can be provoked.
fn debug() -> &'static [&'static str] {
    if cfg!(debug_assertions) { &["-DNAVMAP_DEBUG_LIBRARY"] } else { &[] }
}

/// A folder for the program: two tiles of a map, of which the one between is missing.
fn folder(name: &str) -> Temp {
    let temp = Temp::new(name);
    for tile in ["plain_101_102_nav.nav2", "plain_103_102_nav.nav2"] {
        temp.file(
            Path::new("torn").join(tile),
            &std::fs::read(bundled().join("fox/set").join(tile)).unwrap(),
        );
    }
    temp
}

fn program() -> PathBuf {
    Path::new(HERE).join("tests/c/program.c")
}

#[test]
fn one_program_runs_as_c99_and_as_cpp17_against_both_libraries() {
    if !tools() {
        return;
    }
    let temp = folder("c-program");
    for kind in [Kind::Shared, Kind::Static] {
        let installed = Installed::new(kind, &temp);
        for language in [Language::C99, Language::Cpp17] {
            let out = temp.join(format!("program-{kind:?}-{language:?}"));
            installed.compile(language, &program(), debug(), &out);
            let done = run(installed.command(&out).arg(bundled()).arg(temp.path()));
            assert_eq!(String::from_utf8(done.stdout).unwrap(), "every status was provoked\n");
        }
    }
}

#[test]
fn the_program_is_clean_under_address_sanitizer_and_valgrind() {
    if !tools() {
        return;
    }
    let temp = folder("c-clean");
    let installed = Installed::new(Kind::Static, &temp);
    let out = temp.join("sanitized");
    let flags = [debug(), &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]].concat();
    installed.compile(Language::C99, &program(), &flags, &out);
    run(installed.command(&out).arg(bundled()).arg(temp.path()).arg("20"));
    if has("valgrind") {
        let out = temp.join("watched");
        installed.compile(Language::C99, &program(), debug(), &out);
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["-q", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite"]);
        run(valgrind.arg(&out).arg(bundled()).arg(temp.path()).arg("3"));
    }
}

#[test]
fn an_installed_library_is_what_a_linker_looks_for() {
    if !tools() {
        return;
    }
    let temp = Temp::new("c-installed");
    let stage = temp.join("stage");
    let mut make = Command::new("make");
    make.args(["-s", "-C", HERE, "install", "PREFIX=/opt/navmap"]);
    make.arg(format!("DESTDIR={}", stage.display())).arg(format!("BUILT={}", built().display()));
    run(&mut make);
    let lib = stage.join("opt/navmap/lib");
    let link = |name: &str| std::fs::read_link(lib.join(name)).unwrap().to_string_lossy().into_owned();
    let (major, version) = (env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION"));
    assert_eq!(link("libnavmap.so"), format!("libnavmap.so.{major}"));
    assert_eq!(link(&format!("libnavmap.so.{major}")), format!("libnavmap.so.{version}"));
    let written = std::fs::read_to_string(lib.join("pkgconfig/navmap.pc")).unwrap();
    assert!(
        written.contains("libdir=/opt/navmap/lib\n") && written.contains(&format!("Version: {version}\n")),
        "{written}"
    );
    assert!(!written.contains('@'), "{written}");
    let bytes = std::fs::read(lib.join(format!("libnavmap.so.{version}"))).unwrap();
    let soname = format!("libnavmap.so.{major}\0");
    assert!(bytes.windows(soname.len()).any(|window| window == soname.as_bytes()));
    let mut away = Command::new("make");
    run(away
        .args(["-s", "-C", HERE, "uninstall", "PREFIX=/opt/navmap"])
        .arg(format!("DESTDIR={}", stage.display())));
    assert!(!lib.join("libnavmap.a").exists() && !lib.join("pkgconfig/navmap.pc").exists());
}
