//! The entities of a map that block traces, and which of them a trace meets.

use super::entity::{Entities, Entity};
use super::lumps::Engine;
use super::placed::Placed;
use super::source::Model;
use super::trace::{Sweep, touch};
use super::tree::Tree;
use navmap_core::Limits;
use navmap_core::error::Result;
use navmap_core::graph::boxes::{BoxTree, along_curve};
use std::ops::ControlFlow;

/// More than any engine of these has entities.
const MOST: u64 = 8_192;
/// Pairs that any map may have whose boxes have a point in common, and the bytes of it for each more: a trace there meets both.
const PAIRS: u64 = 32_768;
const PAIR_BYTES: u64 = 64;
/// How deep the trees may be together that a trace meets in one place, in any map, and the bytes of it for each more. Each costs as much as
/// so many nodes more. Maps of games have 50.
const DEPTH: u64 = 512;
const DEPTH_BYTES: u64 = 8_192;
const EACH: u64 = 8;
const FAR: f32 = 65_536.0;
/// So many are gone through one by one in less time than the tree takes.
const FEW: usize = 64;

/// An entity with a model of the map that blocks traces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solid {
    pub(super) model: Model,
    /// The number of the model.
    pub(super) number: u32,
    pub(super) placed: Placed,
    /// The box around it, where it stands.
    bounds: [[f32; 3]; 2],
    pub(super) entity: u32,
    /// Whether it is transparent.
    pub(super) glass: bool,
    pub(super) moves: bool,
    /// Whether walking into it opens or breaks it.
    pub(super) opens: bool,
}

/// The entities that a trace ignores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Past {
    None,
    One(u32),
    /// All that open or break.
    Opening,
}

impl Past {
    pub(super) fn stops(self, solid: &Solid) -> bool {
        match self {
            Self::None => true,
            Self::One(entity) => solid.entity != entity,
            Self::Opening => !solid.opens,
        }
    }
}

/// All entities that block traces, in the order of the file, and a tree of their boxes.
#[derive(Clone, Debug)]
pub(super) struct Solids {
    list: Vec<Solid>,
    tree: BoxTree,
    /// Their places in the list, as they lie in the tree.
    order: Vec<u32>,
}

impl Solids {
    /// Finds them in a map of so many bytes.
    ///
    /// # Errors
    /// If they are more than an engine has, or so many lie in one place that each trace there would take long.
    pub(super) fn read(
        engine: Engine,
        models: &[Model],
        tree: &Tree,
        entities: &Entities,
        bytes: u64,
    ) -> Result<Self> {
        let solid = |(number, entity): (u32, &Entity)| solid(engine, models, number, entity);
        let list: Vec<Solid> = (0_u32..).zip(entities.iter()).filter_map(solid).collect();
        Limits::charge("solid entities", list.len() as u64, MOST)?;
        let allowed = PAIRS.saturating_add(bytes / PAIR_BYTES);
        Limits::charge("pairs of solid entities that overlap", pairs(&list, allowed), allowed)?;
        let bounds = |at: usize| list.get(at).map_or([[f32::NAN; 3]; 2], |solid| solid.bounds);
        let middle = |at: usize| {
            let [[west, south, _], [east, north, _]] = bounds(at);
            [0.5 * (west + east), 0.5 * (south + north)]
        };
        let (order, _) = along_curve(list.len(), middle);
        let boxes = BoxTree::new(order.iter().map(|at| bounds(*at as usize)));
        let solids = Self { list, tree: boxes, order };
        let allowed = DEPTH.saturating_add(bytes / DEPTH_BYTES);
        Limits::charge("depth of solid entities in one place", solids.depth(tree), allowed)?;
        Ok(solids)
    }

