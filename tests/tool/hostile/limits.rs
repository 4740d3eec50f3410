//! The limits are those of the page about them, and its options set them.

use super::navmap;
use navmap::Limits;
use navmap_testkit::bombs::bomb;
use navmap_testkit::temp::Temp;

fn page() -> String {
    std::fs::read_to_string(navmap_testkit::corpus::project().join("docs/limits.md")).unwrap()
}

#[test]
fn the_page_has_the_default_the_option_and_the_field_of_every_limit() {
    let usual = Limits::default();
    let size = |bytes: u64| format!("{} GiB", bytes >> 30);
    for (default, option, field) in [
        (size(usual.file_bytes), "max-file-bytes", "file_bytes"),
        (size(usual.inflated_bytes), "max-inflated", "inflated_bytes"),
        (size(usual.archive_bytes), "max-bytes", "archive_bytes"),
        (usual.inflate_ratio.to_string(), "max-ratio", "inflate_ratio"),
        ("4,194,304".to_owned(), "max-members", "members"),
        (usual.depth.to_string(), "max-depth", "depth"),
    ] {
        let row = format!("| {default} | `--{option}` | `{field}` |");
        assert!(page().contains(&row), "{row}");
        let help = String::from_utf8(navmap().args(["scan", "--help"]).output().unwrap().stdout).unwrap();
        assert!(help.contains(&format!("--{option} ")), "{option}");
    }
    assert_eq!(usual.members, 4_194_304);
    let megabyte = (usual.cost_of(1_000_000) >> 20, usual.held_of(1_000_000) >> 20);
    assert!(page().contains("may cost 127 MiB and hold 42 MiB"), "{megabyte:?}");
    assert_eq!(megabyte, (127, 42));
}

#[test]
fn each_option_sets_its_limit() {
    let temp = Temp::new("limit-options");
    let same = temp.file("same.pak", bomb("same-place.pak"));
    let levels = temp.file("levels.zip", bomb("levels.zip"));
    let zeros = temp.file("zeros.zip", bomb("zeros.zip"));
    let large = temp.file("large.nav", &vec![0; 5000]);
    for (option, value, path, said) in [
        ("--max-members", "100", &same, "members of the archive: 101 is over the limit of 100"),
        ("--max-bytes", "3M", &same, "is over the limit of 3145728"),
        ("--max-ratio", "1", &same, "output of the archive by its ratio: "),
        ("--max-depth", "2", &levels, "depth of archives in archives: 3 is over the limit of 2"),
        ("--max-inflated", "64k", &zeros, "inflated size: "),
        ("--max-file-bytes", "4000", &large, "file size: 5000 is over the limit of 4000"),
    ] {
        let done =
            navmap().args(["scan", "-q", "--format", "jsonl", option, value]).arg(path).output().unwrap();
        let rows = String::from_utf8(done.stdout).unwrap();
        assert_eq!(done.status.code(), Some(1), "{option}: {rows}");
        assert!(rows.lines().any(|row| row.contains(said)), "{option}: {}", rows.lines().last().unwrap());
    }
    for (value, why) in
        [("1X", "X is none of K, M, G, T"), ("many", "many is no number"), ("99999999T", "too large")]
    {
        let refused = navmap().args(["scan", "--max-bytes", value, "."]).output().unwrap();
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(refused.status.code() == Some(2) && said.contains(why), "{said}");
    }
}

/// Of what decodes bytes of strangers, one version is in the program, so that one is looked after.
#[test]
fn each_decompressor_is_locked_in_one_version() {
    let lock = std::fs::read_to_string(navmap_testkit::corpus::project().join("Cargo.lock")).unwrap();
    let count = |name: &str| lock.matches(&format!("name = \"{name}\"\n")).count();
    // `miniz_oxide`: png asks for 0.8, and so does flate2 up to 1.1.9. Those after it ask for 0.9.
    for name in
        ["flate2", "zlib-rs", "miniz_oxide", "bzip2", "libbz2-rs-sys", "lzma-rust2", "ruzstd", "sevenz-rust2"]
    {
        assert_eq!(count(name), 1, "{name}");
    }
    let manifest = std::fs::read_to_string(navmap_testkit::corpus::project().join("Cargo.toml")).unwrap();
    for line in manifest.lines().filter(|line| line.starts_with("flate2 = ")) {
        assert!(line.contains("default-features = false, features = [\"zlib-rs\"]"), "{line}");
    }
}

/// Records that inflate a thousandfold: a limit for each, and not a gigabyte for a megabyte of plugin.
#[test]
fn a_record_inflates_as_far_as_its_stored_bytes_allow() {
    use navmap_testkit::skyrim::plugin::{COMPRESSED, raw_record};
    let temp = Temp::new("record-bombs");
    let zeros = navmap_testkit::skyrim::zlib::zlib(&vec![0; 1_000_000]);
    let bytes = navmap_testkit::skyrim::hostile::three(|plugin, form, _| {
        raw_record(
            b"NAVM",
            plugin.head(form, COMPRESSED),
            &[&1_000_000_u32.to_le_bytes()[..], &zeros].concat(),
        )
    });
    let path = temp.file("bomb.esp", &bytes);
    let allowed = 1024 + 100 / 8 * zeros.len();
    let said = format!("inflated size by its ratio: 1000000 is over the limit of {allowed}");
    let row = |more: &[&str]| {
        let done = navmap().args(["scan", "-q", "--format", "jsonl"]).args(more).arg(&path).output().unwrap();
        String::from_utf8(done.stdout).unwrap()
    };
    assert!(row(&[]).contains(&said), "{}", row(&[]));
    assert!(!row(&["--max-ratio", "3000"]).contains("by its ratio"), "{}", row(&["--max-ratio", "3000"]));
}

