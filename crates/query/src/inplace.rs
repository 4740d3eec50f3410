//! Finds the area of a point without an index, in files that are sorted by place.

use navmap_core::format::{AnyGraph, GraphTask};
use navmap_core::graph::{NavGraph, Point, Up};

/// The ground under a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing {
    /// The node, by its position in the file.
    pub node: u32,
    /// Its id.
    pub id: u64,
    /// The height of the ground.
    pub z: f32,
}

/// The answer of a file that is asked without an index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum InPlace {
    /// The file is not sorted by place: [`NavIndex`](super::NavIndex) answers.
    NeedsIndex,
    /// No ground is under the point.
    Off,
    /// The highest ground under it.
    On(Standing),
}

/// [`NavIndex::ground_at`](super::NavIndex::ground_at) without an index: a search in the file itself, where its nodes are sorted by
/// place, as squares of X-Ray are. The rule is the same, so is the answer, but for points on the border between two nodes.
/// Allocates nothing.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::graph::Point;
/// use navmap::open::Mesh;
/// use navmap::query::{InPlace, ground_in_place};
///
/// let level = Mesh::open("corpus/xray/v10.ai")?;
/// let InPlace::On(standing) = ground_in_place(level.nav(), Point::new(0.7, 0.1, 1.3), None) else { panic!() };
/// assert_eq!((standing.node, standing.id), (9, 9));
///
/// let town = Mesh::open("corpus/source/town.nav")?;
/// assert_eq!(ground_in_place(town.nav(), Point::default(), None), InPlace::NeedsIndex);
/// # Ok::<(), navmap::Error>(())
/// ```
pub fn ground_in_place(nav: &impl AnyGraph, p: Point, reach: impl Into<Option<f32>>) -> InPlace {
    ground_in_place_counted(nav, p, reach, &mut 0)
}

/// [`ground_in_place`], which adds to `looked` how many nodes it looks at, as
/// [`NavIndex::area_at_counted`](super::NavIndex::area_at_counted) does.
pub fn ground_in_place_counted(
    nav: &impl AnyGraph,
    p: Point,
    reach: impl Into<Option<f32>>,
    looked: &mut u64,
) -> InPlace {
    nav.with_graph(Ask { p, reach: reach.into(), looked })
}

struct Ask<'l> {
    p: Point,
    reach: Option<f32>,
    looked: &'l mut u64,
}

impl GraphTask for Ask<'_> {
    type Out = InPlace;

    fn run(self, graph: &impl NavGraph) -> InPlace {
        let rules = graph.rules();
        let height = if graph.axes().up == Up::Y { self.p.y } else { self.p.z };
        let (ceiling, floor) = (height + rules.above, height - self.reach.unwrap_or(rules.reach));
        let mut best: Option<Standing> = None;
        let is_sorted = graph.nodes_at(self.p, &mut |node, z| {
            *self.looked += 1;
            if (z <= ceiling) & (z >= floor) & best.is_none_or(|best| z > best.z) {
                best = Some(Standing { node: node.index, id: node.id, z });
            }
        });
        match (is_sorted, best) {
            (false, _) => InPlace::NeedsIndex,
            (true, None) => InPlace::Off,
            (true, Some(best)) => InPlace::On(best),
        }
    }
}
