//! What commands about many items cost, whatever a file holds.

use super::*;
use navmap_testkit::work::Work;

#[test]
fn ladders_are_deleted_in_time_in_proportion_to_their_number() {
    let mut level = mesh([square(1)]);
    level.ladders.extend((1..=20_000).map(|id| ladder(id, [0.0, 0.0, 128.0], [0.0; 3], S as u32)));
    let work = Work::start();
    assert_eq!(after(&level, NAVMAP, "nav_delete ladders").ladders.len(), 0);
    assert!(work.time().as_secs() < 10, "{:?}", work.time());
}
