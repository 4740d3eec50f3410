//! Random edit scripts on real meshes: the difference tells exactly what the script did, and its script does it again.
//!
//! A run takes 40 scripts, each on another mesh of the corpus, spread over all of it; `NAVMAP_SCRIPTS=1000` takes more.

use super::scripts::{Version, reachable, run, scripted};
use navmap::diff::Diff;
use navmap::format::source::Direction;
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::{bundled, manifest, real};
use std::collections::BTreeSet;

/// What a script does, in positions of the mesh before.
#[derive(Debug, Default, PartialEq)]
struct Told {
    removed: BTreeSet<u32>,
    added: usize,
    split: BTreeSet<u32>,
    flags: BTreeSet<u32>,
    shape: BTreeSet<u32>,
    place: BTreeSet<u32>,
    linked: BTreeSet<(u32, u32)>,
    unlinked: BTreeSet<(u32, u32)>,
}

impl Told {
    fn count(diff: &Diff) -> Self {
        let changed = |keep: fn(&navmap::diff::NodeChange) -> bool| {
            diff.changed.iter().filter(|change| keep(change)).map(|change| change.before).collect()
        };
        let links = |keep: fn(&navmap::diff::LinkChange) -> bool| {
            let ways = diff.links.changed.iter().filter(|link| keep(link));
            ways.filter_map(|link| Some((link.from, link.to?))).collect()
        };
        Self {
            removed: diff.removed.iter().copied().collect(),
            added: diff.added.len(),
            split: diff.split.iter().map(|parts| parts.whole).collect(),
            flags: changed(|change| change.set | change.cleared != 0),
            shape: changed(|change| change.shape.is_some()),
            place: changed(|change| change.place.is_some()),
            linked: links(|link| link.before.is_none()),
            unlinked: links(|link| link.after.is_none()),
        }
    }
}

/// A script of commands on areas that are no neighbours of each other, and what it does.
fn script(rng: &mut Rng, before: &Version) -> (String, Told) {
    let mesh = &before.0;
    let mut free: BTreeSet<u32> = (0..mesh.areas.len() as u32).collect();
    let (mut text, mut told) = (String::new(), Told::default());
    for number in 0..(mesh.areas.len() / 30).clamp(1, 40) {
        let at = rng.below(mesh.areas.len() as u64) as u32;
        if !free.remove(&at) {
            continue;
        }
        let area = &mesh.areas[at as usize];
        let id = area.id;
        let (nw, se) = (area.shape.north_west(), area.shape.south_east());
        // Coarse numbers hide small ones: a rectangle far from the middle of the world moves by what its floats hold.
        let line = match rng.below(8) {
            0 => {
                told.removed.insert(at);
                format!("nav_delete #{id}")
            }
            1 => {
                told.added += 1;
                let x = 200_000 + number as u32 * 200;
                format!("area add #{} nw={x},0,0 se={},100,0 ne=0 sw=0", 3_000_000 + number, x + 100)
            }
            2 if se[0] - nw[0] > 8.0 && se[1] - nw[1] > 8.0 => {
                told.split.insert(at);
                format!("nav_split #{id} x={}", ((nw[0] + se[0]) / 2.0).round())
            }
            3 => {
                told.flags.insert(at);
                format!("nav_jump #{id}")
            }
            4 => {
                told.shape.insert(at);
                format!("area set #{id} ne={} sw={}", nw[2] + 7.5, nw[2] - 3.25)
            }
            5 if mesh.head.version >= 5 => {
                told.place.insert(at);
                format!("nav_place_set #{id} --place \"Place {}\" --new", rng.below(3))
            }
            6 => {
                let other = rng.below(mesh.areas.len() as u64) as u32;
                let to = mesh.areas[other as usize].id;
                let known = area.all_connections().any(|(_, known)| known == to);
                if known || other == at || !free.remove(&other) {
                    continue;
                }
                told.linked.insert((at, other));
                format!("area link #{id} north #{to}")
            }
            _ => {
                let Some((side, to)) = area.all_connections().next() else { continue };
                let Some(other) = mesh.areas.iter().position(|area| area.id == to) else { continue };
                let twice = area.all_connections().filter(|(_, id)| *id == to).count() > 1;
                if twice || other as u32 == at || !free.remove(&(other as u32)) {
                    continue;
                }
                told.unlinked.insert((at, other as u32));
                format!("area unlink #{id} {side} #{to}")
            }
        };
        // What happens to the neighbours of an area belongs to it.
        for side in Direction::ALL {
            for to in area.connections(side) {
                free.retain(|at| mesh.areas[*at as usize].id != *to);
            }
        }
        for (other, area) in (0..).zip(&mesh.areas) {
            if area.all_connections().any(|(_, to)| to == id) {
                free.remove(&other);
            }
        }
        text += &line;
        text.push('\n');
    }
    (text, told)
}

