//! One program in C99 and C++17, which provokes every status; the wrapper for C++; the example of a plug-in.

use crate::built::{HERE, Installed, Kind, Language, built, debug, folder, has, program, run, tools};
use navmap_testkit::corpus::bundled;
use navmap_testkit::temp::Temp;
use std::path::Path;
use std::process::Command;

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
        // An optimised build compares the value of an `Option` before it tests for `Some`. That is correct, since the result is
        // then unused, but valgrind cannot know.
        valgrind.args(["-q", "--error-exitcode=9", "--undef-value-errors=no"]);
        valgrind.args(["--leak-check=full", "--errors-for-leak-kinds=definite"]);
        run(valgrind.arg(&out).arg(bundled()).arg(temp.path()).arg("3"));
    }
}

#[test]
fn bots_follow_ways_filter_areas_and_hide_in_c99_and_cpp17() {
    if !tools() {
        return;
    }
    let temp = folder("c-bots");
    let installed = Installed::new(Kind::Static, &temp);
    let source = Path::new(HERE).join("tests/c/bots.c");
    let flags = [debug(), &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]].concat();
    for language in [Language::C99, Language::Cpp17] {
        let out = temp.join(format!("bots-{language:?}"));
        installed.compile(language, &source, &flags, &out);
        let done = run(installed.command(&out).arg(bundled()));
        assert_eq!(String::from_utf8(done.stdout).unwrap(), "bots walk\n");
    }
}

#[test]
fn servers_watch_slots_change_tiles_move_crowds_and_make_meshes_in_c99_and_cpp17() {
    if !tools() {
        return;
    }
    let temp = folder("c-server");
    std::fs::create_dir_all(temp.join("deep/below")).unwrap();
    let installed = Installed::new(Kind::Static, &temp);
    let source = Path::new(HERE).join("tests/c/server.c");
    let flags = [debug(), &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]].concat();
    for language in [Language::C99, Language::Cpp17] {
        let out = temp.join(format!("server-{language:?}"));
        installed.compile(language, &source, &flags, &out);
        let done = run(installed.command(&out).arg(bundled()).arg(temp.path()));
        assert_eq!(String::from_utf8(done.stdout).unwrap(), "servers serve\n");
    }
}

#[test]
fn what_does_not_fit_is_refused_by_its_name_in_c99_and_cpp17() {
    if !tools() {
        return;
    }
    let temp = folder("c-refused");
    let installed = Installed::new(Kind::Static, &temp);
    let source = Path::new(HERE).join("tests/c/refused.c");
    let flags = [debug(), &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]].concat();
    for language in [Language::C99, Language::Cpp17] {
        let out = temp.join(format!("refused-{language:?}"));
        installed.compile(language, &source, &flags, &out);
        let done = run(installed.command(&out).arg(bundled()));
        assert_eq!(String::from_utf8(done.stdout).unwrap(), "refused\n");
    }
}

#[test]
fn forked_processes_do_all_that_their_parent_does() {
    if !tools() {
        return;
    }
    let temp = folder("c-forked");
    let installed = Installed::new(Kind::Shared, &temp);
    let out = temp.join("forked");
    installed.compile(Language::C99, &Path::new(HERE).join("tests/c/forked.c"), debug(), &out);
    let done = run(installed.command(&out).arg(bundled()));
    assert_eq!(String::from_utf8(done.stdout).unwrap(), "children work\n");
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
    let version = env!("CARGO_PKG_VERSION");
    // Before 1.0 a minor version may break programs, and is not taken in place of another.
    let line = match env!("CARGO_PKG_VERSION_MAJOR") {
        "0" => concat!("0.", env!("CARGO_PKG_VERSION_MINOR")),
        major => major,
    };
    assert_eq!(link("libnavmap.so"), format!("libnavmap.so.{line}"));
    assert_eq!(link(&format!("libnavmap.so.{line}")), format!("libnavmap.so.{version}"));
    let written = std::fs::read_to_string(lib.join("pkgconfig/navmap.pc")).unwrap();
    assert!(
        written.contains("libdir=/opt/navmap/lib\n") && written.contains(&format!("Version: {version}\n")),
        "{written}"
    );
    assert!(!written.contains('@'), "{written}");
    let config = std::fs::read_to_string(lib.join("cmake/navmap/navmapConfig.cmake")).unwrap();
    assert!(config.contains("\"/opt/navmap/lib\"") && !config.contains('@'), "{config}");
    let bytes = std::fs::read(lib.join(format!("libnavmap.so.{version}"))).unwrap();
    let soname = format!("libnavmap.so.{line}\0");
    assert!(bytes.windows(soname.len()).any(|window| window == soname.as_bytes()));
    let mut away = Command::new("make");
    run(away
        .args(["-s", "-C", HERE, "uninstall", "PREFIX=/opt/navmap"])
        .arg(format!("DESTDIR={}", stage.display())));
    let gone = ["libnavmap.a", "pkgconfig/navmap.pc", "cmake/navmap"];
    assert!(gone.iter().all(|name| !lib.join(name).exists()));
}

