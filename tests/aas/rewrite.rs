//! Writing: unchanged to the byte, changed where lumps were, grown in order.

use super::corpus::{findings, read};
use navmap::Severity;
use navmap::format::aas::{AasBuf, AasNav, AreaFlags, Plane, SettingsBuf, TravelKind};
use navmap_testkit::aas::sample;

#[test]
fn a_change_stays_in_its_record_and_lumps_where_they_were() {
    for name in ["v4.aas", "v5.aas", "v5-full.aas", "v8.aas", "odd/reversed.aas"] {
        let bytes = read(name);
        let mut buf = AasBuf::from(&AasNav::parse(&bytes).unwrap());
        buf.reachabilities[3].set_time(777);
        buf.delete(4).unwrap();
        let of = buf.settings.get_mut(5).unwrap();
        of.set_flags(of.flags() | AreaFlags::DISABLED);
        let written = buf.encode().unwrap();
        assert_eq!(written.len(), bytes.len(), "{name}");
        let changed = written.iter().zip(&bytes).filter(|(a, b)| a != b).count();
        assert!((1..=5).contains(&changed), "{name}: {changed} bytes");
        let nav = AasNav::parse(&written).unwrap();
        assert_eq!(
            (nav.reachabilities()[3].time(), nav.reachabilities()[4].kind()),
            (777, TravelKind::INVALID)
        );
        assert!(nav.settings().get(5).unwrap().flags().contains(AreaFlags::DISABLED));
        assert_eq!(nav.checksum(), navmap_testkit::aas::CHECKSUM);
    }
    let mut buf = AasBuf::from(&AasNav::parse(&read("v5.aas")).unwrap());
    assert!(buf.delete(0).is_err() && buf.delete(17).is_err());
}

#[test]
fn what_grows_is_written_in_order_as_the_kit_writes_it() {
    for name in ["v5.aas", "odd/reversed.aas"] {
        let mut buf = AasBuf::from(&AasNav::parse(&read(name)).unwrap());
        buf.trailing.clear();
        let link = buf.reachabilities.pop().unwrap();
        assert!(buf.encode().is_ok());
        buf.reachabilities.push(link);
        buf.vertices.push(Default::default());
        let bytes = buf.encode().unwrap();
        let mut wanted = sample().lumps(5, false);
        wanted.lumps[1] = vec![0; 12];
        assert!(bytes == wanted.encode(), "{name}");
    }
}

#[test]
fn a_moved_map_is_found_where_it_went() {
    let by = [512.0, -256.0, 64.0];
    for full in [true, false] {
        let bytes = sample().lumps(5, full).encode();
        let mut buf = AasBuf::from(&AasNav::parse(&bytes).unwrap());
        buf.translate(by);
        let moved = buf.encode().unwrap();
        let nav = AasNav::parse(&moved).unwrap();
        for (area, number) in sample().areas.iter().zip(1..) {
            let [x, y, z] = area.center();
            assert_eq!(nav.area_at([x + by[0], y + by[1], z + by[2]]), Some(number));
        }
        assert!(findings(&moved).iter().all(|f| f.severity == Severity::Info), "{:?}", findings(&moved));
        let mut back = AasBuf::from(&nav);
        back.translate(by.map(|value| -value));
        // Distances of sloped planes are rounded on the way.
        let bytes_again = back.encode().unwrap();
        let again = AasNav::parse(&bytes_again).unwrap();
        let whole = AasNav::parse(&bytes).unwrap();
        assert_eq!((again.areas(), again.reachabilities()), (whole.areas(), whole.reachabilities()));
        let near = |(a, b): (&Plane, &Plane)| (a.distance() - b.distance()).abs() < 1e-3;
        assert!(again.planes().iter().zip(whole.planes()).all(near), "full: {full}");
    }
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let mut buf = AasBuf::from(&AasNav::parse(&read("v5.aas")).unwrap());
    buf.areas.pop();
    assert_eq!(buf.encode().unwrap_err().to_string().split(" for").next(), Some("settings: 9 of them"));
    let mut buf = AasBuf::from(&AasNav::parse(&read("v5.aas")).unwrap());
    buf.settings = SettingsBuf::Steep(vec![Default::default(); 9]);
    assert!(buf.encode().is_err());
    // Lumps over each other cannot be changed in place; they are written apart.
    let bytes = read("hostile/overlap.aas");
    let mut buf = AasBuf::from(&AasNav::parse(&bytes).unwrap());
    assert!(buf.encode().unwrap() == bytes);
    buf.reachabilities[0].set_time(9);
    let apart = buf.encode().unwrap();
    let nav = AasNav::parse(&apart).unwrap();
    assert_eq!((nav.reachabilities()[0].time(), nav.areas()), (9, &buf.areas[..]));
    assert!(findings(&apart).iter().all(|f| f.code != "lump-overlap"));
}
