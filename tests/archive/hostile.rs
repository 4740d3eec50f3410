//! Damage, lies and bombs: an error or a sound result, in bounded time and memory.

use super::{samples, walk, walk_with};
use navmap::archive::{Archive, Kind, Source, Walker};
use navmap::{ErrorKind, Limits};
use navmap_testkit::alloc::{Counting, cost_of};
use navmap_testkit::archive as make;
use navmap_testkit::archive::{Keep, Zipped};
use navmap_testkit::work::Work;
use navmap_testkit::{bytes::Out, hostile};
use std::time::Duration;

#[global_allocator]
static ALLOC: Counting = Counting;

/// Small archives of every kind, with meshes short enough that every byte can be damaged in turn.
fn victims() -> Vec<(&'static str, Vec<u8>)> {
    let long: Vec<u8> = (0..600u32).map(|i| (i % 7) as u8).collect();
    let members: [(&[u8], &[u8]); 3] = [(b"a.nav", b"0123456789"), (b"x.txt", b"text"), (b"b.nav", &long)];
    let zip = make::stored_zip(&members);
    let lzma = lzma_zip(b"a.nav", &long);
    let deflated = make::deflated_zip(&members);
    let keep = [Keep::Preload(3, 0x7FFF), Keep::Here, Keep::Part(0)];
    let names = ["maps/a.nav", "x.txt", "b.nav"];
    let kept: Vec<_> = (0..3).map(|i| (names[i], members[i].1, keep[i])).collect();
    vec![
        ("x.pak", make::pak(&members)),
        ("x.gma", make::gma(&members)),
        ("x.fpk", make::fpk(&members)),
        ("x.tar", make::tar(&members)),
        ("x_dir.vpk", make::vpk(2, &kept).0),
        ("x.bsp", make::bsp(&deflated, 4, false)),
        ("nested.zip", make::stored_zip(&[(b"in.zip", &deflated), (b"in.bsp", &make::bsp(&zip, 4, true))])),
        ("lzma.zip", lzma),
        ("x.zip", zip),
    ]
}

/// A ZIP whose member is LZMA, made without an encoder: a stream that is nothing but literals cannot be written by hand,
/// so the packed bytes are those of `xz --format=lzma`, where there is one.
fn lzma_zip(name: &[u8], bytes: &[u8]) -> Vec<u8> {
    let Some(alone) = super::tools::filter("xz", &["--format=lzma", "-c"], bytes) else {
        return make::stored_zip(&[(name, bytes)]);
    };
    let packed = [&[9, 20, 5, 0][..], &alone[..5], &alone[13..]].concat();
    make::zip(&[Zipped { method: 14, packed, flags: 2, ..Zipped::stored(name, bytes) }])
}

#[test]
fn a_walk_over_damage_ends_soon_and_allocates_little() {
    for (name, whole) in victims() {
        let begun = Work::start();
        let mut tried = 0u32;
        let mut attempt = |bytes: &[u8]| {
            tried += 1;
            if Kind::sniff(bytes).is_some() {
                let (_, cost) = cost_of(|| walk(bytes, name));
                assert!(cost.peak_bytes < 8 << 20, "{name}: {} bytes held", cost.peak_bytes);
            }
        };
        hostile::cuts(&whole).for_each(&mut attempt);
        hostile::flips(&whole, |_, bytes| attempt(bytes));
        hostile::inflated_counts(&whole, |_, bytes| attempt(bytes));
        let each = begun.time() / tried;
        assert!(each < Duration::from_millis(5), "{name}: {each:?} for each of {tried}");
    }
}

#[test]
fn a_cut_archive_never_yields_other_bytes() {
    for (name, whole) in victims() {
        let sound: Vec<_> =
            walk(&whole, name).into_iter().filter_map(|(path, bytes)| Some((path, bytes.ok()?))).collect();
        assert!(!sound.is_empty(), "{name}");
        for cut in hostile::cuts(&whole).filter(|cut| Kind::sniff(cut).is_some()) {
            for (path, bytes) in walk(cut, name) {
                // Cut right behind a ZIP that is stored in a ZIP, the inner one is all that is seen.
                if let Ok(bytes) = bytes {
                    let known = |(other, same): &(String, Vec<u8>)| *same == bytes && other.ends_with(&path);
                    assert!(sound.iter().any(known), "{name} cut at {}: {path}", cut.len());
                }
            }
        }
    }
}

