//! Checks that options fit what is drawn: hulls, floors and colours of one mesh, or of all maps of a sheet.

use super::args;
use super::heeded::refuse;
use super::out::{say, warn};
use navmap::draw::{ColourBy, Heat, HeatBy};
use navmap::error::{Error, Result};
use navmap::graph::{Axes, FlatGraph, NavGraph, Point, Up, plural};
use navmap::text::Grouped;

/// Whether meshes have what the options ask for.
#[derive(Debug, Default)]
pub(super) struct Fits {
    /// The most hulls of a mesh.
    hulls: u32,
    /// Whether a mesh has nodes but no hulls.
    hull_less: bool,
    /// Whether a mesh has nodes of the hull.
    in_hull: bool,
    /// Lowest and highest node.
    reach: Option<[f32; 2]>,
    /// Whether a node is on the floor.
    on_floor: bool,
    /// What nodes cover of the file's own two horizontal coordinates.
    extent: Option<Rectangle>,
    /// Whether a node reaches into the box.
    in_box: bool,
    /// Which of the flags a mesh knows.
    flags: Vec<bool>,
    /// Whether a mesh with nodes can be coloured as requested. One is enough.
    colour: Option<Result<()>>,
}

impl Fits {
    /// Keeps the requested hull of a mesh, and examines the rest. The links of a graph that has hulls are those of the requested
    /// one already.
    pub(super) fn examine(typed: &args::Draw, graph: &mut FlatGraph, has_hulls: bool) -> Self {
        let mut fits = Self::default();
        if graph.group_word() == Some("hull") {
            let last = graph.nodes().iter().filter_map(|node| node.group).max();
            fits.hulls = last.map_or(0, |last| last.saturating_add(1));
            // The same floor is there for each.
            let wanted = typed.hull.map_or(Some(0), |hull| hull.number());
            graph.retain(|node| node.group.is_some() && node.group == wanted);
        }
        fits.hull_less = fits.hulls == 0 && !has_hulls && !graph.nodes().is_empty();
        fits.in_hull = fits.hulls > 0 && !graph.nodes().is_empty();
        let axes = graph.axes();
        let centers = graph.nodes().iter().filter_map(|node| graph.shape(node).center());
        for height in centers.filter(|at| at.is_finite()).map(|at| axes.height(at)) {
            fits.on_floor |= typed.floor.is_none_or(|floor| (floor.low..=floor.high).contains(&height));
            let [lowest, highest] = fits.reach.unwrap_or([height; 2]);
            fits.reach = Some([lowest.min(height), highest.max(height)]);
        }
        let wanted = typed.area.map(|area| ordered(area.0));
        for own in graph.nodes().iter().filter_map(|node| plan(&axes, graph.corners(node))) {
            fits.in_box |= wanted.is_none_or(|wanted| meet(wanted, own));
            fits.extent = Some(fits.extent.map_or(own, |extent| around(extent, own)));
        }
        fits
    }

    /// The meaning of colours on this mesh of a sheet. If only other meshes can be coloured as requested, this one has a single
    /// colour.
    pub(super) fn colour(&mut self, typed: &args::Draw, graph: &FlatGraph) -> Option<ColourBy> {
        typed.color.as_ref()?;
        let colour = colour(typed, graph, ColourBy::of_sheet);
        if let Ok(Some(ColourBy::Chosen(bits))) = &colour {
            self.flags = bits.iter().map(Option::is_some).collect();
        }
        match colour {
            Ok(colour) => {
                self.colour = (!graph.nodes().is_empty()).then_some(Ok(()));
                colour
            }
            Err(error) => {
                self.colour = Some(Err(error));
                Some(ColourBy::Plain)
            }
        }
    }

    /// Both.
    pub(super) fn and(mut self, other: Self) -> Self {
        self.hulls = self.hulls.max(other.hulls);
        self.hull_less |= other.hull_less;
        self.in_hull |= other.in_hull;
        self.on_floor |= other.on_floor;
        self.in_box |= other.in_box;
        self.extent = match (self.extent, other.extent) {
            (Some(one), Some(other)) => Some(around(one, other)),
            (one, other) => one.or(other),
        };
        self.reach = match (self.reach, other.reach) {
            (Some([a, b]), Some([c, d])) => Some([a.min(c), b.max(d)]),
            (one, other) => one.or(other),
        };
        self.flags.resize(self.flags.len().max(other.flags.len()), false);
        self.flags.iter_mut().zip(other.flags).for_each(|(known, other)| *known |= other);
        self.colour = match (self.colour, other.colour) {
            (Some(Ok(())), _) | (_, Some(Ok(()))) => Some(Ok(())),
            (one, other) => one.or(other),
        };
        self
    }

