//! What the table of families makes of the toy.

use navmap_core::bytes::Scratch;
use navmap_core::format::NavFile;
use navmap_core::{Counts, Finding};
use navmap_formats::{AnyNav, Family, Kind, codes};
use std::path::Path;

fn bytes() -> Vec<u8> {
    let points = [[0.0_f32, 0.0, 0.0], [3.0, 4.0, 0.0], [3.0, 4.0, 12.0]];
    let mut bytes = b"TOY1\x03\0\0\0".to_vec();
    points.iter().flatten().for_each(|value| bytes.extend(value.to_le_bytes()));
    bytes
}

#[test]
fn a_toy_is_a_family_like_any_other() {
    let (kind, mut bytes) = (Kind::Toy, bytes());
    assert_eq!((kind.family(), kind.name(), kind.form()), (Family::Toy, "toy", "nav"));
    assert_eq!(Kind::named("toy"), Some(kind));
    assert!(Kind::names(Path::new("a/b.TOY")) && Kind::all_counts().contains(&"knots"));
    assert_eq!(Kind::sniff(&bytes, None), Some(kind));
    assert_eq!(kind.head(&bytes[..8], 44).unwrap().counts.get("knots"), Some(3));

    let known: Vec<_> = codes().filter(|(family, _)| *family == Some(Family::Toy)).map(|(_, c)| c.code).collect();
    assert_eq!(known, ["trailing-bytes", "same-place"]);

    bytes.push(0);
    let nav = AnyNav::parse(&bytes, None, &Default::default()).unwrap();
    let (mut counts, mut found) = (Counts::default(), Vec::new());
    nav.survey(&mut Scratch::new(), &mut counts, &mut |f| found.push(f)).unwrap();
    assert_eq!(counts.get("knots"), Some(3));
    assert_eq!(found, [Finding::trailing(1, 44)]);
    nav.check(&mut Scratch::new(), &mut |f| found.push(f)).unwrap();
    assert!(found.iter().all(|finding| known.contains(&finding.code)), "{found:?}");
    assert_eq!(nav.csr().whole().unwrap().targets(1), [2]);
    assert!(AnyNav::parse(&bytes[..40], None, &Default::default()).is_err());
}
