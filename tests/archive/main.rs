//! Containers: what is in them, read in place or inflated, and what damage does to them.
#![cfg(feature = "archive")]

mod containers;
mod hostile;
mod tools;

use navmap::archive::{Archive, Buffers, Found, Kind, Meter, Source, Walker};
use navmap::{Limits, Result};
use std::ops::ControlFlow;

/// Everything that a walk finds: the path, and the bytes or the error.
fn walk_with(
    source: Source<'_>,
    name: &str,
    limits: &Limits,
    walker: &Walker<'_>,
) -> Vec<(String, Result<Vec<u8>>)> {
    let mut found = Vec::new();
    let kind = Kind::sniff(source.bytes).expect("a container");
    let archive = match Archive::open(source, kind, name.as_bytes()) {
        Ok(archive) => archive,
        Err(error) => return vec![(String::new(), Err(error))],
    };
    let meter = Meter::new(limits, source.bytes.len() as u64);
    let flow =
        walker.archive(&archive, &mut Vec::new(), &meter, &mut Buffers::new(), &mut |one: Found<'_>| {
            found.push((String::from_utf8_lossy(one.path).into_owned(), one.bytes.map(<[u8]>::to_vec)));
            ControlFlow::Continue(())
        });
    assert_eq!(flow.is_break(), meter.is_ended(), "only a limit on the archive as a whole ends the walk");
    found
}

fn walk(bytes: &[u8], name: &str) -> Vec<(String, Result<Vec<u8>>)> {
    walk_with(Source::single(bytes), name, &Limits::default(), &Walker::default())
}

/// Paths and bytes of a walk that is expected to go well.
#[track_caller]
fn meshes(bytes: &[u8], name: &str) -> Vec<(String, Vec<u8>)> {
    walk(bytes, name)
        .into_iter()
        .map(|(path, bytes)| match bytes {
            Ok(bytes) => (path, bytes),
            Err(error) => panic!("{name}!{path}: {error}"),
        })
        .collect()
}

/// Three meshes' worth of bytes that compress as real ones do: not well, not badly.
fn samples() -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut rng = navmap_testkit::bytes::Rng(7);
    [("maps/a.nav", 5_000), ("maps/deep/b.nav", 70_000), ("readme.txt", 300), ("c.nav", 0)]
        .into_iter()
        .map(|(name, len)| (name.into(), (0..len).map(|_| (rng.u64() % 11) as u8 * 3).collect()))
        .collect()
}

fn borrowed(samples: &[(Vec<u8>, Vec<u8>)]) -> Vec<(&[u8], &[u8])> {
    samples.iter().map(|(name, bytes)| (&name[..], &bytes[..])).collect()
}

/// What a walk over an archive of the [`samples`] has to find.
fn expected() -> Vec<(String, Vec<u8>)> {
    samples()
        .into_iter()
        .map(|(name, bytes)| (String::from_utf8(name).unwrap(), bytes))
        .filter(|(name, _)| name.ends_with(".nav"))
        .collect()
}
