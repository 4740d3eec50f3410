//! Every row of the real corpus, when it is there.

use super::exhaust::exhaust;
use navmap::bytes::Scratch;
use navmap::format::aas::{AasNav, FaceFlags};
use navmap::format::{AnyNav, ParseOptions};
use navmap::{Counts, Finding, Kind, NavFile, Severity};
use navmap_testkit::corpus::{self, Row};
use std::collections::BTreeMap;

fn rows() -> Vec<Row> {
    corpus::real().map_or_else(Vec::new, |root| corpus::manifest(&root.join("aas")))
}

#[test]
fn every_row_has_its_true_counts_and_is_written_as_it_was() {
    for row in rows() {
        let bytes = row.read();
        assert!(exhaust(&bytes), "{}", row.name());
        let any = AnyNav::parse(&bytes, Some(&row.path), &ParseOptions::default()).unwrap();
        assert_eq!(any.kind(), Kind::Aas, "{}", row.name());
        let nav = AasNav::parse(&bytes).unwrap();
        assert_eq!(Some(nav.version() as u64), row.number("version"), "{}", row.name());
        assert_eq!(format!("{:08x}", nav.checksum()), row.text("checksum"), "{}", row.name());
        let lens = [
            ("bboxes", nav.boxes().len()),
            ("vertices", nav.vertices().len()),
            ("planes", nav.planes().len()),
            ("edges", nav.edges().len()),
            ("edge_index", nav.edge_index().len()),
            ("faces", nav.faces().len()),
            ("face_index", nav.face_index().len()),
            ("areas", nav.areas().len()),
            ("reachabilities", nav.reachabilities().len()),
            ("nodes", nav.nodes().len()),
            ("portals", nav.portals().len()),
            ("portal_index", nav.portal_index().len()),
            ("clusters", nav.clusters().len()),
            ("trailing", nav.trailing().len()),
        ];
        for (name, len) in lens {
            assert_eq!(Some(len as u64), row.number(name), "{}: {name}", row.name());
        }
        let links: usize = (1..nav.areas().len()).map(|area| nav.links_of(area).1.len()).sum();
        assert_eq!(Some(links as u64), row.number("links"), "{}", row.name());
        let ground = nav.faces().iter().filter(|face| face.flags().contains(FaceFlags::GROUND)).count();
        assert_eq!(Some(ground as u64), row.number("ground_faces"), "{}", row.name());
        let grounded = nav.settings().iter().filter(|set| set.flags().0 & 1 != 0).count();
        assert_eq!(Some(grounded as u64), row.number("grounded_areas"), "{}", row.name());
        let mut counts = Counts::default();
        nav.survey(&mut Scratch::new(), &mut counts, &mut |_| {}).unwrap();
        for (name, count) in counts.iter() {
            let none = u64::from(name != "vertices");
            assert_eq!(Some(count + none), row.number(name), "{}: {name}", row.name());
        }
        assert_eq!(counts.get("reachabilities"), Some(links as u64), "{}", row.name());
    }
}

#[test]
fn real_files_have_no_error_and_only_the_oddities_that_are_known() {
    let mut seen: BTreeMap<(Severity, &str), BTreeMap<String, u64>> = BTreeMap::new();
    for row in rows() {
        let bytes = row.read();
        let nav = AasNav::parse(&bytes).unwrap();
        let mut take = |f: Finding| {
            assert!(f.severity < Severity::Error, "{}: {f}", row.name());
            *seen.entry((f.severity, f.code)).or_default().entry(row.name().to_owned()).or_insert(0) += 1;
        };
        nav.check(&mut Scratch::new(), &mut take).unwrap();
    }
    println!("{seen:#?}");
    let made = "synthetic/pacman-lumps-reversed-gaps.aas";
    for ((severity, code), files) in &seen {
        let known = match (severity, *code) {
            (Severity::Info, _) => true,
            // Waits for an elevator that come out negative: 65,318 hundredths and the like.
            (_, "travel-time") => files.keys().all(|file| file.ends_with("concrete_station.aas")),
            (_, "trailing-bytes" | "lump-gap" | "lump-order") => files.keys().all(|file| file == made),
            _ => false,
        };
        assert!(known, "{severity} {code}: {files:?}");
    }
}

/// Section 6 of the page: centers land in their own area in 707,723 of 708,033.
#[test]
fn centers_of_areas_are_found_in_their_areas() {
    let (mut areas, mut own) = (0, 0);
    for row in rows() {
        let bytes = row.read();
        let nav = AasNav::parse(&bytes).unwrap();
        for (area, number) in nav.areas().iter().zip(0_u32..).skip(1) {
            areas += 1;
            own += u32::from(nav.area_at(area.center()) == Some(number));
        }
    }
    assert!(
        areas == 0 || f64::from(own) >= f64::from(areas) * 707_723.0 / 708_033.0 - 2.0,
        "{own} of {areas}"
    );
}

/// Section 6: the ends of links lie on floors, where the tree says solid. Raised by 1, most are in their area or beside it.
#[test]
fn ends_of_links_are_found_as_the_engine_finds_them() {
    let (mut links, mut own, mut found) = (0, 0, 0);
    for row in rows() {
        let bytes = row.read();
        let nav = AasNav::parse(&bytes).unwrap();
        for link in nav.reachabilities().iter().skip(1) {
            let [x, y, z] = link.end();
            links += 1;
            own += u32::from(nav.area_at([x, y, z + 1.0]) == u32::try_from(link.area()).ok());
            found += u32::from(nav.area_near([x, y, z + 1.0]).is_some());
        }
    }
    println!("{own} in their area, {found} found, of {links}");
    assert!(links == 0 || own * 100 >= links * 68 && found * 100 >= links * 86, "{own}, {found} of {links}");
}