/// Each record is within its limit, and together they are twelve times the plugin: every verb ends there, by name, and keeps what came
/// before.
#[test]
fn all_meshes_of_a_plugin_inflate_as_far_as_its_stored_bytes_allow() {
    use navmap_testkit::heavy::named;
    let temp = Temp::new("tenfold");
    let files = named(|name| ["inflated-meshes.esp", "inflated-world.esp"].contains(&name));
    let others = files.iter().rev();
    for (file, other) in files.iter().zip(others) {
        let path = temp.file(&file.name, &file.bytes);
        let told = |args: &[&str]| {
            let mut command = navmap();
            let done = super::run(&file.name, command.args(args).arg(&path));
            [done.stdout, done.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat()
        };
        let out = |end: &str| temp.join(format!("{}.{end}", file.name)).to_str().unwrap().to_owned();
        let (svg, glb, tables) = (out("svg"), out("glb"), out("tables"));
        let other = temp.file("other.esp", &other.bytes).to_str().unwrap().to_owned();
        for args in [
            &["scan", "-q", "--format", "jsonl"][..],
            &["check"],
            &["info"],
            &["dump"],
            &["tables", "-q", "-o", &tables],
            &["draw", "-o", &svg],
            &["export", "-o", &glb],
            &["diff", &other],
            &["fix", "--dry-run", "--format", "jsonl"],
        ] {
            let said = told(args);
            assert!(
                said.contains("inflated size of all meshes by its ratio: ")
                    && said.contains("is over the limit of"),
                "{args:?} {}: {}",
                file.name,
                said.chars().take(2_000).collect::<String>()
            );
        }
        let vertices = |more: &[&str]| {
            let said = told(&[&["scan", "-q", "--format", "jsonl"], more].concat());
            let row: serde_json::Value = serde_json::from_str(said.lines().next().unwrap()).unwrap();
            row["counts"]["vertices"].as_u64().unwrap_or_else(|| panic!("{row}"))
        };
        let (some, all) = (vertices(&[]), vertices(&["--max-ratio", "1000"]));
        assert!(some > 20_000 && all > 2 * some, "{some} {all}");
    }
}

/// No two triangles of a mesh have the same neighbours, so each takes some stored bytes. Where it takes less, it is refused by name,
/// and whoever trusts the file allows more.
#[test]
fn a_compressed_mesh_has_as_many_triangles_as_its_stored_bytes_can_tell_apart() {
    use navmap_testkit::heavy::plugins;
    let temp = Temp::new("repeated");
    let path = temp.file("repeated.esp", &plugins::compressed(6));
    let run = |args: &[&str]| {
        let mut command = navmap();
        let done = super::run("repeated", command.current_dir(temp.path()).args(args).arg(&path));
        [done.stdout, done.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat()
    };
    let limit = "triangles by the stored bytes: 16000 is over the limit of 10";
    for verb in [
        "scan -q --format jsonl",
        "check",
        "info",
        "dump",
        "tables -q -o tables",
        "draw -o out.svg",
        "view --html out.html",
        "export -o out.glb",
        "fix --dry-run --format jsonl",
    ] {
        let said = run(&verb.split(' ').collect::<Vec<_>>());
        assert!(said.contains(limit), "{verb}: {}", said.chars().take(2_000).collect::<String>());
        assert!(!said.contains("counts of empty lists"), "{verb}");
    }
    let said = run(&["scan", "-q", "--format", "jsonl", "--max-ratio", "200"]);
    assert!(said.contains("\"status\":\"ok\"") && !said.contains(limit), "{said}");
    let path = temp.file("compressed.esp", &plugins::compressed(9));
    let done = navmap().args(["scan", "-q", "--format", "jsonl"]).arg(&path).output().unwrap();
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(said.contains("\"status\":\"ok\""), "{said}");
}

/// What compresses as meshes of games do has no limit, however much of it there is.
#[test]
fn a_large_plugin_of_honest_meshes_is_read_whole() {
    use navmap_testkit::skyrim::mesh::{Mesh, Place};
    use navmap_testkit::skyrim::plugin::Plugin;
    use navmap_testkit::skyrim::{SE, navm};
    let temp = Temp::new("honest");
    let mut plugin = Plugin::new(SE.form, SE.hedr, &[SE.master]);
    let (own, count) = (plugin.own(), 300);
    let all: Vec<_> = (0..count)
        .map(|i| {
            navm(&plugin, own + 0x100 + i, &Mesh::sheet(12, Place::Interior(own), 20, 20, i.into()), true)
        })
        .collect();
    plugin.groups.push(plugin.interior(own, &all));
    let bytes = plugin.encode();
    let path = temp.file("honest.esp", &bytes);
    let done = navmap().args(["scan", "-q", "--format", "jsonl"]).arg(&path).output().unwrap();
    let row: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(row["counts"]["triangles"].as_u64(), Some(u64::from(count) * 800), "{row}");
    // The limit would have bitten: much more than a mebibyte is inflated.
    assert!(count as usize * 800 * 16 > 3 << 20 && row["status"] != "error", "{row}");
}

/// Thousands of small maps in a small archive: pages of pixels are refused by name, and those of lines and words are not.
#[test]
fn a_sheet_has_pixels_in_proportion_to_the_archive() {
    use navmap_testkit::archive::{Zipped, zip};
    let temp = Temp::new("sheet");
    let mesh = std::fs::read(navmap_testkit::corpus::bundled_path("source", "v16.nav")).unwrap();
    let names: Vec<String> = (0..500).map(|n| format!("{n}.nav")).collect();
    let archive = |count: usize| {
        let members: Vec<_> =
            names[..count].iter().map(|name| Zipped::deflated(name.as_bytes(), &mesh)).collect();
        zip(&members)
    };
    let (many, few) = (temp.file("many.zip", &archive(500)), temp.file("few.zip", &archive(20)));
    for (path, output, more, limit) in [
        (&many, "a.png", &[][..], true),
        (&many, "b.svg", &[], false),
        (&many, "c.png", &["--thumbnail", "100"], false),
        (&few, "d.png", &[], false),
    ] {
        let mut command = navmap();
        command.arg("draw").args(more).arg("-o").arg(temp.join(output)).arg(path);
        let done = super::run(output, &mut command);
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(said.contains("pixels of a sheet: "), limit, "{output}: {said}");
        // Refused when the first map does not fit, not when all are drawn.
        let asked =
            said.split("pixels of a sheet: ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
        assert!(asked.is_none_or(|asked: u64| asked < 500 * 320 * 320), "{output}: {said}");
        assert_eq!(temp.join(output).exists(), !limit, "{output}: {said}");
    }
}

/// All of them are counted, and so many of each code are printed.
#[test]
fn a_mesh_of_very_many_findings_takes_memory_for_a_part_of_them() {
    use navmap_testkit::source::{Area, Mesh, write};
    const MOST: u32 = navmap::scan::Outcome::MOST as u32;
    let temp = Temp::new("many-findings");
    let area = |i: u32| {
        let [x, y] = [(i % 400) as f32 * 100.0, (i / 400) as f32 * 100.0];
        Area { id: i + 1, nw: [x, y, 0.0], se: [x + 50.0, y + 50.0, 0.0], ..Area::default() }
    };
    let mesh = Mesh {
        version: 16,
        subversion: Some(0),
        analyzed: 1,
        areas: (0..MOST + 1_234).map(area).collect(),
        ..Mesh::default()
    };
    let path = temp.file("a.nav", &write(&mesh));
    for format in ["text", "jsonl"] {
        let done =
            navmap().args(["check", "--code", "isolated", "--format", format]).arg(&path).output().unwrap();
        let (rows, said) = (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap());
        assert_eq!(rows.lines().count(), MOST as usize + 1, "{format}: {said}");
        let last = rows.lines().last().unwrap();
        assert!(last.contains("and 1,234 more") && last.contains("isolated"), "{format}: {last}");
        assert!(said.contains("101,234  info") && said.contains("isolated in 1 mesh"), "{format}: {said}");
    }
}

/// Floors over each other by the thousand: pictures and polygons of them are refused by name, and everything else is answered.
#[test]
fn what_lies_over_each_other_is_not_painted_or_joined_without_end() {
    use navmap_testkit::heavy::source::shape;
    let temp = Temp::new("stacked");
    let over = [
        ("draw", "out.png", "pixels painted over each other: "),
        ("export", "out.navmesh", "comparisons of edges and floors of polygons: "),
        ("draw", "out.svg", ""),
        ("export", "out.geojson", ""),
    ];
    for (name, count) in [("a stack", 10_000), ("areas on one rectangle", 10_000), ("a stack", 20)] {
        let path = temp.file("a.nav", &shape(name)(count));
        for (verb, to, limit) in over {
            let mut command = navmap();
            command.args([verb, "--force", "-o"]).arg(temp.join(to)).arg(&path);
            let done = super::run(name, &mut command);
            let (said, clean) = (String::from_utf8(done.stderr).unwrap(), done.status.code() == Some(0));
            let refused =
                !clean && !limit.is_empty() && said.contains(limit) && said.contains("over the limit of");
            // What is small, or has no limit, is always made; storeys by the thousand are never painted.
            let must_be_made = count < 100 || limit.is_empty();
            let must_not = count > 100 && name == "a stack" && to == "out.png";
            assert!(clean && !must_not || refused && !must_be_made, "{name} {count} {to}: {said}");
        }
    }
}