#[test]
fn the_wrapper_for_cpp_holds_what_it_says_in_both_standards() {
    if !tools() {
        return;
    }
    let temp = folder("c-wrapper");
    let installed = Installed::new(Kind::Static, &temp);
    let source = Path::new(HERE).join("tests/c/wrapper.cpp");
    for (standard, spans) in [("-std=c++17", "its own span\n"), ("-std=c++20", "std::span\n")] {
        let out = temp.join("wrapper");
        installed.compile(Language::Cpp17, &source, &[standard, "-fsanitize=address,undefined"], &out);
        let done = run(installed.command(&out).arg(bundled()).arg(temp.path()));
        assert_eq!(String::from_utf8(done.stdout).unwrap(), spans);
    }
}

#[test]
fn the_wrapper_and_the_plug_in_build_with_the_flags_of_game_servers() {
    if !tools() {
        return;
    }
    let temp = folder("c-bare");
    let installed = Installed::new(Kind::Static, &temp);
    let (bare, plugin) =
        (Path::new(HERE).join("tests/c/bare.cpp"), Path::new(HERE).join("examples/plugin.cpp"));
    let flags = ["-fno-exceptions", "-fno-rtti"];
    let out = temp.join("bare");
    installed.compile(Language::Cpp17, &bare, &flags, &out);
    let done = run(installed.command(&out).arg(bundled()));
    assert_eq!(String::from_utf8(done.stdout).unwrap(), "without exceptions\n");
    if has("valgrind") {
        // The suppression says why the one thing is no fault that valgrind reports.
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["-q", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite"]);
        valgrind.arg(format!("--suppressions={}", Path::new(HERE).join("navmap.supp").display()));
        run(valgrind.arg(&out).arg(bundled()));
    }
    // Servers of 32 bits, where their headers are installed.
    let empty = temp.join("empty.cpp");
    std::fs::write(&empty, "#include <vector>\nint main() {}\n").unwrap();
    for machine in ["-m64", "-m32"] {
        let compile = |source: &Path| {
            let mut compile = Command::new("c++");
            compile.args([
                "-std=c++17",
                "-Wall",
                "-Wextra",
                "-pedantic",
                "-Werror",
                "-fsyntax-only",
                machine,
            ]);
            compile.args(flags).arg("-I").arg(Path::new(HERE).join("include")).arg(source);
            compile
        };
        if compile(&empty).output().is_ok_and(|done| done.status.success()) {
            run(&mut compile(&bare));
            run(&mut compile(&plugin));
        } else {
            eprintln!("skipped: no headers for {machine}");
        }
    }
}

#[test]
fn cmake_finds_the_installed_library() {
    if !tools() || !has("cmake") {
        return;
    }
    let temp = folder("c-cmake");
    for kind in [Kind::Shared, Kind::Static] {
        let installed = Installed::new(kind, &temp);
        let project = temp.join(format!("project-{kind:?}"));
        std::fs::create_dir_all(&project).unwrap();
        let version = env!("CARGO_PKG_VERSION");
        let text = format!(
            "cmake_minimum_required(VERSION 3.13)\nproject(bot CXX)\nset(CMAKE_CXX_STANDARD 17)\n\
             find_package(navmap {version} REQUIRED)\nadd_executable(bot bot.cpp)\n\
             target_link_libraries(bot navmap::navmap)\n"
        );
        std::fs::write(project.join("CMakeLists.txt"), text).unwrap();
        let source = "#include <navmap.hpp>\nint main() { return navmap_version() == nullptr; }\n";
        std::fs::write(project.join("bot.cpp"), source).unwrap();
        let mut configure = Command::new("cmake");
        configure.arg("-S").arg(&project).arg("-B").arg(project.join("build"));
        run(configure.arg(format!("-DCMAKE_PREFIX_PATH={}", installed.prefix().display())));
        run(Command::new("cmake").arg("--build").arg(project.join("build")));
        run(&mut installed.command(&project.join("build/bot")));
    }
}

#[test]
fn the_plug_in_answers_from_two_threads_while_its_mesh_is_replaced() {
    if !tools() {
        return;
    }
    let temp = folder("c-plugin");
    let installed = Installed::new(Kind::Shared, &temp);
    let source = Path::new(HERE).join("examples/plugin.cpp");
    let out = temp.join("plugin");
    installed.compile(Language::Cpp17, &source, &["-DNAVMAP_EXAMPLE_HOST"], &out);
    let [first, second] = ["town.nav", "v16-2-tf2.nav"].map(|name| bundled().join("source").join(name));
    let done = run(installed.command(&out).args([first, second]).arg(temp.join("live.nav")));
    let said = String::from_utf8(done.stdout).unwrap();
    let last: Vec<u64> = said
        .lines()
        .last()
        .unwrap()
        .split(|letter: char| !letter.is_ascii_digit())
        .filter_map(|word| word.parse().ok())
        .collect();
    let [ticks, answers, ways, generation, refused, threads] = last[..] else { panic!("{said}") };
    assert_eq!((generation, refused, threads), (3, 1, 2), "{said}");
    assert!(ticks > 100 && answers > 100 && ways > 0 && ways <= answers, "{said}");
    assert!(said.contains("the old mesh stays: ") && said.contains(", byte 0x"), "{said}");
}

/// Programs in a page: blocks of a language that have a `main`.
fn programs<'p>(page: &'p str, language: &str) -> Vec<&'p str> {
    let blocks = page.split("\n```").skip(1).step_by(2);
    blocks
        .filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n'))
        .filter(|code| code.contains("int main"))
        .collect()
}

