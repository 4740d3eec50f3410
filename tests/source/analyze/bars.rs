//! How far an analysis agrees with what the games stored. Each figure is held: it must not drop.

use navmap::format::source::analyze::{AnalyzeOptions, Phase, Spawns, Spots, VisibleSets, analyze};
use navmap::format::source::{AreaId, SourceBuf, SourceNav};
use navmap_testkit::corpus::{manifest, real};
use std::collections::BTreeMap;

/// An analysed mesh of the corpus.
struct Real {
    name: String,
    /// `v5`, `v9`, `16/1`.
    kind: String,
    mesh: SourceBuf,
}

/// Every mesh that a game has analysed and stored with areas: those of versions without the mark all count.
fn analyzed() -> Vec<Real> {
    let Some(corpus) = real() else { return Vec::new() };
    let rows = manifest(&corpus.join("source")).into_iter().map(|row| (row.name().to_owned(), row.path));
    let pairs = manifest_pairs().into_iter().map(|name| {
        let path = corpus.join("bsp").join(format!("{name}.nav"));
        (name, path)
    });
    rows.chain(pairs)
        .filter_map(|(name, path)| {
            let bytes = std::fs::read(path).unwrap();
            let mesh = SourceBuf::read(&SourceNav::parse(&bytes).ok()?).ok()?;
            let head = &mesh.head;
            let kind = match head.subversion() {
                Some(subversion) => format!("{}/{subversion}", head.version),
                None => format!("v{}", head.version),
            };
            let counts = !mesh.areas.is_empty() && (head.version < 14 || head.analyzed == 1);
            counts.then_some(Real { name, kind, mesh })
        })
        .collect()
}

/// The pairs of a map and a mesh.
pub(crate) fn manifest_pairs() -> Vec<String> {
    let Some(corpus) = real() else { return Vec::new() };
    let text = std::fs::read_to_string(corpus.join("bsp/MANIFEST.tsv")).unwrap();
    text.lines().skip(1).map(|line| line.split('\t').next().unwrap().to_owned()).collect()
}

/// Equal ones of all, by kind of mesh; prints them.
#[derive(Default)]
struct Tally(BTreeMap<String, [u64; 2]>);

impl Tally {
    fn add(&mut self, kind: &str, equal: u64, all: u64) {
        let slot = self.0.entry(kind.to_owned()).or_default();
        *slot = [slot[0] + equal, slot[1] + all];
    }

    fn hold<K: AsRef<str>>(&self, what: &str, least: &[(K, f64)]) {
        for (kind, [equal, all]) in &self.0 {
            println!(
                "{what} {kind}: {equal} of {all}, {:.3} %",
                100.0 * *equal as f64 / (*all).max(1) as f64
            );
        }
        for (kind, least) in least {
            let kind = kind.as_ref();
            let [equal, all] = self.0.get(kind).unwrap_or_else(|| panic!("{what}: no mesh of kind {kind}"));
            let share = 100.0 * *equal as f64 / *all as f64;
            assert!(share >= *least, "{what} {kind}: {equal} of {all} are {share:.3} %, less than {least} %");
        }
    }
}

#[test]
fn hiding_spots_are_those_that_the_games_stored_bit_for_bit() {
    let (mut areas, mut files, mut ids) = (Tally::default(), Tally::default(), Tally::default());
    let all = analyzed();
    if all.is_empty() {
        return;
    }
    for Real { name, kind, mesh } in &all {
        let spots = Spots::compute(mesh);
        let mut equal = 0;
        for (at, area) in mesh.areas.iter().enumerate() {
            let stored: Vec<_> =
                area.hiding_spots.iter().map(|spot| spot.position().map(f32::to_bits)).collect();
            let made: Vec<_> = spots.of_area(at).iter().map(|spot| spot.map(f32::to_bits)).collect();
            equal += u64::from(stored == made);
        }
        let count = mesh.areas.len() as u64;
        if equal < count {
            println!("{name}: {equal} of {count} areas");
        }
        areas.add(kind, equal, count);
        files.add(kind, (equal == count).into(), 1);
        let stored = mesh.areas.iter().flat_map(|area| &area.hiding_spots).map(|spot| spot.id().get());
        let whole = stored.eq(0..mesh.areas.iter().map(|area| area.hiding_spots.len() as u32).sum());
        ids.add(kind, whole.into(), 1);
        if whole {
            areas.add("whole ids", equal, count);
        }
    }
    // Two meshes of version 9 have gaps: areas were deleted after the analysis.
    let all =
        [("v5", 100.0), ("v9", 66.6), ("16/0", 100.0), ("16/1", 100.0), ("16/2", 100.0), ("16/14", 100.0)];
    ids.hold("ids without a gap", &all);
    files.hold("whole files", &all);
    files.hold("whole files", &[("v3", 100.0), ("v4", 100.0)]);
    areas.hold("areas", &[("v3", 100.0), ("v4", 100.0), ("v9", 97.3), ("whole ids", 99.9)]);
}

