//! What every target for a container does: lists, reads all that a walk reaches, and holds the answers against each other.

use navmap::Limits;
use navmap::archive::{Archive, Kind, Meter, Source, Space, Unpacker, Walker, safe_path};
use std::ops::ControlFlow;

/// Takes the bytes for a container of this kind, whatever they begin with.
pub fn read(kind: Kind, bytes: &[u8]) {
    let mut limits = Limits::default();
    limits.inflated_bytes = 1 << 20;
    limits.archive_bytes = 8 << 20;
    limits.inflate_ratio = 100;
    limits.entries = 2_000;
    limits.depth = 4;
    let source = Source::of(bytes);
    let Ok(archive) = Archive::open(source, kind, b"a.nav.gz") else { return };
    for member in archive.members(&limits).flatten() {
        let meter = Meter::new(&limits, bytes.len() as u64);
        let mut unpacker = Unpacker::new();
        let view = member.entry.view(source).ok().flatten();
        let read = member.entry.read(source, &meter, &mut unpacker).ok();
        if let (Some(view), Some(read)) = (view, read) {
            assert!(std::ptr::eq(view, read), "in place both times");
        }
        if let Some(read) = read {
            assert_eq!(read.len() as u64, member.entry.size());
        }
        if let Ok(path) = safe_path(&member.name.bytes()) {
            assert!(path.components().all(|part| matches!(part, std::path::Component::Normal(_))));
        }
    }
    let deep = |head: &[u8]| head.starts_with(b"M");
    for walker in [Walker::default(), Walker { deep: Some(&deep), heads: false }] {
        let meter = Meter::new(&limits, bytes.len() as u64);
        let mut found = 0;
        let _ = walker.archive(&archive, &mut Vec::new(), &meter, &mut Space::new(), &mut |one| {
            found += 1;
            std::hint::black_box(one.bytes.map(|bytes| bytes.iter().map(|b| u64::from(*b)).sum::<u64>()).ok());
            if found < 10_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        // One member may be in flight when the limit is met.
        assert!(meter.spent() <= limits.archive_bytes + bytes.len() as u64 * 2_000);
    }
}