#[test]
fn every_decoder_survives_damage() {
    let mesh: Vec<u8> = (0..3000u32).map(|i| (i * i / 97 % 23) as u8).collect();
    let mut victims: Vec<(String, Vec<u8>)> = Vec::new();
    for (tool, arguments, extension) in [
        ("gzip", &["-c"][..], "gz"),
        ("bzip2", &["-c"], "bz2"),
        ("xz", &["-c"], "xz"),
        ("xz", &["-c", "--x86", "--lzma2=preset=1"], "xz"),
        ("xz", &["-c", "--format=lzma"], "lzma"),
        ("zstd", &["-c", "-q", "--check"], "zst"),
        ("zstd", &["-c", "-q", "-19"], "zst"),
    ] {
        let packed = super::tools::filter(tool, arguments, &mesh);
        victims.extend(packed.map(|packed| (format!("a.nav.{extension}"), packed)));
    }
    victims.push(("x.zip".into(), make::deflated_zip(&[(b"a.nav", &mesh)])));
    for (name, whole) in victims {
        let begun = Work::start();
        let mut tried = 0u32;
        let mut attempt = |bytes: &[u8]| {
            tried += 1;
            let Some(kind) = Kind::sniff(bytes) else { return };
            if kind == Kind::Zip || kind.is_compressor() {
                let (_, cost) = cost_of(|| walk(bytes, &name));
                assert!(cost.peak_bytes < 300 << 20, "{name}: {} bytes held", cost.peak_bytes);
            }
        };
        hostile::flips(&whole, |_, bytes| attempt(bytes));
        hostile::inflated_counts(&whole, |_, bytes| attempt(bytes));
        let each = begun.time() / tried;
        assert!(each < Duration::from_millis(40), "{name}: {each:?} for each of {tried}");
    }
}

/// The one error of a walk.
#[track_caller]
fn only_error(found: Vec<(String, navmap::Result<Vec<u8>>)>) -> navmap::Error {
    assert_eq!(found.len(), 1);
    found.into_iter().next().unwrap().1.unwrap_err()
}

#[track_caller]
fn assert_limit(error: &navmap::Error, what: &str) {
    match error.kind() {
        ErrorKind::Limit { what: found, .. } => assert_eq!(*found, what),
        _ => panic!("{error}"),
    }
}

fn limited(
    bytes: &[u8],
    name: &str,
    set: impl FnOnce(&mut Limits),
) -> Vec<(String, navmap::Result<Vec<u8>>)> {
    let mut limits = Limits::default();
    set(&mut limits);
    walk_with(Source::single(bytes), name, &limits, &Walker::default())
}

#[test]
fn a_member_over_its_limit_is_one_error_that_says_which() {
    // More than a third of 32 MiB, which is free of the ratio.
    let zeros = vec![0u8; 12 << 20];
    let zip = make::deflated_zip(&[(b"a.nav", &zeros), (b"b.nav", b"small")]);
    let found = limited(&zip, "x.zip", |limits| limits.inflated_bytes = 1 << 20);
    assert_limit(found[0].1.as_ref().unwrap_err(), "inflated size");
    assert_eq!(found[1].1.as_ref().unwrap(), b"small");

    let found = limited(&zip, "x.zip", |limits| limits.inflate_ratio = 10);
    assert_limit(found[0].1.as_ref().unwrap_err(), "inflated size by its ratio");
    assert!(found[1].1.is_ok());

    let found = limited(&zip, "x.zip", |limits| limits.archive_bytes = 2 << 20);
    assert_limit(found[0].1.as_ref().unwrap_err(), "output of the archive");
    assert_eq!(found.len(), 1, "a limit on the archive as a whole ends the walk");

    // A compressed file declares no size: the limit is met on the way.
    for (tool, extension) in [("gzip", "gz"), ("bzip2", "bz2"), ("xz", "xz"), ("zstd", "zst")] {
        let Some(packed) = super::tools::filter(tool, &["-c"], &zeros) else { continue };
        let name = format!("a.nav.{extension}");
        let (error, cost) =
            cost_of(|| only_error(limited(&packed, &name, |limits| limits.inflated_bytes = 1 << 20)));
        assert_limit(&error, "inflated size");
        assert!(cost.peak_bytes < 40 << 20, "{name}: {}", cost.peak_bytes);
        let error = only_error(limited(&packed, &name, |limits| limits.inflate_ratio = 10));
        assert_limit(&error, "inflated size by its ratio");
    }
}