#[test]
fn encounter_paths_are_those_that_the_games_stored_in_order() {
    let mut tally = Tally::default();
    let all = analyzed();
    if all.is_empty() {
        return;
    }
    for Real { name, kind, mesh } in &all {
        if mesh.areas.iter().all(|area| area.encounters.is_empty()) {
            continue;
        }
        let mut again = mesh.clone();
        let options = AnalyzeOptions { only: vec![Phase::Encounters], ..AnalyzeOptions::default() };
        analyze(&mut again, &options, None).unwrap();
        let ways = |mesh: &SourceBuf, at: usize| -> Vec<_> {
            let paths = mesh.areas[at].encounters.iter();
            paths.map(|path| (path.from(), path.from_direction(), path.to(), path.to_direction())).collect()
        };
        let equal = (0..mesh.areas.len()).filter(|at| ways(mesh, *at) == ways(&again, *at)).count() as u64;
        if equal < mesh.areas.len() as u64 {
            println!("{name}: {equal} of {} areas", mesh.areas.len());
        }
        tally.add(kind, equal, mesh.areas.len() as u64);
        tally.add("all", equal, mesh.areas.len() as u64);
    }
    tally.hold("path lists", &[("all", 99.95), ("v3", 100.0), ("v4", 100.0), ("v5", 100.0), ("v9", 100.0)]);
}

#[test]
fn visibility_extends_the_lists_that_it_extends_in_the_games() {
    let mut tally = Tally::default();
    let all = analyzed();
    if all.is_empty() {
        return;
    }
    for Real { name, kind, mesh } in &all {
        if mesh.areas.iter().all(|area| area.visible_areas.is_empty()) {
            continue;
        }
        let mut again = mesh.clone();
        VisibleSets::decode(mesh).unwrap().encode(&mut again);
        let anchors = |mesh: &SourceBuf| mesh.areas.iter().map(|area| area.inherits).collect::<Vec<AreaId>>();
        let equal = anchors(mesh).iter().zip(anchors(&again)).filter(|(a, b)| **a == *b).count() as u64;
        if equal < mesh.areas.len() as u64 {
            println!("{name}: {equal} of {} areas", mesh.areas.len());
        }
        tally.add(kind, equal, mesh.areas.len() as u64);
        tally.add("all", equal, mesh.areas.len() as u64);
    }
    tally.hold("anchors", &[("all", 100.0)]);
}

/// The spawns of a Source map, from the text of its entity lump.
fn spawns(bsp: &[u8]) -> Spawns {
    let word = |at: usize| u32::from_le_bytes(bsp[at..at + 4].try_into().unwrap()) as usize;
    let text = String::from_utf8_lossy(&bsp[word(8)..word(8) + word(12)]).into_owned();
    let mut spawns = Spawns::default();
    for entity in text.split('}') {
        let value = |key: &str| {
            let rest = entity.split(&format!("\"{key}\"")).nth(1)?;
            rest.split('"').nth(1).map(str::to_owned)
        };
        let Some(origin) = value("origin") else { continue };
        let origin: Vec<f32> = origin.split_whitespace().map(|part| part.parse().unwrap()).collect();
        match value("classname").as_deref() {
            Some("info_player_terrorist") => spawns.terrorists.push([origin[0], origin[1], origin[2]]),
            Some("info_player_counterterrorist") => {
                spawns.counter_terrorists.push([origin[0], origin[1], origin[2]])
            }
            _ => {}
        }
    }
    spawns
}

#[test]
fn occupy_times_are_those_that_counter_strike_stored_or_it_stored_none() {
    let Some(corpus) = real() else { return };
    let mut tally = Tally::default();
    for name in manifest_pairs() {
        let read = |end: &str| std::fs::read(corpus.join("bsp").join(format!("{name}.{end}"))).unwrap();
        let (bsp, nav) = (read("bsp"), read("nav"));
        let mesh = SourceBuf::read(&SourceNav::parse(&nav).unwrap()).unwrap();
        let counter_strike = mesh.head.version == 9 || mesh.head.subversion() == Some(1);
        let stored = |mesh: &SourceBuf| -> Vec<f32> {
            mesh.areas.iter().flat_map(|area| area.occupy_times).map(|time| time.get()).collect()
        };
        let unset = [0.0, 120.0].iter().any(|unset| stored(&mesh).iter().all(|time| time == unset));
        if !counter_strike || unset {
            continue;
        }
        let mut again = mesh.clone();
        let options =
            AnalyzeOptions { only: vec![Phase::Times], spawns: spawns(&bsp), ..AnalyzeOptions::default() };
        analyze(&mut again, &options, None).unwrap();
        let pairs = stored(&mesh).into_iter().zip(stored(&again));
        let good = pairs.filter(|(was, now)| (was - now).abs() <= 0.01 || *was == 120.0).count() as u64;
        tally.add(&name, good, 2 * mesh.areas.len() as u64);
    }
    // In the third map some areas are stored up to 1.7 s off.
    let pairs = [("gg_lego_arena", 97.9), ("gg_bk_courtyard_v1", 100.0), ("aimtraindriving_v3", 69.4)];
    tally.hold("times", &pairs.map(|(name, least)| (format!("source/{name}"), least)));
}