    /// Refuses options that fit no mesh, since a blank picture helps nobody.
    pub(super) fn judge(self, typed: &args::Draw, whole: Whole) -> Result<()> {
        let refused = |what, why: String| Err(Error::invalid(what, why).in_file(&typed.path));
        let said = |mesh: &'static str, maps: &'static str| if whole == Whole::Mesh { mesh } else { maps };
        if typed.hull.is_some() && self.hulls == 0 && self.hull_less {
            let none = said("this one has none", "none of these maps has one");
            return refused("--hull", format!("only node graphs and meshes of Source 2 have hulls, {none}"));
        }
        if self.hulls > 0 && !self.in_hull && (typed.hull.is_some() || !self.hull_less) {
            let number = typed.hull.map_or_else(|| "0".to_owned(), |hull| hull.to_string());
            let have = said("the mesh has", "the maps have at most");
            return refused("--hull", format!("there is none of number {number}, {have} {}", self.hulls));
        }
        if let (Some(floor), Some([lowest, highest]), false) = (typed.floor, self.reach, self.on_floor) {
            let (low, high) = (floor.low, floor.high);
            let reach = said("the mesh reaches", "the maps reach");
            let why = format!("nothing lies from {low} to {high}; {reach} from {lowest} to {highest}");
            return refused("--floor", why);
        }
        // Of a map, or of points, there may be something to see where no mesh is.
        let is_bare = typed.bsp.is_none() && typed.points.is_none();
        if let (Some([left, low, right, high]), false, true) = (self.extent, self.in_box, is_bare) {
            let reach = said("the mesh reaches", "the maps reach");
            let why = format!("nothing lies in it; {reach} from {left},{low} to {right},{high}");
            return refused("--box", why);
        }
        self.colour.unwrap_or(Ok(()))?;
        let names = typed.color.iter().flat_map(|names| names.split(','));
        match names.zip(&self.flags).find(|(_, known)| !**known) {
            Some((name, _)) => refused("--color", format!("no map here knows the flag {}", name.trim())),
            None => Ok(()),
        }
    }
}

/// Says what `--box` would show if the picture is nearly empty, as it is if one island lies far away.
pub(super) fn hint_at_box(typed: &args::Draw, graph: &FlatGraph) {
    /// A few nodes are no crowd.
    const LEAST: usize = 20;
    if typed.area.is_some() || typed.around.is_some() || typed.floor.is_some() {
        return;
    }
    let axes = graph.axes();
    let mut plans: Vec<Rectangle> =
        graph.nodes().iter().filter_map(|node| plan(&axes, graph.corners(node))).collect();
    let Some(extent) = plans.iter().copied().reduce(around).filter(|_| plans.len() >= LEAST) else { return };
    let middle = |[x0, y0, x1, y1]: Rectangle| [x0 / 2.0 + x1 / 2.0, y0 / 2.0 + y1 / 2.0];
    let median = |axis: fn([f32; 2]) -> f32| {
        let mut along: Vec<f32> = plans.iter().map(|own| axis(middle(*own))).collect();
        let half = along.len() / 2;
        *along.select_nth_unstable_by(half, f32::total_cmp).1
    };
    let (x, y) = (median(|[x, _]| x), median(|[_, y]| y));
    let far = |own: &Rectangle| {
        let [own_x, own_y] = middle(*own);
        (own_x - x).abs().max((own_y - y).abs())
    };
    let most = (plans.len() * 95).div_ceil(100);
    plans.select_nth_unstable_by(most - 1, |a, b| far(a).total_cmp(&far(b)));
    let Some(crowd) = plans.iter().take(most).copied().reduce(around) else { return };
    let surface = |[x0, y0, x1, y1]: Rectangle| f64::from(x1 - x0) * f64::from(y1 - y0);
    if surface(crowd) < 0.01 * surface(extent) {
        let [left, low] = [crowd[0].floor(), crowd[1].floor()];
        // Two different corners, also of a line.
        let [right, high] = [(crowd[2].ceil(), left), (crowd[3].ceil(), low)]
            .map(|(end, start)| if end > start { end } else { end + 1.0 });
        say(format_args!(
            "navmap: most of the picture is empty: 95 % of its {} lie in --box {left},{low},{right},{high}",
            plural(graph.node_word(), 2)
        ));
    }
}