#[test]
fn a_size_that_is_a_lie_is_an_error_and_costs_nothing() {
    for claimed in [0u64, 10, 4999, 5001, 1 << 30, u32::MAX.into()] {
        let honest = Zipped::deflated(b"a.nav", &samples()[0].1);
        let zip = make::zip(&[Zipped { size: claimed, ..honest }]);
        let (error, cost) = cost_of(|| only_error(walk(&zip, "x.zip")));
        // Whether there is room for 1 MiB is asked, and what was asked for is given back at once.
        assert!(cost.peak_bytes < 3 << 19, "{claimed}: {}", cost.peak_bytes);
        let text = error.to_string();
        assert!(text.starts_with("member 0, byte 0x0: "), "{text}");
    }
    let wrong = Zipped { crc: 1, ..Zipped::deflated(b"a.nav", &samples()[0].1) };
    let error = only_error(walk(&make::zip(&[wrong]), "x.zip")).to_string();
    assert!(error.contains("00000001 was declared"), "{error}");
}

#[test]
fn members_that_overlap_are_refused_before_they_cost_much() {
    // One megabyte of packed bytes that a thousand names point at.
    let zeros = vec![0u8; 1 << 20];
    let honest = Zipped::deflated(b"0.nav", &zeros);
    let mut members = vec![honest.clone()];
    members.extend((1..1000).map(|i| Zipped {
        name: format!("{i}.nav").into(),
        offset: Some(0),
        ..honest.clone()
    }));
    let zip = make::zip(&members);
    let found = walk(&zip, "x.zip");
    let (last, fine) = found.split_last().unwrap();
    assert!(fine.iter().all(|(_, bytes)| bytes.is_ok()));
    // Each costs its megabyte, what that is inflated from, and a little.
    let each = (1 << 20) + honest.packed.len() as u64 + 1030;
    assert_eq!(fine.len() as u64, Limits::default().cost_of(zip.len() as u64) / each);
    assert_limit(last.1.as_ref().unwrap_err(), "output of the archive by its ratio");
}

#[test]
fn archives_nest_as_deep_as_the_limit_and_no_deeper() {
    let nest = |levels: usize| {
        (1..levels)
            .fold(make::stored_zip(&[(b"a.nav", b"mesh")]), |zip, _| make::deflated_zip(&[(b"z.zip", &zip)]))
    };
    let limits = Limits::default();
    let found = walk(&nest(limits.depth as usize), "x.zip");
    assert_eq!(found[0].1.as_ref().unwrap(), b"mesh");
    assert_eq!(found[0].0.matches('!').count(), limits.depth as usize - 1);
    let error = only_error(walk(&nest(limits.depth as usize + 1), "x.zip"));
    assert_limit(&error, "depth of archives in archives");
}

#[test]
fn what_is_spent_inside_counts_outside() {
    let inner = make::deflated_zip(&[(b"a.nav", &vec![1; 600 << 10])]);
    let outer = make::stored_zip(&[(b"1.zip", &inner), (b"2.zip", &inner), (b"3.zip", &inner)]);
    let found = limited(&outer, "x.zip", |limits| limits.archive_bytes = 1500 << 10);
    assert!(found[0].1.is_ok() && found[1].1.is_ok());
    assert_limit(found[2].1.as_ref().unwrap_err(), "output of the archive");
}

