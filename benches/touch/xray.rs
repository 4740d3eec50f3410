//! What a visit to the nodes of a walking grid touches.

use navmap::bytes::Scratch;
use navmap::format::xray::XrayNav;
use navmap::{Counts, NavFile};

/// What `scan` does: every link is looked at, and counted.
pub(crate) fn survey(bytes: &[u8]) -> u64 {
    let nav = XrayNav::parse(bytes).expect("a level");
    let mut counts = Counts::default();
    nav.survey(&mut Scratch::new(), &mut counts, &mut |_| {}).expect("a level");
    counts.iter().map(|(_, count)| count).sum()
}

/// Touches every field of every node through its getter.
pub(crate) fn visit(nav: &XrayNav<'_>) -> u64 {
    let mut all = 0_u64;
    for node in nav.nodes().iter() {
        all += node.stored_links().into_iter().map(u64::from).sum::<u64>();
        all += u64::from(node.cover().0) + node.low_cover().map_or(0, |cover| u64::from(cover.0));
        all += u64::from(node.plane()) + u64::from(node.square()) + u64::from(node.height());
    }
    all
}
