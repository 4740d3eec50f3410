//! The rules of `docs/rules.md` that are about files, each held over every kind of file that there is, and about options. A
//! new kind comes under them with its first file in `corpus/`.

#![cfg(feature = "archive")]

mod told;

use navmap::bytes::Scratch;
use navmap::format::{AnyNav, Kind, ParseOptions};
use navmap::graph::Units;
use navmap::{Counts, ErrorKind, Finding, NavFile, Severity};
use navmap_testkit::corpus;
use navmap_testkit::sources::{Source, library};
use std::fs;
use std::path::{Path, PathBuf};

/// A sound file of the bundled corpus.
struct Sample {
    path: PathBuf,
    kind: Kind,
    bytes: Vec<u8>,
}

fn gather(folder: &Path, found: &mut Vec<Sample>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("hostile") && !path.ends_with("odd") {
                gather(&path, found);
            }
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        if let Some(kind) = Kind::sniff(&bytes, Some(&path)) {
            found.push(Sample { path, kind, bytes });
        }
    }
}

/// Every sound file, by kind; each kind has some.
fn samples() -> Vec<Sample> {
    let mut found = Vec::new();
    gather(&corpus::bundled(), &mut found);
    for kind in Kind::ALL {
        assert!(found.iter().any(|sample| sample.kind == *kind), "no file of kind {kind} in corpus/");
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn survey(bytes: &[u8], path: &Path) -> navmap::Result<(Counts, Vec<Finding>)> {
    let nav = AnyNav::parse(bytes, Some(path), &ParseOptions::new())?;
    let (mut counts, mut found) = (Counts::default(), Vec::new());
    nav.survey(&mut Scratch::new(), &mut counts, &mut |finding| found.push(finding))?;
    Ok((counts, found))
}

fn is_guessed(finding: &Finding) -> bool {
    ["experimental-layout", "unknown-subversion"].contains(&finding.code)
}

#[test]
fn bytes_after_the_end_are_a_warning_and_with_lenient_information() {
    let mut held = Vec::new();
    for Sample { path, kind, mut bytes } in samples() {
        let end = bytes.len() as u64;
        let (_, before) = survey(&bytes, &path).unwrap();
        // Kinds without an end of their own, and layouts that are proven by the end of the file alone.
        let nav = AnyNav::parse(&bytes, Some(&path), &ParseOptions::new()).unwrap();
        let open_ended = match kind {
            Kind::Plugin | Kind::Grids | Kind::NavJson => true,
            Kind::Source2 => nav.summary().subversion != Some(0),
            _ => false,
        };
        if open_ended || before.iter().any(|f| is_guessed(f) || f.code == "stale-tail") {
            continue;
        }
        bytes.extend([0xAA; 7]);
        let (_, found) = survey(&bytes, &path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let told = found.iter().find(|f| [Finding::TRAILING, "stale-tail"].contains(&f.code));
        let told = told.unwrap_or_else(|| panic!("{}: {found:?}", path.display()));
        // What GoldSrc leaves behind a mesh that it saves over is normal there.
        let severity = if told.code == "stale-tail" { Severity::Info } else { Severity::Warning };
        assert_eq!((told.severity, told.at.offset), (severity, Some(end)), "{}", path.display());
        let mut lenient = ParseOptions::new();
        lenient.lenient = true;
        assert_eq!(lenient.weigh(told.clone()).severity, Severity::Info);
        held.push(kind);
    }
    for kind in Kind::ALL.iter().filter(|kind| !matches!(kind, Kind::Plugin | Kind::Grids | Kind::NavJson)) {
        assert!(held.contains(kind), "no file of kind {kind} could be made longer");
    }
}

#[test]
fn a_survey_adds_to_the_counts_it_is_given_and_names_all_columns() {
    for Sample { path, kind, bytes } in samples() {
        let (fresh, _) = survey(&bytes, &path).unwrap();
        let names: Vec<_> = fresh.iter().map(|(name, _)| name).collect();
        assert_eq!(names, kind.counts(), "{}", path.display());
        let nav = AnyNav::parse(&bytes, Some(&path), &ParseOptions::new()).unwrap();
        let mut twice = fresh;
        nav.survey(&mut Scratch::new(), &mut twice, &mut |_| {}).unwrap();
        let doubled: Vec<_> = fresh.iter().map(|(name, count)| (name, 2 * count)).collect();
        assert_eq!(twice.iter().collect::<Vec<_>>(), doubled, "{}", path.display());
    }
}

#[test]
fn an_unknown_version_is_refused_by_number_or_read_with_a_warning_and_its_head_has_no_counts() {
    for Sample { path, kind, mut bytes } in samples() {
        let (at, unknown) = match kind {
            Kind::Source => (4, 25_u32),
            Kind::Source2 | Kind::Quake | Kind::Graph | Kind::Aas => (4, 99),
            Kind::Pwf => (8, 99),
            Kind::Payload => (0, 60),
            Kind::Rcw => (80, 99),
            Kind::LevelAi => (0, 99),
            // One of a console, since without a known version nothing shows what it is.
            Kind::Ain => (0, 54),
            // Other containers of Detour have no version, or not here.
            Kind::Detour
                if [b"TESM", b"TASM", b"TEST", b"TAST", b"VAND"].iter().any(|m| bytes.starts_with(*m)) =>
            {
                (4, 99)
            }
            // Fox: the version is the magic. navjson and plugins have no layouts to try.
            _ => continue,
        };
        bytes[at..at + 4].copy_from_slice(&unknown.to_le_bytes());
        match survey(&bytes, &path) {
            Ok((_, found)) => {
                let guessed = found.iter().find(|f| is_guessed(f)).map(|f| f.severity);
                assert_eq!(guessed, Some(Severity::Warning), "{}", path.display());
            }
            Err(error) => {
                let refused = matches!(error.kind(), ErrorKind::Version { found, .. } if *found == unknown);
                assert!(refused, "{}: {error}", path.display());
            }
        }
        let page = &bytes[..bytes.len().min(4096)];
        if let Ok(head) = kind.head(page, bytes.len() as u64) {
            assert_eq!(head.version, Some(unknown), "{}", path.display());
            assert_eq!(head.counts.iter().count(), 0, "{}", path.display());
        }
    }
}

#[test]
fn bytes_of_no_family_are_told_as_they_are_and_none_is_made_up() {
    for (bytes, told) in [
        (&b"NA"[..], "(begins 4e 41)"),
        (b"NAV", "(begins 4e 41 56)"),
        (b"NAV\0", "(begins 4e 41 56 00)"),
        (b"TES5 and more", "(begins 54 45 53 35)"),
    ] {
        let error = AnyNav::parse(bytes, None, &ParseOptions::new()).err().unwrap();
        assert!(
            matches!(error.kind(), ErrorKind::NotMesh { len, .. } if usize::from(*len) == bytes.len().min(4))
        );
        assert!(error.to_string().ends_with(told), "{error}");
    }
}

#[test]
fn every_dump_has_the_same_first_keys_and_ends_with_its_error() {
    for Sample { path, kind, bytes } in samples() {
        let nav = AnyNav::parse(&bytes, Some(&path), &ParseOptions::new()).unwrap();
        let text = serde_json::to_string(&nav).unwrap();
        let first = format!(r#"{{"family":"{}","kind":"{kind}","form":"{}","#, kind.family(), kind.form());
        assert!(text.starts_with(&first), "{}: {}", path.display(), &text[..120]);
        assert!(text.ends_with(r#","error":null}"#), "{}", path.display());
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        for key in ["game", "version", "subversion"] {
            assert!(value.get(key).is_some(), "{}: no {key}", path.display());
        }
    }
}

#[test]
fn a_float_that_is_no_number_is_a_word_in_every_dump() {
    const WORDS: [(u32, &str); 3] =
        [(0x7FC0_0000, "\"NaN\""), (0x7F80_0000, "\"Infinity\""), (0xFF80_0000, "\"-Infinity\"")];
    let mut held = Vec::new();
    for Sample { path, kind, bytes } in samples() {
        // Positions of Fox are integers, navjson has no way to write NaN, and most meshes of plugins are compressed.
        // The nodes of a `.graph` file are packed, and the numbers of an `.ain` of text are digits. A
        // head of X-Ray with a number that is none is not taken for one.
        let compressed = kind == Kind::Plugin && !path.ends_with("stored.esp");
        if matches!(kind, Kind::Fox | Kind::NavJson | Kind::Graph | Kind::AinText | Kind::LevelAi)
            || compressed
            || held.contains(&kind)
        {
            continue;
        }
        // Behind the header of the first mesh of a plugin, else behind the magic.
        // Those of a `.nod` begin behind tables of searches.
        let first = match kind {
            Kind::Plugin => 1_000,
            Kind::Nod => 8_392,
            _ => 8,
        };
        // Some four bytes are a coordinate: those whose change makes a dump with one more word.
        let dump = |bytes: &[u8]| {
            let nav = AnyNav::parse(bytes, Some(&path), &ParseOptions::new()).ok()?;
            serde_json::to_string(&nav).ok()
        };
        let found = (first..bytes.len().min(first + 2_000) - 4).find(|at| {
            WORDS.iter().all(|(bits, word)| {
                let mut changed = bytes.clone();
                changed[*at..*at + 4].copy_from_slice(&bits.to_le_bytes());
                dump(&changed).is_some_and(|dump| dump.contains(word) && dump.ends_with(r#""error":null}"#))
            })
        });
        assert!(found.is_some(), "{}", path.display());
        held.push(kind);
    }
    for kind in [
        Kind::Source,
        Kind::Source2,
        Kind::Quake,
        Kind::Plugin,
        Kind::Payload,
        Kind::Detour,
        Kind::Aas,
        Kind::Pwf,
        Kind::Ain,
        Kind::Rcw,
        Kind::Respawn,
        Kind::Nod,
    ] {
        assert!(held.contains(&kind), "no float of kind {kind} could be changed");
    }
}

fn check(nav: &AnyNav<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    nav.check(&mut Scratch::new(), &mut |finding| found.push(finding)).unwrap();
    found
}

#[test]
fn nodes_that_hang_loose_are_as_many_in_check_as_in_the_graph() {
    let mut held = Vec::new();
    for Sample { path, kind, bytes } in samples() {
        let nav = AnyNav::parse(&bytes, Some(&path), &ParseOptions::new()).unwrap();
        let (found, stats) = (check(&nav), nav.graph_stats().value);
        let count = |code: &str| found.iter().filter(|finding| finding.code == code).count() as u64;
        let said = ["isolated", "unreachable", "dead-end"].map(count);
        // Where every triangle would have to be looked at, or no node has a link, `check` does not list them.
        let silent =
            matches!(kind, Kind::Fox | Kind::Plugin | Kind::Payload | Kind::Detour) || count("no-links") > 0;
        let wanted = [stats.isolated, stats.unreachable, stats.dead_ends];
        assert_eq!(said, if silent { [0; 3] } else { wanted }, "{}", path.display());
        if said.iter().any(|count| *count > 0) {
            held.push(kind);
        }
    }
    for kind in [Kind::Quake, Kind::NavJson] {
        assert!(held.contains(&kind), "no file of kind {kind} has such a node");
    }
}

#[test]
fn a_unit_of_source_has_one_length_in_both_engines_and_areas_are_told_in_both_units() {
    let mut scales = std::collections::BTreeSet::new();
    for Sample { path, kind, bytes } in samples() {
        let nav = AnyNav::parse(&bytes, Some(&path), &ParseOptions::new()).unwrap();
        let stats = nav.graph_stats().value;
        if matches!(kind, Kind::Source | Kind::Source2) {
            scales.insert(stats.axes.metres_per_unit.to_bits());
        }
        let (Some(metres), Some(units)) = (stats.area_m2, stats.area_units()) else { continue };
        let scale = f64::from(stats.axes.metres_per_unit);
        assert!((units * scale * scale - metres).abs() <= metres * 1e-9, "{}", path.display());
        let told = |units| {
            let mut out = Vec::new();
            stats.write_in(units, &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            let area = text.lines().find(|line| line.starts_with("area")).unwrap().to_owned();
            [area.contains(" m2"), area.contains(" square units")]
        };
        let metre = stats.axes.metres_per_unit == 1.0;
        assert_eq!(told(None), [true, !metre], "{}", path.display());
        assert_eq!(told(Some(Units::Metres)), [true, false]);
        assert_eq!(told(Some(Units::Game)), [metre, !metre]);
    }
    assert_eq!(scales.into_iter().collect::<Vec<_>>(), [0.0254_f32.to_bits()]);
}

/// Connections (links that are no ladders) without any link back, as the graph has them.
fn one_way(nav: &AnyNav<'_>) -> usize {
    let csr = nav.csr().value;
    let back = csr.transposed();
    csr.iter()
        .filter(|(from, to, kind)| {
            *kind != navmap::graph::LinkKind::Ladder && !back.targets(*from).contains(to)
        })
        .count()
}

#[test]
fn a_connection_is_one_way_in_check_if_the_graph_has_no_link_back() {
    let mut held = Vec::new();
    for Sample { path, kind, bytes } in samples() {
        let nav = AnyNav::parse(&bytes, Some(&path), &ParseOptions::new()).unwrap();
        if !matches!(kind, Kind::Source | Kind::Source2) {
            continue;
        }
        let codes = ["one-way-connection", "one-way-drop"];
        let said = check(&nav).iter().filter(|finding| codes.contains(&finding.code)).count();
        assert_eq!(said, one_way(&nav), "{}", path.display());
        if said > 0 {
            held.push(kind);
        }
    }
    assert!(held.contains(&Kind::Source), "no one-way connection in corpus/");
}

#[test]
fn a_for_loop_walks_every_list() {
    use navmap::format::quake::QuakeNav;
    use navmap::format::skyrim::NavMesh;
    use navmap::format::source::SourceNav;
    let read = |name: &str| fs::read(corpus::bundled().join(name)).unwrap();

    let bytes = read("skyrim/nvnm/v12.nvnm");
    let mesh = NavMesh::parse(&bytes).unwrap();
    let mut corners = 0;
    for triangle in mesh.triangles() {
        corners += triangle.vertices().len();
    }
    assert_eq!(corners, 3 * mesh.triangles().len());
    assert!(mesh.vertices().into_iter().eq(mesh.vertices().iter()));
    assert!(
        mesh.vertices().into_iter().rev().eq(mesh.vertices().iter().collect::<Vec<_>>().into_iter().rev())
    );
    assert!(mesh.edge_links().into_iter().eq(mesh.edge_links().iter()));
    assert!(mesh.door_triangles().into_iter().eq(mesh.door_triangles().iter()));

    let bytes = read("quake/nav3-v6.nav");
    let nav = QuakeNav::parse(&bytes).unwrap();
    assert!(nav.traversals().into_iter().eq(nav.traversals().iter()) && !nav.traversals().is_empty());
    assert!(nav.edicts().into_iter().eq(nav.edicts().iter()));

    let bytes = read("source/town.nav");
    let nav = SourceNav::parse(&bytes).unwrap();
    let index = navmap::format::source::AreaIndex::build(&nav).unwrap();
    let mut areas = 0;
    for area in &index {
        areas += usize::from(area.index() as usize == areas);
    }
    assert_eq!(areas, index.len());

    let mut counts = Counts::zeros(&["areas"]);
    counts.add("areas", 7);
    for (name, count) in &counts {
        assert_eq!((name, count), ("areas", 7));
    }
}

#[test]
fn options_that_are_no_literals_elsewhere_are_set_by_methods() {
    use navmap::Limits;
    use navmap::query::BuildOptions;
    let limits = Limits::default().with_depth(3).with_members(7).with_inflate_ratio(9);
    assert_eq!((limits.depth, limits.members, limits.inflate_ratio), (3, 7, 9));
    let limits = limits.with_file_bytes(1).with_inflated_bytes(2).with_archive_bytes(3);
    assert_eq!((limits.file_bytes, limits.inflated_bytes, limits.archive_bytes), (1, 2, 3));
    let build = BuildOptions::default().with_group(Some(2)).with_tactics(true);
    assert_eq!((build.group, build.tactics), (Some(2), true));
    assert_eq!(BuildOptions::default().group(2).tactics(true), build, "the old names");
}

#[test]
fn options_are_plain_structs_with_a_default() {
    let mut seen = 0;
    for Source { path, text } in library() {
        let mut derived = "";
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if line == "}" {
                derived = "";
            }
            if line.starts_with("#[derive(") {
                derived = line;
            }
            let Some(rest) = line.strip_prefix("pub struct ") else { continue };
            let name = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap();
            if !name.ends_with("Options") {
                continue;
            }
            let fields: Vec<&str> = lines.by_ref().take_while(|line| *line != "}").map(str::trim).collect();
            let hidden = fields.iter().find(|field| {
                !field.is_empty() && !["//", "#", "pub "].iter().any(|start| field.starts_with(start))
            });
            assert_eq!(hidden, None, "{name} in {}", path);
            let default = derived.contains("Default") || text.contains(&format!("impl Default for {name}"));
            assert!(default, "{name} in {} has no Default", path);
            seen += 1;
        }
    }
    assert!(seen > 5, "only {seen} structs of options were found");
}
