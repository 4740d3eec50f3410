//! What callbacks return.

use std::ops::ControlFlow;

/// What a callback of a query returns: nothing, or whether to go on.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// # use navmap::query::{Policy, World};
/// # let world = World::open("corpus/source/town.nav", &Policy::default())?;
/// # let index = world.index();
/// use navmap::graph::Point;
/// use std::ops::ControlFlow;
///
/// let (mut all, mut some) = (0, 0);
/// index.within(Point::new(100.0, -250.0, 64.0), 500.0, |_| all += 1);
/// index.within(Point::new(100.0, -250.0, 64.0), 500.0, |_| {
///     some += 1;
///     if some == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
/// });
/// assert!(all > 2 && some == 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Flow {
    /// Whether the query ends.
    fn breaks(self) -> bool;
}

impl Flow for () {
    #[inline(always)]
    fn breaks(self) -> bool {
        false
    }
}

impl Flow for ControlFlow<()> {
    #[inline(always)]
    fn breaks(self) -> bool {
        self.is_break()
    }
}
