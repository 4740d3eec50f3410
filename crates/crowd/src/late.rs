//! How near to its goal an agent has come.

/// After how many seconds of walking without getting nearer an agent goes slowly, as a share of its speed.
const CARE: f32 = 5.0;
const SLOW: f32 = 0.3;

/// The least that was left of its way, and how long it has come no nearer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Late {
    /// The least length that was left of its way.
    pub(crate) least: f32,
    /// How many seconds it has walked since then with nobody close, and since it was last measured.
    pub(crate) seconds: f32,
    pub(crate) since: f32,
    /// Whether its way is another one since, and how often that was longer. A cheaper way may be: that is no going back, unless it
    /// happens over and over.
    pub(crate) other_way: bool,
    pub(crate) longer: u8,
}

impl Late {
    /// Somebody with a new goal, or a way that may be longer than before.
    pub(crate) const NEW: Self =
        Self { least: f32::INFINITY, seconds: 0.0, since: 0.0, other_way: false, longer: 0 };

    pub(crate) fn walks(&mut self, seconds: f32) {
        self.since += seconds;
    }

    /// Notes that another way was found.
    pub(crate) fn takes_other_way(&mut self) {
        self.other_way = true;
    }

    /// The share of its speed at which an agent goes.
    pub(crate) fn pace(&self) -> f32 {
        if self.is_careful() { SLOW } else { 1.0 }
    }

    /// Whether it goes slowly. Who runs past the same corners over and over does not at a walk.
    pub(crate) fn is_careful(&self) -> bool {
        self.seconds > CARE
    }
}
