//! Every container that our own writers make.

#![allow(unsafe_code, reason = "the caller vouches for the files it makes")]

use super::{borrowed, expected, meshes, samples, walk, walk_with};
use navmap::Limits;
use navmap::archive::{Archive, Kind, Meter, Method, PartFiles, Parts, Source, Unpacker, Walker};
use navmap::bytes::{Mode, Opener};
use navmap_testkit::archive as make;
use navmap_testkit::archive::{Keep, Zipped};

#[test]
fn every_container_yields_its_meshes_and_nothing_else() {
    let samples = samples();
    let members = borrowed(&samples);
    let zip = make::stored_zip(&members);
    for (name, bytes, kind) in [
        ("x.pak", make::pak(&members), Kind::Pak),
        ("x.gma", make::gma(&members), Kind::Gma),
        ("x.fpk", make::fpk(&members), Kind::Fpk),
        ("x.tar", make::tar(&members), Kind::Tar),
        ("x.zip", zip.clone(), Kind::Zip),
        ("x.pk3", make::deflated_zip(&members), Kind::Zip),
        ("x.bsp", make::bsp(&zip, 1000, false), Kind::Bsp),
        ("l4d2.bsp", make::bsp(&zip, 1000, true), Kind::Bsp),
    ] {
        assert_eq!(Kind::sniff(&bytes), Some(kind), "{name}");
        assert_eq!(meshes(&bytes, name), expected(), "{name}");
    }
}

/// Parts in memory.
#[derive(Debug)]
struct InMemory(Vec<Vec<u8>>, bool);

impl Parts for InMemory {
    fn len(&self, part: u16) -> navmap::Result<u64> {
        Ok(self.get(part)?.len() as u64)
    }
    fn bytes(&self) -> u64 {
        self.0.iter().map(|bytes| bytes.len() as u64).sum()
    }
    fn view(&self, part: u16) -> navmap::Result<Option<&[u8]>> {
        self.get(part).map(|bytes| self.1.then_some(bytes))
    }
    fn read(&self, part: u16, offset: u64, into: &mut [u8]) -> navmap::Result<()> {
        let at = offset as usize;
        into.copy_from_slice(&self.get(part)?[at..at + into.len()]);
        Ok(())
    }
}

impl InMemory {
    fn get(&self, part: u16) -> navmap::Result<&[u8]> {
        let found = self.0.get(usize::from(part)).filter(|bytes| !bytes.is_empty());
        found.map(Vec::as_slice).ok_or_else(|| navmap::Error::invalid("part", "is not there"))
    }
}

#[test]
fn a_vpk_yields_members_from_its_tree_its_own_data_and_its_parts() {
    let samples = samples();
    let keeps = [Keep::Preload(100, 3), Keep::Part(1), Keep::Here, Keep::Here];
    for version in [1, 2] {
        for keeps in [
            keeps,
            [Keep::Here; 4],
            [Keep::Preload(7, 0x7FFF), Keep::Preload(9, 0), Keep::Here, Keep::Part(0)],
        ] {
            let members: Vec<_> = samples
                .iter()
                .zip(keeps)
                .map(|((name, bytes), keep)| (std::str::from_utf8(name).unwrap(), &bytes[..], keep))
                .collect();
            let (directory, parts) = make::vpk(version, &members);
            assert_eq!(Kind::sniff(&directory), Some(Kind::Vpk));
            for in_memory in [true, false] {
                let parts = InMemory(parts.clone(), in_memory);
                let source = Source { bytes: &directory, parts: Some(&parts) };
                let found: Vec<_> = walk_with(source, "x_dir.vpk", &Limits::default(), &Walker::default())
                    .into_iter()
                    .map(|(path, bytes)| (path, bytes.unwrap()))
                    .collect();
                assert_eq!(found, expected(), "version {version}, {keeps:?}");
            }
        }
    }
}

