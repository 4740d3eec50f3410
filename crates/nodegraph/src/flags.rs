//! Named bits, values and hulls. Unknown ones are kept.

use navmap_core::bits;
use navmap_core::error::{Error, Result};
use navmap_core::format::HullName;
use std::fmt;

/// Defines a stored number some of whose values have names.
macro_rules! named {
    ($($(#[$doc:meta])* $name:ident($int:ty) { $($(#[$value_doc:meta])* $value:ident = $number:literal => $text:literal,)* })+) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub $int);

        impl $name {
            $($(#[$value_doc])* pub const $value: Self = Self($number);)*

            /// The values that have names.
            pub const NAMED: &'static [(&'static str, Self)] = &[$(($text, Self::$value)),*];

            /// Its name; `None` if none is known.
            pub fn name(self) -> Option<&'static str> {
                Self::NAMED.iter().find(|(_, value)| *value == self).map(|(name, _)| *name)
            }

            /// The value of this name.
            pub fn named(name: &str) -> Option<Self> {
                Self::NAMED.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| *value)
            }
        }

        /// The name, or the number.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.name() {
                    Some(name) => f.pad(name),
                    None => fmt::Display::fmt(&self.0, f),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self.name() {
                    Some(name) => serializer.serialize_str(name),
                    None => serde::Serialize::serialize(&self.0, serializer),
                }
            }
        }
    )+ };
}

named! {
    /// What a node of `.ain` is. `docs/formats/nodegraph.md`, section 2.
    NodeKind(u8) {
        /// Only searches use it.
        ANY = 0 => "any",
        /// Deleted when the graph was made.
        DELETED = 1 => "deleted",
        /// One stands here.
        GROUND = 2 => "ground",
        /// One flies here.
        AIR = 3 => "air",
        /// One climbs here.
        CLIMB = 4 => "climb",
        /// One swims here.
        WATER = 5 => "water",
    }

    /// What is worth doing at a node of `.nod`. Section 4.
    Hint(i16) {
        /// Nothing.
        NONE = 0 => "none",
        /// A door.
        DOOR = 1 => "door",
        /// A window.
        WINDOW = 2 => "window",
        /// A button.
        BUTTON = 3 => "button",
        /// Machinery.
        MACHINERY = 4 => "machinery",
        /// A ledge.
        LEDGE = 5 => "ledge",
        /// A source of light.
        LIGHT = 6 => "light",
        /// A source of heat.
        HEAT = 7 => "heat",
        /// A blinking light.
        BLINKING_LIGHT = 8 => "blinking light",
        /// Bright colours.
        BRIGHT = 9 => "bright",
        /// Blood of people.
        HUMAN_BLOOD = 10 => "human blood",
        /// Blood of aliens.
        ALIEN_BLOOD = 11 => "alien blood",
        /// A way out.
        EXIT = 100 => "exit",
        /// A place to look from.
        VANTAGE = 101 => "vantage",
        /// A place to lie in wait.
        AMBUSH = 102 => "ambush",
        /// Where a stukabat hangs.
        STUKA_PERCH = 300 => "stuka perch",
        /// Where a stukabat lands.
        STUKA_LANDING = 301 => "stuka landing",
    }

    /// What a node of `.nod` is.
    NodeType(u32) {
        /// One stands here.
        LAND = 1 => "land",
        /// One flies here.
        AIR = 2 => "air",
        /// One swims here.
        WATER = 4 => "water",
    }
}

bits! {
    /// How a hull passes a link of `.ain`. A link that no bit allows is closed to the hull. Section 2.
    Moves(u8) {
        /// On the ground.
        GROUND = 0x1 => "ground",
        /// With a jump.
        JUMP = 0x2 => "jump",
        /// Through the air.
        FLY = 0x4 => "fly",
        /// By climbing.
        CLIMB = 0x8 => "climb",
        /// By swimming.
        SWIM = 0x10 => "swim",
        /// On all fours.
        CRAWL = 0x20 => "crawl",
    }
}

bits! {
    /// What a node of `.ain` 37 and 41 says besides. Section 2.
    NodeInfo(u32) {
        /// At the bottom of a ladder.
        LADDER_BOTTOM = 0x1 => "ladder_bottom",
        /// On a ladder.
        ON_LADDER = 0x2 => "on_ladder",
        /// One leaves the ladder forward.
        OFF_FORWARD = 0x4 => "off_forward",
        /// One leaves the ladder to the left.
        OFF_LEFT = 0x8 => "off_left",
        /// One leaves the ladder to the right.
        OFF_RIGHT = 0x10 => "off_right",
        /// The mapper wants it for this hull.
        HULL_HUMAN = 0x20 => "hull_human",
        /// The mapper wants it for this hull.
        HULL_SMALL_CENTERED = 0x40 => "hull_small_centered",
        /// The mapper wants it for this hull.
        HULL_WIDE_HUMAN = 0x80 => "hull_wide_human",
        /// The mapper wants it for this hull.
        HULL_TINY = 0x100 => "hull_tiny",
        /// The mapper wants it for this hull.
        HULL_WIDE_SHORT = 0x200 => "hull_wide_short",
        /// The mapper wants it for this hull.
        HULL_MEDIUM = 0x400 => "hull_medium",
        /// The mapper wants it for this hull.
        HULL_TINY_CENTERED = 0x800 => "hull_tiny_centered",
        /// The mapper wants it for this hull.
        HULL_LARGE = 0x1000 => "hull_large",
        /// The mapper wants it for this hull.
        HULL_LARGE_CENTERED = 0x2000 => "hull_large_centered",
        /// It was not dropped to the ground.
        DONT_DROP = 0x4000 => "dont_drop",
        /// The same, in version 41.
        DONT_DROP_41 = 0x0800_0000 => "dont_drop_41",
    }
}