#[test]
fn a_directory_of_a_million_entries_is_walked_in_bounded_time_and_no_memory() {
    let entries = 1_000_000u32;
    let mut pak = Out::new();
    pak.raw(b"PACK").u32(12).u32(entries * 64);
    for i in 0..entries {
        pak.raw(format!("maps/{i}.nav").as_bytes());
        let pad = 56 - (pak.len() - 12) % 64;
        pak.raw(&[0; 56][..pad]).u32(12).u32(4);
    }
    let begun = Work::start();
    let archive = Archive::open(Source::single(&pak.0), Kind::Pak, b"x.pak").unwrap();
    let limits = Limits::default();
    let (count, cost) = cost_of(|| archive.members(&limits).filter(Result::is_ok).count());
    assert_eq!((count, cost.calls), (entries as usize, 0));
    assert!(begun.time() < Duration::from_secs(2));
    let mut limits = Limits::default();
    limits.members = 1000;
    let members: Vec<_> = archive.members(&limits).collect();
    assert_eq!(members.len(), 1001);
    assert_limit(members[1000].as_ref().unwrap_err(), "members of the archive");
}

#[test]
fn each_entry_that_points_outside_is_an_error_of_its_own() {
    let members: [(&[u8], &[u8]); 3] = [(b"a.nav", b"aaaa"), (b"b.nav", b"bbbb"), (b"c.nav", b"cccc")];
    let mut pak = make::pak(&members);
    let directory = u32::from_le_bytes(pak[4..8].try_into().unwrap()) as usize;
    pak[directory + 64 + 56..][..4].copy_from_slice(&u32::MAX.to_le_bytes());
    let found = walk(&pak, "x.pak");
    assert_eq!(found[0].1.as_ref().unwrap(), b"aaaa");
    assert_eq!(
        found[1].1.as_ref().unwrap_err().to_string(),
        "member 1, byte 0xffffffff: member data: 4 bytes needed, 0 left"
    );
    assert_eq!(found[2].1.as_ref().unwrap(), b"cccc");

    let mut fpk = make::fpk(&members);
    fpk[0x30 + 16..][..8].copy_from_slice(&u64::MAX.to_le_bytes());
    let found = walk(&fpk, "x.fpk");
    assert!(found[0].0.is_empty() && found[0].1.is_err());
    assert_eq!(found[1..].iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), ["b.nav", "c.nav"]);

    let mut tar = make::tar(&[(b"a.nav", b"aaaa")]);
    tar.splice(0..0, make::tar_header(b"big.nav", 1 << 40, b'0'));
    let error = only_error(walk(&tar, "x.tar")).to_string();
    assert!(error.contains("member data: 1099511627776 bytes needed"), "{error}");
}

#[test]
fn what_is_not_read_says_so() {
    let encrypted = make::zip(&[Zipped { flags: 1, ..Zipped::stored(b"a.nav", b"secret") }]);
    assert!(only_error(walk(&encrypted, "x.zip")).to_string().ends_with("member: is encrypted"));
    let odd = make::zip(&[Zipped { method: 9, ..Zipped::stored(b"a.nav", b"deflate64") }]);
    assert!(only_error(walk(&odd, "x.zip")).to_string().contains("packed by method 9"));
    let qar = only_error(walk(b"SQAR\x01\0\0\0", "00.dat")).to_string();
    assert!(qar.contains("unpack it first"), "{qar}");
    let mut vpk = make::vpk(2, &[]).0;
    vpk[4] = 3;
    let vpk = only_error(walk(&vpk, "x.vpk")).to_string();
    assert_eq!(vpk, "byte 0x4: VPK version 3: only versions 1 and 2 are read");
}

#[test]
fn names_are_bytes_and_may_repeat() {
    let odd: [(&[u8], &[u8]); 4] = [
        (b"\xff\xfe.nav", b"1"),
        (b"../../etc/a.nav", b"2"),
        (b"/abs/a.nav", b"3"),
        (b"../../etc/a.nav", b"4"),
    ];
    for (name, bytes) in
        [("x.pak", make::pak(&odd)), ("x.zip", make::stored_zip(&odd)), ("x.gma", make::gma(&odd))]
    {
        let found: Vec<_> =
            walk(&bytes, name).into_iter().map(|(path, bytes)| (path, bytes.unwrap())).collect();
        assert_eq!(found.iter().map(|(_, bytes)| bytes[0]).collect::<Vec<_>>(), *b"1234", "{name}");
        assert_eq!(found[1].0, "../../etc/a.nav");
    }
}