#[test]
fn a_vpk_is_listed_without_its_parts_and_only_their_members_fail() {
    let samples = samples();
    let members: Vec<_> = samples
        .iter()
        .enumerate()
        .map(|(i, (name, bytes))| {
            let keep = if i == 1 { Keep::Part(12) } else { Keep::Here };
            (std::str::from_utf8(name).unwrap(), &bytes[..], keep)
        })
        .collect();
    let (directory, _) = make::vpk(2, &members);
    let archive = Archive::open(Source::single(&directory), Kind::Vpk, b"x_dir.vpk").unwrap();
    let listed: Vec<_> = archive.members(&Limits::default()).map(Result::unwrap).collect();
    assert_eq!(listed.len(), 4);
    assert_eq!(listed[1].entry.part(), Some(12));
    let found = walk(&directory, "x_dir.vpk");
    assert_eq!(found.len(), 3);
    let error = found[1].1.as_ref().unwrap_err().to_string();
    assert!(error.contains("part 012 is needed"), "{error}");
    assert!(found[0].1.is_ok() && found[2].1.is_ok());
}

#[test]
fn the_bytes_of_parts_are_bytes_of_the_archive() {
    let mesh = vec![0; 1 << 20];
    let names: Vec<String> = (0..40).map(|number| format!("{number}.nav")).collect();
    let members: Vec<_> = names.iter().map(|name| (name.as_str(), &mesh[..], Keep::Part(0))).collect();
    let (directory, parts) = make::vpk(2, &members);
    assert!(directory.len() < 4096, "its own bytes allow no more than 33 of the members");
    for in_memory in [true, false] {
        let parts = InMemory(parts.clone(), in_memory);
        let source = Source { bytes: &directory, parts: Some(&parts) };
        let found = walk_with(source, "x_dir.vpk", &Limits::default(), &Walker::default());
        assert_eq!(found.iter().filter(|(_, bytes)| bytes.is_ok()).count(), 40);
    }
}