bits! {
    /// The hulls that fit through a link of `.nod`. Section 4.
    LinkFlags(u32) {
        /// Headcrabs.
        SMALL = 0x1 => "small",
        /// People.
        HUMAN = 0x2 => "human",
        /// The large ones.
        LARGE = 0x4 => "large",
        /// Those that fly.
        FLY = 0x8 => "fly",
        /// Shut.
        DISABLED = 0x10 => "disabled",
    }
}

navmap_core::id! {
    /// The number of a hull: the size of a creature.
    Hull(u8);
}

impl Hull {
    /// People, in every `.ain` file.
    pub const HUMAN: Self = Self(0);
}

/// The hulls of a form of file, by number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hulls {
    names: &'static [&'static str],
    boxes: &'static [HullBox],
}

/// The box of a hull, around the origin of a creature. Units of the engine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HullBox {
    /// Half its width, in x and in y.
    pub half_width: f32,
    /// Where it begins: at the floor for a creature that stands, below the origin for one that flies.
    pub min_z: f32,
    /// Where it ends.
    pub max_z: f32,
}

const fn boxed(half_width: f32, min_z: f32, max_z: f32) -> HullBox {
    HullBox { half_width, min_z, max_z }
}

/// The hulls of Source. Beyond the first ten they differ from game to game.
pub const SOURCE_HULLS: Hulls = Hulls {
    names: &[
        "human",
        "small_centered",
        "wide_human",
        "tiny",
        "wide_short",
        "medium",
        "tiny_centered",
        "large",
        "large_centered",
        "medium_tall",
    ],
    boxes: &[
        boxed(13.0, 0.0, 72.0),
        boxed(20.0, -20.0, 20.0),
        boxed(15.0, 0.0, 72.0),
        boxed(12.0, 0.0, 24.0),
        boxed(35.0, 0.0, 32.0),
        boxed(16.0, 0.0, 64.0),
        boxed(8.0, -4.0, 4.0),
        boxed(40.0, 0.0, 100.0),
        boxed(38.0, -38.0, 38.0),
        boxed(18.0, 0.0, 100.0),
    ],
};

/// The hulls of Titanfall 2 and Apex Legends.
pub const RESPAWN_HULLS: Hulls =
    Hulls { names: &["human", "medium", "flying_vehicle", "small", "titan"], boxes: &[] };

/// The hulls of Half-Life.
pub const NOD_HULLS: Hulls = Hulls { names: &["small", "human", "large", "fly"], boxes: &[] };

impl Hulls {
    /// The names that are known, in order.
    pub fn names(self) -> &'static [&'static str] {
        self.names
    }
    /// The name of a hull: `human`, or `hull10` where none is known.
    pub fn name(self, hull: Hull) -> String {
        self.names.get(hull.index()).map_or_else(|| format!("hull{hull}"), |name| (*name).to_owned())
    }
    /// The hull of this name.
    pub fn named(self, name: &str) -> Option<Hull> {
        let known = self.names.iter().position(|known| known.eq_ignore_ascii_case(name));
        let number = || {
            name.get(..4).filter(|hull| hull.eq_ignore_ascii_case("hull")).and(name.get(4..))?.parse().ok()
        };
        known.and_then(|at| u8::try_from(at).ok()).or_else(number).map(Hull)
    }
    /// The names of so many hulls, by number.
    pub(super) fn list(self, count: usize) -> Vec<String> {
        (0..=u8::MAX).take(count).map(|hull| self.name(Hull(hull))).collect()
    }
    /// The hull that was asked for, by name or number, of a file that has so many. A file without nodes has none, and any is
    /// right for it.
    pub(super) fn choose(self, asked: Option<HullName>, count: usize) -> Result<Option<Hull>> {
        let Some(asked) = asked.filter(|_| count > 0) else { return Ok(None) };
        let number = asked.number().map(|number| u8::try_from(number).ok().map(Hull));
        let hull = number.unwrap_or_else(|| self.named(asked.as_str())).filter(|hull| hull.index() < count);
        hull.map(Some).ok_or_else(|| {
            let why = format!("there is none called {asked}; there are {}", self.list(count).join(", "));
            Error::invalid("hull", why)
        })
    }
    /// The box of a hull; `None` if it is not known.
    pub fn bounds(self, hull: Hull) -> Option<HullBox> {
        self.boxes.get(hull.index()).copied()
    }
    /// The lowest height of its box: -20 for a hull that is centred, 0 for one that stands.
    pub(super) fn min_z(self, hull: usize) -> f32 {
        self.boxes.get(hull).map_or(0.0, |bounds| bounds.min_z)
    }
}
