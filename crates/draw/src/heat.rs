//! What happened where, as the caller says it.

use navmap_core::graph::{Axes, Point};
use std::borrow::Cow;
use std::collections::HashMap;

/// Points over a mesh: positions, kills, deaths. All are in the axes and units of the graph.
///
/// A point that is not finite is left out, and so is one whose value is no number.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Heat {
    /// The points.
    pub points: Vec<Point>,
    /// A value for each point, which are added up; of tracks, the time. Without, points are counted, and those of a track come one
    /// after the other.
    pub values: Option<Vec<f64>>,
    /// What is coloured.
    pub by: HeatBy,
    /// What a colour means.
    pub scale: Scale,
    /// The title of the key: `points`, `kills`.
    pub title: String,
}

/// What shows how many points there are.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum HeatBy {
    /// Each point is a dot, in the colour of its value.
    #[default]
    Point,
    /// Nodes, by the points in them: for each point the position of its node in the graph, if it is in one.
    Area(Vec<Option<u32>>),
    /// Squares of the ground with sides of this length, in file units.
    Cell(f32),
    /// A smooth density: each point is spread with this standard deviation, in file units. Values are sums a square unit.
    Density(f32),
    /// The ways of several, joined in order of their values, which are times: for each point the number of its track. A line has
    /// the colour of the time at its end.
    Track(Vec<u32>),
}

impl HeatBy {
    /// Side of a cell and spread of a density, in metres, if the caller names none.
    const USUAL_METRES: f32 = 2.5;

    /// The usual side of a cell and spread of a density, in file units.
    pub fn usual_length(axes: &Axes) -> f32 {
        Self::USUAL_METRES / axes.metres_per_unit.max(1e-9)
    }
}

impl Heat {
    /// The points of each panel, with the same scale and title: `of` says for each point the number of its panel. A point whose
    /// number is not below `panels`, or that has none, is in no panel.
    pub fn split(&self, of: &[u32], panels: usize) -> Vec<Self> {
        let mut members = vec![Vec::new(); panels];
        for (at, panel) in of.iter().enumerate().take(self.points.len()) {
            if let Some(member) = members.get_mut(*panel as usize) {
                member.push(at);
            }
        }
        members.iter().map(|chosen| self.only(chosen)).collect()
    }

    /// What lies on a floor: its points, or by area what is in the nodes that have a height in `heights`, which are those on the
    /// floor. Tracks stay whole: what of them is drawn hangs on both ends of a line.
    pub(super) fn on_floor(
        &self,
        axes: &Axes,
        floor: Option<[f32; 2]>,
        heights: &[Option<f32>],
    ) -> Cow<'_, Self> {
        let Some(floor) = floor else { return Cow::Borrowed(self) };
        let here = |at: usize| match &self.by {
            HeatBy::Track(_) => true,
            HeatBy::Area(of) => of
                .get(at)
                .copied()
                .flatten()
                .is_some_and(|node| heights.get(node as usize).is_some_and(Option::is_some)),
            HeatBy::Point | HeatBy::Cell(_) | HeatBy::Density(_) => {
                self.points.get(at).is_some_and(|point| is_within(axes, floor, *point))
            }
        };
        let chosen: Vec<usize> = (0..self.points.len()).filter(|at| here(*at)).collect();
        Cow::Owned(self.only(&chosen))
    }

    /// These of its points, by position.
    fn only(&self, chosen: &[usize]) -> Self {
        fn take<T: Copy>(all: &[T], chosen: &[usize], missing: T) -> Vec<T> {
            chosen.iter().map(|at| all.get(*at).copied().unwrap_or(missing)).collect()
        }
        let by = match &self.by {
            HeatBy::Area(of) => HeatBy::Area(take(of, chosen, None)),
            HeatBy::Track(of) => HeatBy::Track(take(of, chosen, u32::MAX)),
            other => other.clone(),
        };
        Self {
            points: take(&self.points, chosen, Point::new(f32::NAN, f32::NAN, f32::NAN)),
            values: self.values.as_ref().map(|values| take(values, chosen, f64::NAN)),
            by,
            scale: self.scale,
            title: self.title.clone(),
        }
    }
}

/// Whether a point lies between the two heights of a floor.
pub(super) fn is_within(axes: &Axes, [low, high]: [f32; 2], point: Point) -> bool {
    (low..=high).contains(&axes.height(point))
}

/// Names of points, such as players or rounds: each name once in order of appearance, and for each point the number of its name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Groups {
    /// The names.
    pub names: Vec<String>,
    /// For each point the number of its name.
    pub of: Vec<u32>,
    numbers: HashMap<String, u32>,
}

impl Groups {
    /// Adds the name of the next point.
    pub fn push(&mut self, name: &str) {
        let next = self.names.len() as u32;
        let number = self.numbers.get(name).copied().unwrap_or_else(|| {
            self.numbers.insert(name.to_owned(), next);
            self.names.push(name.to_owned());
            next
        });
        self.of.push(number);
    }
}

/// What colours mean along a ramp.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Scale {
    /// Whether equal ratios, and not equal differences, look equally far apart. Values of 0 and below have no colour then.
    pub log: bool,
    /// The ends of the ramp. By default 0, or the lowest value, and the highest; an end that is not finite is that.
    pub clip: Option<[f64; 2]>,
}