    /// The most that trees in one place are deep together: of those whose boxes hold the middle of another's.
    fn depth(&self, tree: &Tree) -> u64 {
        let own = |solid: &Solid| u64::from(tree.height(solid.model.head)).saturating_add(EACH);
        let together = |solid: &Solid| {
            let [low, high] = solid.bounds;
            // No place is further out, and an endless box has a middle too.
            let mut parts =
                low.into_iter().zip(high).map(|(low, high)| 0.5 * (low.max(-FAR) + high.min(FAR)));
            let middle = [(); 3].map(|()| parts.next().unwrap_or_default());
            self.at(middle).map(own).fold(0, u64::saturating_add)
        };
        self.list.iter().map(together).max().unwrap_or(0)
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Solid> {
        self.list.iter()
    }

    /// The one with this number among all entities.
    pub(super) fn of(&self, entity: u32) -> Option<&Solid> {
        let at = self.list.binary_search_by_key(&entity, |solid| solid.entity).ok()?;
        self.list.get(at)
    }

    /// Calls `each` with those whose box a sweep touches, in the order of the file, until it breaks.
    #[inline(always)]
    pub(super) fn touched(
        &self,
        sweep: &Sweep,
        mut each: impl FnMut(&Solid) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Sweep { from, to, low, high, .. } = *sweep;
        if self.list.len() > FEW {
            let line = sweep.is_line().then_some([from, to]);
            let found = self.found(sweep.around(to), line);
            return found.into_iter().filter_map(|at| self.list.get(at as usize)).try_for_each(each);
        }
        for solid in &self.list {
            let [least, most] = solid.bounds;
            let ends = from.into_iter().zip(to).zip(low.into_iter().zip(high));
            let touches =
                ends.zip(least.into_iter().zip(most)).all(|(((from, to), (low, high)), (least, most))| {
                    from.min(to) + low <= most + 1.0 && from.max(to) + high >= least - 1.0
                });
            if touches {
                each(solid)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Those whose box a point lies in, in the order of the file.
    pub(super) fn at(&self, point: [f32; 3]) -> impl Iterator<Item = &Solid> {
        let around = [point.map(|part| part - 1.0), point.map(|part| part + 1.0)];
        let (few, found) = match self.list.len() <= FEW {
            true => (self.list.as_slice(), Vec::new()),
            false => (&[][..], self.found(around, None)),
        };
        let found = found.into_iter().filter_map(|at| self.list.get(at as usize));
        few.iter().filter(move |solid| meet(&around, &solid.bounds)).chain(found)
    }

    /// The places in the list of those that the tree finds. Most traces meet none, and then nothing is allocated.
    #[inline(never)]
    fn found(&self, around: [[f32; 3]; 2], line: Option<[[f32; 3]; 2]>) -> Vec<u32> {
        let meets = |at: &u32| {
            let solid = self.list.get(*at as usize).filter(|solid| meet(&around, &solid.bounds));
            solid.is_some_and(|solid| line.is_none_or(|line| crosses(line, solid.bounds)))
        };
        let mut found: Vec<u32> = Vec::new();
        self.tree.in_box(around, |first| {
            let eight = self.order.get(first..).unwrap_or_default().iter().take(8);
            found.extend(eight.copied().filter(meets));
        });
        found.sort_unstable();
        found
    }
}

/// Whether two boxes have a point in common. One of numbers that are none has no points.
fn meet([a_low, a_high]: &[[f32; 3]; 2], [b_low, b_high]: &[[f32; 3]; 2]) -> bool {
    let below = |low: &[f32; 3], high: &[f32; 3]| low.iter().zip(high).all(|(low, high)| low <= high);
    below(a_low, b_high) && below(b_low, a_high)
}

/// Whether a line passes through a box or within a unit of it, as far as rounding lets it be told.
fn crosses([from, to]: [[f32; 3]; 2], [low, high]: [[f32; 3]; 2]) -> bool {
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for ((from, to), (low, high)) in from.into_iter().zip(to).zip(low.into_iter().zip(high)) {
        let [from, to, low, high] = [from, to, low - 1.0, high + 1.0].map(f64::from);
        let way = to - from;
        if way != 0.0 {
            let (one, other) = ((low - from) / way, (high - from) / way);
            (enter, leave) = (enter.max(one.min(other)), leave.min(one.max(other)));
        }
    }
    enter <= leave
}

/// How many pairs have boxes with a point in common; one more than `most` for all beyond that.
fn pairs(list: &[Solid], most: u64) -> u64 {
    let mut boxes: Vec<[[f32; 3]; 2]> = list.iter().map(|solid| solid.bounds).collect();
    boxes.sort_by(|[a, _], [b, _]| a[0].total_cmp(&b[0]));
    let mut found = 0_u64;
    for (own, next) in boxes.iter().zip(1..) {
        let [_, [east, ..]] = own;
        let beside = boxes.iter().skip(next).take_while(|[[west, ..], _]| west <= east);
        found = found.saturating_add(beside.filter(|other| touch(own, other)).count() as u64);
        if found > most {
            return most.saturating_add(1);
        }
    }
    found
}

/// The blocking model of an entity; `None` if it does not block.
fn solid(engine: Engine, models: &[Model], number: u32, entity: &Entity) -> Option<Solid> {
    let at = entity.model().filter(|model| *model != 0)?;
    let model = *models.get(at as usize)?;
    let class = String::from_utf8_lossy(entity.class()).to_ascii_lowercase();
    let flags = entity.integer("spawnflags").unwrap_or(0);
    let flag = |bit: i32| flags & bit != 0;
    let gold = engine == Engine::GoldSrc;
    let stands = match class.as_str() {
        "func_wall" | "func_breakable" | "func_button" | "func_rot_button" | "func_conveyor"
        | "func_plat" => true,
        "func_pushable"
        | "func_platrot"
        | "func_healthcharger"
        | "func_recharge"
        | "func_guntarget"
        | "func_trackchange"
        | "func_trackautochange"
        | "momentary_rot_button"
        | "button_target" => gold || class == "momentary_rot_button",
        "func_lod"
        | "func_breakable_surf"
        | "func_physbox"
        | "func_physbox_multiplayer"
        | "func_movelinear"
        | "momentary_door" => !gold || (class == "momentary_door" && !flag(8)),
        "func_brush" => {
            let solidity = entity.integer("solidity").unwrap_or(0);
            let disabled = entity.integer("StartDisabled").unwrap_or(0) != 0;
            !gold && solidity != 1 && !(disabled && solidity == 0)
        }
        "func_door" | "func_door_rotating" => !flag(8),
        "func_train" | "func_tracktrain" | "func_vehicle" => !gold || !flag(8),
        "func_rotating" => !flag(64),
        "func_wall_toggle" => !flag(1),
        other => gold && other.starts_with("func_tank"),
    };
    let always_opaque = ["func_wall", "func_conveyor", "func_wall_toggle"].contains(&class.as_str());
    let rendered = entity.integer("rendermode").unwrap_or(0);
    let glass = rendered != 0 && !(gold && always_opaque);
    let moves =
        ["func_door", "func_door_rotating", "func_train", "func_tracktrain", "func_plat", "func_movelinear"]
            .contains(&class.as_str())
            || class.starts_with("func_physbox");
    let opens = if gold {
        class.starts_with("func_door") || class == "func_breakable" || class == "momentary_door"
    } else {
        class.starts_with("func_door") || class.starts_with("func_breakable")
    };
    let placed = Placed::from_entity(engine, &class, entity);
    let bounds = placed.around([model.low, model.high]);
    stands.then_some(Solid { model, number: at, placed, bounds, entity: number, glass, moves, opens })
}
