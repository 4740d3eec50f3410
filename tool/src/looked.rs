//! What questions about very many points may look at.

use navmap::Limits;
use navmap::error::Result;
use navmap::graph::Point;
use navmap::query::NavIndex;

/// Areas of any mesh that any points are tested against, and those of each point. A polygon counts as its corners. Points of games are
/// tested against some dozen, those far off a mesh against some hundred; in a mesh whose areas all lie in one place each is against all.
const FREE: u64 = 1 << 26;
const EACH: u64 = 1_024;

/// The name of the limit.
const TESTS: &str = "tests of areas at all points";

/// What was looked at for the points so far.
#[derive(Debug, Default)]
pub(crate) struct Looked {
    points: u64,
    tests: u64,
}

impl Looked {
    /// Answers a question about one more point, which adds what it looks at.
    ///
    /// # Errors
    /// If that is more than so many points may.
    pub(crate) fn at<T>(&mut self, ask: impl FnOnce(&mut u64) -> T) -> Result<T> {
        let answer = ask(&mut self.tests);
        self.points += 1;
        Limits::charge(TESTS, self.tests, FREE.saturating_add(self.points.saturating_mul(EACH)))?;
        Ok(answer)
    }

    /// The node under a point.
    pub(crate) fn node_at(&mut self, index: &NavIndex, p: Point) -> Result<Option<u32>> {
        let area = self.at(|looked| index.area_at_counted(p, None, |_| true, looked))?;
        Ok(area.and_then(|area| index.node(area)))
    }
}