#[test]
fn programs_of_the_manual_run() {
    if !tools() {
        return;
    }
    let root = bundled().parent().unwrap().to_path_buf();
    let temp = folder("c-manual");
    let installed = Installed::new(Kind::Shared, &temp);
    let manual = std::fs::read_to_string(root.join("docs/c.md")).unwrap();
    let mut count = 0;
    for (name, language) in [("c", Language::C99), ("cpp", Language::Cpp17)] {
        for code in programs(&manual, name) {
            let source = temp.file(format!("program.{name}"), code.as_bytes());
            let out = temp.join("manual");
            installed.compile(language, &source, &[], &out);
            run(installed.command(&out).current_dir(&root));
            count += 1;
        }
    }
    assert_eq!(count, 3);
    // Whatever the manual names is declared by the header, or is a target of the package of CMake.
    let cited = manual.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let known: Vec<String> = crate::declared::entries().into_iter().map(|entry| entry.name).collect();
    let types = crate::declared::header();
    let package = std::fs::read_to_string(Path::new(HERE).join("navmapConfig.cmake.in")).unwrap();
    for word in cited.filter(|word| word.starts_with("navmap_")) {
        let target = package.contains(&format!("add_library(navmap::{word} "));
        assert!(
            known.iter().any(|name| name == word) || types.contains(word) || target,
            "{word} is in the manual alone"
        );
    }
}
