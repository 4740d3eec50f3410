//! Places in the form that people type: a point, the id of an area, the name of a place.

use super::area::Area;
use super::index::NavIndex;
use navmap_core::graph::{Aabb, Ids, Point};
use navmap_core::text::nearest;
use std::fmt;
use std::str::FromStr;

/// A person's name for a place of a mesh: `x,y,z`, an id, or the name of a place. An id is `#17`, and whatever else
/// [`NavIndex::ids`] writes: [`find`](Self::find) knows it when it sees the index.
///
/// ```
/// use navmap::graph::Point;
/// use navmap::query::Spot;
///
/// assert_eq!("10,-20,3.5".parse(), Ok(Spot::Point(Point::new(10.0, -20.0, 3.5))));
/// assert_eq!("#17".parse(), Ok(Spot::Id(17)));
/// assert_eq!("CTSpawn".parse(), Ok(Spot::Place("CTSpawn".into())));
/// assert!("10,20".parse::<Spot>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Spot {
    /// A point in the file's axes and units.
    Point(Point),
    /// The area with this id.
    Id(u64),
    /// A place, by its name, ignoring case; or an id with letters before its `#`, as `01000902#14`.
    Place(String),
}

/// The area of a [`Spot`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Found {
    /// The area.
    pub area: Area,
    /// The point on its ground. For a point query, the ground under it, or the closest point of the nearest area; otherwise the
    /// area's center.
    pub point: Point,
    /// The distance of a query point from the area, if the area is not under it.
    pub off: Option<f32>,
}

/// The reason why a [`Spot`] matches nothing.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Lost {
    /// The text is neither three numbers, nor an id, nor a name.
    Text(String),
    /// No area has this id.
    NoId {
        /// The id.
        id: u64,
        /// How ids are written.
        ids: Ids,
        /// The format's word for an area.
        word: &'static str,
        /// The next existing ids, at most two.
        near: Vec<u64>,
    },
    /// The area with this id is not among those that are asked about, such as one of another hull.
    Apart {
        /// The id.
        id: u64,
        /// How ids are written.
        ids: Ids,
        /// The format's word for an area.
        word: &'static str,
        /// What it belongs to, if the mesh names that: `hull 1`.
        group: Option<String>,
    },
    /// No place has this name.
    NoPlace {
        /// The name.
        name: String,
        /// The nearest names, or the id that a number alone would be.
        near: Vec<String>,
        /// The number of named places.
        places: usize,
    },
    /// The mesh has no area, or none close enough.
    Nowhere(Point),
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => {
                write!(f, "{text} is neither a point (x,y,z) nor an id (#17) nor the name of a place")
            }
            Self::NoId { id, ids, word, near } => {
                write!(f, "there is no {word} {}", ids.name(*id))?;
                let near: Vec<String> = near.iter().map(|id| ids.name(*id).to_string()).collect();
                match near.as_slice() {
                    [] => Ok(()),
                    [one] => write!(f, "; the next is {one}"),
                    both => write!(f, "; the next are {}", both.join(" and ")),
                }
            }
            Self::Apart { id, ids, word, group } => {
                write!(f, "{word} {} is ", ids.name(*id))?;
                match group {
                    Some(group) => write!(f, "of {group}, which is not asked about"),
                    None => f.write_str("not among those that are asked about"),
                }
            }
            Self::NoPlace { name, places: 0, near } if near.is_empty() => {
                write!(f, "no place is called {name}: the mesh names none; points are x,y,z, ids #17")
            }
            Self::NoPlace { name, near, .. } => {
                write!(f, "no place is called {name}")?;
                if near.is_empty() { Ok(()) } else { write!(f, "; did you mean {}?", near.join(", ")) }
            }
            Self::Nowhere(p) => write!(f, "nothing is near {}, {}, {}", p.x, p.y, p.z),
        }
    }
}

impl std::error::Error for Lost {}

impl FromStr for Spot {
    type Err = Lost;