/// Refuses options that do nothing for what is drawn.
///
/// # Errors
/// If one was typed.
pub(super) fn heeded(typed: &args::Draw, whole: Whole) -> Result<()> {
    let tall = typed.size.is_some_and(|size| size.height.is_some());
    let special = [
        ("--space", typed.space.is_some()),
        ("--columns", typed.columns.is_some()),
        ("--rows", typed.rows.is_some()),
        ("--thumbnail", typed.thumbnail.is_some()),
        ("--size", typed.size.is_some()),
        ("--size WIDTHxHEIGHT", tall),
        ("--fit", typed.fit),
    ];
    let (heeded, what): (&[&str], _) = match whole {
        Whole::Maps => {
            (&["--columns", "--rows", "--thumbnail"], "a sheet, whose size follows from its thumbnails")
        }
        Whole::Mesh if typed.panels.is_some() => (&["--space", "--columns", "--size"], "a page of panels"),
        Whole::Mesh if !tall => (&["--space", "--size"], "a picture of one mesh without a given height"),
        Whole::Mesh => (&["--space", "--size", "--size WIDTHxHEIGHT", "--fit"], "a picture of one mesh"),
    };
    refuse(&special, heeded, what, &typed.path)
}

/// Least and greatest of two coordinates: `x0,y0,x1,y1`.
type Rectangle = [f32; 4];

fn ordered([x0, y0, x1, y1]: Rectangle) -> Rectangle {
    [x0.min(x1), y0.min(y1), x0.max(x1), y0.max(y1)]
}

/// What some corners cover, seen from above.
fn plan(axes: &Axes, corners: &[Point]) -> Option<Rectangle> {
    let finite = corners.iter().filter(|corner| corner.is_finite());
    let points = finite.map(|corner| flat(axes, *corner)).map(|[x, y]| [x, y, x, y]);
    points.reduce(around)
}

/// The file's own two horizontal coordinates of a point.
pub(super) fn flat(axes: &Axes, at: Point) -> [f32; 2] {
    match axes.up {
        Up::Z => [at.x, at.y],
        Up::Y => [at.x, at.z],
    }
}

fn around(a: Rectangle, b: Rectangle) -> Rectangle {
    [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]
}

fn meet(a: Rectangle, b: Rectangle) -> bool {
    a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]
}

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whole {
    /// One mesh.
    Mesh,
    /// The maps of a sheet.
    Maps,
}

/// The requested meaning of colours, on this mesh.
pub(super) fn colour(
    typed: &args::Draw,
    graph: &FlatGraph,
    named: impl Fn(&str, &FlatGraph) -> Option<ColourBy>,
) -> Result<Option<ColourBy>> {
    let Some(name) = &typed.color else { return Ok(None) };
    let refused = |why: String| Error::invalid("--color", why);
    let colour = named(name, graph).ok_or_else(|| {
        let values: Vec<&str> = graph.value_names().collect();
        let values = if values.is_empty() { String::new() } else { format!(", {}", values.join(", ")) };
        let flags: Vec<String> = (0..64).filter_map(|bit| graph.flag(bit).map(str::to_lowercase)).collect();
        let flags = if flags.is_empty() { "it names none".to_owned() } else { flags.join(", ") };
        refused(format!(
            "{name} is neither height, place, island, flag, group, plain{values} nor a flag of this mesh ({flags})"
        ))
    })?;
    match colour.tells(graph) || graph.nodes().is_empty() {
        true => Ok(Some(colour)),
        false => Err(refused(format!("the mesh has nothing to tell apart by {name}"))),
    }
}

/// Says how many points lie in no node, or beyond the mesh, and so are not in a picture of it.
///
/// # Errors
/// If all do: then they have other axes or units, or are of another map.
pub(super) fn unseen(graph: &FlatGraph, heat: &Heat) -> Result<()> {
    let place = match heat.by {
        HeatBy::Area(_) => format!("in no {}", graph.node_word()),
        _ => "beyond the mesh".to_owned(),
    };
    let [all, lost] = heat.unseen(graph);
    if all > 0 && lost == all {
        let why = format!("all {} lie {place}: other axes or units, or another map?", Grouped(all));
        return Err(Error::invalid("points", why));
    }
    if lost > 0 {
        warn(format_args!("navmap: {} of {} points lie {place}", Grouped(lost), Grouped(all)));
    }
    Ok(())
}