#[test]
fn parts_are_found_beside_the_directory_and_opened_when_a_member_asks() {
    let folder = std::env::temp_dir().join(format!("navmap-parts-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let samples = samples();
    let (a, b) = (&samples[0].1[..], &samples[1].1[..]);
    let (directory, parts) = make::vpk(
        2,
        &[("a.nav", a, Keep::Part(0)), ("b.nav", b, Keep::Preload(50, 300)), ("c.nav", a, Keep::Part(7))],
    );
    std::fs::write(folder.join("pak01_000.vpk"), &parts[0]).unwrap();
    std::fs::write(folder.join("pak01_300.vpk"), &parts[300]).unwrap();
    // What the directory holds whole needs no part.
    let (whole, _) = make::vpk(2, &[("d.nav", &a[..50], Keep::Preload(50, 9))]);
    let none = PartFiles::beside(&folder.join("pak01_dir.vpk"), Opener::reading());
    let source = Source { bytes: &whole, parts: Some(&none) };
    let found = walk_with(source, "pak01_dir.vpk", &Limits::default(), &Walker::default());
    assert_eq!(found[0].1.as_ref().unwrap(), &a[..50]);
    // SAFETY: nobody else knows these files.
    let mapping = unsafe { navmap::bytes::Mapping::trusted() };
    let mapping = Opener { mode: Mode::Always, mapping };
    for opener in [Opener::reading(), mapping] {
        let parts = PartFiles::beside(&folder.join("pak01_dir.vpk"), opener);
        let source = Source { bytes: &directory, parts: Some(&parts) };
        let found = walk_with(source, "pak01_dir.vpk", &Limits::default(), &Walker::default());
        assert_eq!(found[0].1.as_ref().unwrap(), a);
        assert_eq!(found[1].1.as_ref().unwrap(), b);
        let error = found[2].1.as_ref().unwrap_err().to_string();
        assert!(error.starts_with("member 2: VPK part: pak01_007.vpk: "), "{error}");
        assert!(parts.intact().is_ok());
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn stored_members_are_views_into_the_archive() {
    let samples = samples();
    let members = borrowed(&samples);
    let zip = make::zip(&[Zipped { local_extra: vec![1; 33], ..Zipped::stored(b"a.nav", &samples[1].1) }]);
    for bytes in [make::pak(&members), make::gma(&members), make::tar(&members), make::fpk(&members), zip] {
        let kind = Kind::sniff(&bytes).unwrap();
        let source = Source::single(&bytes);
        let archive = Archive::open(source, kind, b"x").unwrap();
        let limits = Limits::default();
        let meter = Meter::new(&limits, bytes.len() as u64);
        let mut unpacker = Unpacker::new();
        for member in archive.members(&limits) {
            let member = member.unwrap();
            assert_eq!(member.entry.method(), Method::Stored);
            let view = member.entry.view(source).unwrap().expect("in place");
            assert!(bytes.as_ptr_range().contains(&view.as_ptr()) || view.is_empty(), "{kind}");
            assert_eq!(member.entry.read(source, &meter, &mut unpacker).unwrap(), view);
        }
    }
}

#[test]
fn archives_in_archives_are_walked_to_the_mesh() {
    let samples = samples();
    let members = borrowed(&samples);
    let bsp = make::bsp(&make::deflated_zip(&members), 100, false);
    let zip = make::deflated_zip(&[(b"outer/inner.bsp", &bsp), (b"z.nav", b"plain")]);
    let (vpk, _) = make::vpk(2, &[("pack/maps.zip", &zip, Keep::Here)]);
    let found = meshes(&vpk, "x.vpk");
    let paths: Vec<_> = found.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "pack/maps.zip!outer/inner.bsp!maps/a.nav",
            "pack/maps.zip!outer/inner.bsp!maps/deep/b.nav",
            "pack/maps.zip!outer/inner.bsp!c.nav",
            "pack/maps.zip!z.nav",
        ]
    );
    assert_eq!(found[1].1, samples[1].1);
}

#[test]
fn a_deep_walk_goes_by_the_first_bytes_of_every_member() {
    let mesh = [b"MESH".to_vec(), vec![7; 10_000]].concat();
    let inner = make::pak(&[(b"noname", &mesh)]);
    let zip =
        make::deflated_zip(&[(b"a.bin", &mesh), (b"b.txt", b"text"), (b"c.dat", &inner), (b"d", &mesh)]);
    assert!(meshes(&zip, "x.zip").is_empty());
    let is_mesh = |head: &[u8]| head.starts_with(b"MESH");
    let walker = Walker { deep: Some(&is_mesh), ..Walker::default() };
    let found = walk_with(Source::single(&zip), "x.zip", &Limits::default(), &walker);
    let paths: Vec<_> = found.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["a.bin", "c.dat!noname", "d"]);
    assert!(found.iter().all(|(_, bytes)| bytes.as_ref().unwrap() == &mesh));
}

#[test]
fn the_sample_containers_of_the_real_corpus_hold_the_corpus_files() {
    let Some(corpus) = navmap_testkit::corpus::real() else { return };
    for name in ["sample.pak", "sample.kpf"] {
        let bytes = std::fs::read(corpus.join("quake/containers").join(name)).unwrap();
        let found = meshes(&bytes, name);
        assert_eq!(found.len(), 8, "{name}");
        for (path, bytes) in found {
            let same = navmap_testkit::corpus::manifest(&corpus.join("quake"))
                .iter()
                .any(|row| row.number("bytes") == Some(bytes.len() as u64) && row.read() == bytes);
            assert!(same, "{name}!{path}");
        }
    }
    let fpk = std::fs::read(corpus.join("fox/fpk/ombs_102_102.fpk")).unwrap();
    let found = meshes(&fpk, "ombs_102_102.fpk");
    assert_eq!(found.len(), 1);
    let real = std::fs::read(corpus.join("fox/tpp/mbqf_102_102_nav.nav2")).unwrap();
    assert!(found[0].0.ends_with("mbqf_102_102_nav.nav2") && found[0].1 == real, "{}", found[0].0);
}
