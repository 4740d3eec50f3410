//! What every target for a container does: lists, reads all that a walk reaches, and holds the answers against each other.

use navmap::Limits;
use navmap::archive::{Archive, Kind, Meter, Source, Buffers, Unpacker, Walker, safe_path};
use std::ops::ControlFlow;

/// Takes the bytes for a container of this kind, whatever they begin with.
pub(crate) fn read(kind: Kind, bytes: &[u8]) {
    // As deep as the default: what multiplies from level to level shows only there. What all of it may cost is a small
    // part of the default, so that an input that reaches a limit is still quick.
    let mut limits = Limits::default();
    limits.inflated_bytes = 1 << 20;
    limits.archive_bytes = 8 << 20;
    limits.members = 20_000;
    let source = Source::single(bytes);
    let Ok(archive) = Archive::open(source, kind, b"a.nav.gz") else { return };
    let mut unpacker = Unpacker::new();
    let meter = Meter::new(&limits, bytes.len() as u64);
    for member in archive.members(&limits).flatten() {
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
        if meter.is_ended() {
            break;
        }
    }
    let deep = |head: &[u8]| head.starts_with(b"M");
    for walker in [Walker::default(), Walker { deep: Some(&deep), heads: false }] {
        let meter = Meter::new(&limits, bytes.len() as u64);
        let mut found = 0u64;
        let flow = walker.archive(&archive, &mut Vec::new(), &meter, &mut Buffers::new(), &mut |one| {
            found += 1;
            std::hint::black_box(one.bytes.map(|bytes| bytes.iter().map(|b| u64::from(*b)).sum::<u64>()).ok());
            ControlFlow::Continue(())
        });
        // A row costs something, so the limits bound their number; nobody has to stop the walk.
        assert!(found <= limits.members + 1, "{found} rows");
        assert_eq!(flow.is_break(), meter.is_ended(), "only a limit ends the walk");
        // One member may be in flight when the limit is met, and what it is inflated from.
        assert!(meter.spent() <= limits.archive_bytes + limits.inflated_bytes + bytes.len() as u64 + (128 << 10));
    }
}