/// Areas of which another covers a part. What happens to one of them may be told of the other.
fn is_plain(version: &Version) -> bool {
    let mut shapes: Vec<[u32; 4]> = Vec::new();
    let mut ids = BTreeSet::new();
    for area in &version.0.areas {
        let ([x0, y0, _], [x1, y1, _]) = (area.shape.north_west(), area.shape.south_east());
        shapes.push([x0, y0, x1, y1].map(f32::to_bits));
        if !(ids.insert(area.id) && x1 > x0 && y1 > y0) {
            return false;
        }
    }
    shapes.sort_unstable();
    shapes.windows(2).all(|pair| pair[0] != pair[1])
}

#[test]
fn a_difference_tells_exactly_what_a_random_script_did() {
    let many: usize = std::env::var("NAVMAP_SCRIPTS").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    let mut rows = manifest(&bundled().join("source"));
    if let Some(corpus) = real() {
        rows.extend(manifest(&corpus.join("source")));
    }
    let mut rng = Rng(1000);
    let (mut done, mut at, mut turns) = (0, 0, 0);
    while done < many {
        // A stride that is no divisor of the number of rows meets each before it meets one again.
        at = (at + 97) % rows.len();
        turns += 1;
        assert!(turns < 40 * many.max(rows.len()), "too few meshes that scripts can be told of");
        let Some(before) = Version::parse(&rows[at].read()) else { continue };
        if !(30..1500).contains(&before.0.areas.len()) || !is_plain(&before) {
            continue;
        }
        let name = rows[at].name();
        let (text, expected) = script(&mut rng, &before);
        let (edited, refused) = run(&before.0, &text);
        if !refused.is_empty() {
            continue;
        }
        done += 1;
        let after = Version::parse(&edited.encode().unwrap()).unwrap();
        let diff = Diff::between(&before.1, &after.1);
        assert_eq!(Told::count(&diff), expected, "{name}\n{text}");
        assert!(diff.merged.is_empty(), "{name}\n{text}");
        // From the other side.
        let back = Diff::between(&after.1, &before.1);
        assert_eq!((&diff.removed, &diff.added), (&back.added, &back.removed), "{name}");
        assert_eq!((&diff.split, &diff.merged), (&back.merged, &back.split), "{name}");
        assert_eq!((diff.changed.len(), diff.marks.len()), (back.changed.len(), back.marks.len()), "{name}");
        // Again, from the script of the difference.
        let again = scripted(&before, &after);
        let (made, refused) = run(&before.0, &again.to_string());
        assert!(refused.is_empty(), "{name}: {refused:?}\n{text}\n{again}");
        assert_eq!(reachable(&made), reachable(&edited), "{name}\n{text}\n{again}");
        // Two differences one after the other are as one.
        if done % 4 == 0 {
            let (next, _) = script(&mut rng, &after);
            let (third, _) = run(&edited, &next);
            let third = Version::parse(&third.encode().unwrap()).unwrap();
            let (two, refused) = run(&made, &scripted(&after, &third).to_string());
            assert!(refused.is_empty(), "{name}: {refused:?}\n{next}");
            let (one, refused) = run(&before.0, &scripted(&before, &third).to_string());
            assert!(refused.is_empty(), "{name}: {refused:?}\n{next}");
            assert_eq!(shapes(&two), shapes(&one), "{name}");
        }
    }
}

/// What two scripts agree in although new areas have other ids: rectangles and their flags.
fn shapes(mesh: &navmap::format::source::SourceBuf) -> Vec<String> {
    let mut shapes: Vec<String> = mesh
        .areas
        .iter()
        .map(|area| format!("{:?} {:?} {:?}", area.shape, area.attributes, area.hiding_spots))
        .collect();
    shapes.sort();
    shapes
}