    fn from_str(text: &str) -> Result<Self, Lost> {
        let text = text.trim();
        let refused = || Lost::Text(text.to_owned());
        if text.starts_with('#') {
            return Ids::Numbers.read(text).map(Self::Id).ok_or_else(refused);
        }
        let parts: Vec<&str> = text.split([',', ' ', '\t', ';']).filter(|part| !part.is_empty()).collect();
        let numbers: Option<Vec<f32>> = parts.iter().map(|part| part.parse().ok()).collect();
        match (numbers.as_deref(), text) {
            (Some(&[x, y, z]), _) => Ok(Self::Point(Point::new(x, y, z))),
            // A name may be a word that also parses as a number: nan, inf. A list of numbers is never a name.
            (Some(_), "") => Err(refused()),
            (Some(numbers), _) if numbers.len() > 1 => Err(refused()),
            _ => Ok(Self::Place(text.to_owned())),
        }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Point(p) => write!(f, "{},{},{}", p.x, p.y, p.z),
            Self::Id(id) => write!(f, "#{id}"),
            Self::Place(name) => f.write_str(name),
        }
    }
}

impl Spot {
    /// The area it refers to, among those accepted by `keep`. A point refers to the area under it by the game's rule, else the
    /// nearest one within `max`. A place refers to its area closest to the middle of the place.
    ///
    /// An id takes a binary search; a place, a search of all areas.
    ///
    /// # Errors
    /// If no area has the id, no place the name, nothing is near the point, or `keep` does not accept it. The error has near misses.
    pub fn find(&self, index: &NavIndex, max: f32, keep: impl Fn(Area) -> bool) -> Result<Found, Lost> {
        let center = |area: Area| index.center(area).unwrap_or_default();
        match self {
            Self::Point(p) => {
                if let Some(area) = index.area_at_where(*p, None, &keep) {
                    let point = index.ground_below(area, *p);
                    return Ok(Found { area, point, off: None });
                }
                let near = index.nearest_where(*p, max, keep).ok_or(Lost::Nowhere(*p))?;
                Ok(Found { area: near.area, point: near.point, off: Some(near.distance) })
            }
            Self::Id(id) => {
                let area = index.by_id(*id).ok_or_else(|| index.no_id(*id))?;
                if !keep(area) {
                    return Err(index.apart(*id, area));
                }
                Ok(Found { area, point: center(area), off: None })
            }
            Self::Place(name) => {
                if let Some(id) = index.ids().read(name) {
                    return Self::Id(index.meant(id)).find(index, max, keep);
                }
                let areas = || index.in_place(name).filter(|area| keep(*area));
                let bounds: Aabb = areas().map(center).filter(|at| at.is_finite()).collect();
                let middle = bounds.min.midway(bounds.max);
                let far = |area: &Area| center(*area).distance(middle);
                // Of two at one distance, the first in the file.
                let best = areas()
                    .min_by(|a, b| far(a).total_cmp(&far(b)).then(index.node(*a).cmp(&index.node(*b))));
                let near = || match name.parse().ok().filter(|id| index.by_id(*id).is_some()) {
                    Some(id) => vec![index.ids().name(id).to_string()],
                    None => nearest(name, index.places().iter().map(String::as_str)),
                };
                let area = best.ok_or_else(|| Lost::NoPlace {
                    name: name.clone(),
                    near: near(),
                    places: index.places().len(),
                })?;
                Ok(Found { area, point: center(area), off: None })
            }
        }
    }
}

impl NavIndex {
    /// The ground of an area under a point.
    fn ground_below(&self, area: Area, p: Point) -> Point {
        let [x, y, z] = self.plan(p);
        self.unplan([x, y, self.z_at(area, p).unwrap_or(z)])
    }

    /// The id that is meant by one that may name no tile, if all areas are of one.
    fn meant(&self, id: u64) -> u64 {
        self.ids().meant(id, self.parts.ids.ends().unwrap_or_default())
    }

    #[cold]
    fn no_id(&self, id: u64) -> Lost {
        Lost::NoId { id, ids: self.ids(), word: self.node_word(), near: self.next_ids(id) }
    }

    #[cold]
    fn apart(&self, id: u64, area: Area) -> Lost {
        let group = self.group(area).and_then(|group| self.group_name(group)).map(str::to_owned);
        Lost::Apart { id, ids: self.ids(), word: self.node_word(), group }
    }

    /// The ids before and after one that does not exist.
    fn next_ids(&self, id: u64) -> Vec<u64> {
        let ids = || self.areas().filter_map(|area| self.id(area));
        let below = ids().filter(|other| *other < id).max();
        below.into_iter().chain(ids().filter(|other| *other > id).min()).collect()
    }
}
