//! A map: the world, the entities in it, and queries about them.

use super::budget::Budget;
use super::contents::Contents;
use super::displacement::Nets;
use super::entity::{Entities, Entity};
use super::lumps::{Engine, Lumps};
use super::placed::Placed;
use super::props::Props;
use super::pvs::Pvs;
use super::solids::{Past, Solid, Solids};
use super::source::Model;
use super::spent::Spent;
use super::trace::{Sweep, Trace};
use super::tree::Plane;
use super::{gold, source};
use navmap_core::Limits;
use navmap_core::error::{Error, Result};
use std::cell::Cell;
use std::ops::ControlFlow;

thread_local! {
    /// The brush that stopped the last line of this thread. A hint for what to test first, so any number is safe.
    static LAST: Cell<u16> = const { Cell::new(0) };
}

/// A map that lines and boxes are traced through. It owns what it needs, and is `Send` and `Sync`.
#[derive(Clone, Debug)]
pub struct BspMap {
    engine: Engine,
    version: u32,
    world: World,
    solids: Solids,
    entities: Entities,
    pvs: Pvs,
    /// Boxed, since GoldSrc maps and many others have none.
    nets: Option<Box<Nets>>,
    props: Props,
    /// How long the file is.
    bytes: u64,
}

#[derive(Clone, Debug)]
enum World {
    Gold(gold::World),
    Source(source::World),
}

/// The sides in a leaf that a point of it counts for.
const SIDES_OF_POINT: u32 = 128;

impl BspMap {
    /// Reads a map, and checks every index in it once.
    ///
    /// # Errors
    /// If the bytes are not a map, or a lump is damaged: the error names the lump or record, and the byte. If lists in it are so long or
    /// shared so often that a trace would take long: `docs/limits.md` names them.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        Self::parse_with(bytes, &Limits::default())
    }

    /// Reads a map within the given limits.
    ///
    /// # Errors
    /// Those of [`parse`](Self::parse), and if unpacking would exceed a limit.
    pub fn parse_with(bytes: &[u8], limits: &Limits) -> Result<Self> {
        let lumps = Lumps::parse(bytes)?;
        let world = match lumps.engine() {
            Engine::GoldSrc => World::Gold(gold::World::read(&lumps, limits)?),
            Engine::Source => World::Source(source::World::read(&lumps, limits)?),
        };
        let entities =
            Entities::parse(&lumps.lump(0, limits)?).map_err(|error| error.in_record("lump", 0))?;
        let (models, tree, rows) = match &world {
            World::Gold(world) => (&world.models, &world.tree, Some(world.rows.as_slice())),
            World::Source(world) => (&world.models, &world.tree, None),
        };
        let nets = match lumps.engine() {
            Engine::GoldSrc => None,
            Engine::Source => Nets::read(&lumps, limits)?.map(Box::new),
        };
        let props = match lumps.engine() {
            Engine::GoldSrc => Props::default(),
            Engine::Source => Props::read(&lumps, limits)?,
        };
        let pvs = Pvs::read(&lumps, rows, limits)?;
        let solids = Solids::read(lumps.engine(), models, tree, &entities, bytes.len() as u64)
            .map_err(|error| error.in_record("lump", 0))?;
        Ok(Self {
            engine: lumps.engine(),
            version: lumps.version(),
            world,
            solids,
            entities,
            pvs,
            nets,
            props,
            bytes: bytes.len() as u64,
        })
    }

    /// How many bytes it was read from.
    pub(super) fn len(&self) -> u64 {
        self.bytes
    }

    /// The map's engine.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// 30, or 17 to 21.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Its entities.
    pub fn entities(&self) -> &Entities {
        &self.entities
    }

    /// The compiler's visibility.
    pub fn pvs(&self) -> &Pvs {
        &self.pvs
    }

    /// The corners of the box around the world.
    pub fn bounds(&self) -> [[f32; 3]; 2] {
        self.models().first().map_or([[0.0; 3]; 2], |world| [world.low, world.high])
    }

    /// The number of brush entities that block traces. The others are triggers, water, and non-solid things.
    pub fn solid_entities(&self) -> usize {
        self.solids.len()
    }

    /// The number of displacements, Source's ground made of triangles.
    pub fn displacements(&self) -> usize {
        self.nets.as_deref().map_or(0, Nets::len)
    }

    /// The models of the solid static props that traces pass through because their shapes are unknown, each with the number of
    /// props.
    pub fn solid_props(&self) -> impl Iterator<Item = (&str, u32)> {
        self.props.ignored().into_iter()
    }

    /// The number of static props with a shape, which block traces.
    pub fn shaped_props(&self) -> usize {
        self.props.standing()
    }

    /// Gives static props the shapes of their models. `find` gets paths in the game, `models/props/barrel.phy` (collision) or
    /// `.mdl` (whose box is used), in lower case. Props whose files are not found keep no shape, and a later call may supply it.
    ///
    /// Returns the errors of damaged files, each with its path. Lines and boxes stop at convex pieces as at brushes. Only the
    /// first solid of a model counts, as in the games.
    pub fn add_models(&mut self, find: impl FnMut(&str) -> Option<Vec<u8>>) -> Vec<Error> {
        self.props.add_models(find)
    }

    /// The convex pieces of static props with a shape, as planes in the world.
    pub(super) fn prop_pieces(&self) -> impl Iterator<Item = Vec<Plane>> {
        self.props.shapes.convex()
    }

    /// The number and placement of each blocking model. The world is the first.
    pub(super) fn stands(&self) -> impl Iterator<Item = (u32, Placed)> {
        let world = (0, Placed::default());
        std::iter::once(world).chain(self.solids.iter().map(|solid| (solid.number, solid.placed)))
    }

    /// What may be made of all brushes or faces.
    pub(super) fn budget(&self) -> Budget {
        Budget::of(self.bytes)
    }

    /// Hands on the brushes of the world and of blocking entities, as planes. None in GoldSrc.
    ///
    /// # Errors
    /// If entities name models so often that all their brushes are too many.
    pub(super) fn each_brush(&self, mut each: impl FnMut(Contents, &[Plane], &Placed)) -> Result<()> {
        let World::Source(world) = &self.world else { return Ok(()) };
        let (mut left, mut budget) = (source::MOST_VISITS, self.budget());
        for (number, placed) in self.stands() {
            let Some(model) = world.models.get(number as usize) else { continue };
            for brush in world.brushes_of_model(model, &mut left) {
                budget.brush(brush.count as usize)?;
                each(brush.contents, &world.planes_of(brush), &placed);
            }
        }
        Ok(())
    }

    pub(super) fn nets(&self) -> Option<&Nets> {
        self.nets.as_deref()
    }

    pub(super) fn models(&self) -> &[Model] {
        match &self.world {
            World::Gold(world) => &world.models,
            World::Source(world) => &world.models,
        }
    }

    /// Traces a line. In GoldSrc everything solid stops it if `mask` has [`Contents::SOLID`], and glass if it has
    /// [`Contents::WINDOW`].
    ///
    /// No map of a game makes a trace longer than is free. In one that was made to be slow, traces end where they begin once they took
    /// too many steps together, which [`check_traces`](Self::check_traces) says and ends.
    pub fn line(&self, from: [f32; 3], to: [f32; 3], mask: Contents) -> Trace {
        self.trace(&Sweep { from, to, low: [0.0; 3], high: [0.0; 3], mask }, Past::None)
    }

    /// Whether a line hits nothing, ignoring a start in solid. The same as a fraction of 1 of [`line`](Self::line), but faster,
    /// since the nearest obstacle need not be found. In Source the brush that stopped the thread's last line is tested first,
    /// since nearby lines are often stopped by the same one.
    pub fn is_line_free(&self, from: [f32; 3], to: [f32; 3], mask: Contents) -> bool {
        let sweep = Sweep { from, to, low: [0.0; 3], high: [0.0; 3], mask };
        LAST.with(|last| self.passes(&sweep, Past::None, last, |trace| trace.fraction < 1.0))
    }

    /// Whether a box that ignores some entities hits nothing and starts in nothing solid. The brush `hint` is tested first, and is
    /// then the one that stopped the box; any number is safe.
    pub(super) fn is_hull_free(
        &self,
        [from, to]: [[f32; 3]; 2],
        [low, high]: [[f32; 3]; 2],
        mask: Contents,
        past: Past,
        hint: &Cell<u16>,
    ) -> bool {
        self.passes(&Sweep { from, to, low, high, mask }, past, hint, |trace| !trace.is_free())
    }

    /// Whether nothing stops a sweep, as `stops` tells of the trace through each part of the map alone.
    fn passes(&self, sweep: &Sweep, past: Past, hint: &Cell<u16>, stops: fn(&Trace) -> bool) -> bool {
        let World::Source(world) = &self.world else { return !stops(&self.trace(sweep, past)) };
        if !sweep.is_finite() || world.is_stopped_by(hint.get(), sweep, stops) {
            return false;
        }
        if let Some(brush) = world.models.first().and_then(|model| world.stopped(model, sweep, stops)) {
            hint.set(brush);
            return false;
        }
        let mut rest = Trace::free(sweep.to);
        if let Some(nets) = self.nets.as_deref() {
            self.spent().add(nets.sweep(sweep, &mut rest));
        }
        self.spent().add(self.props.shapes.sweep(sweep, &mut rest));
        let met = |solid: &Solid| {
            let own = solid.placed.sweep(sweep);
            match world.stopped(&solid.model, &own, stops) {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        };
        !stops(&rest) && self.standing(sweep, past, met).is_continue()
    }

    /// Forgets the brush that stopped the last line of this thread.
    pub(super) fn forget() {
        LAST.set(0);
    }

    /// Traces a line that ignores some entities.
    pub(super) fn line_past(&self, from: [f32; 3], to: [f32; 3], mask: Contents, past: Past) -> Trace {
        self.trace(&Sweep { from, to, low: [0.0; 3], high: [0.0; 3], mask }, past)
    }

    /// Traces a box that reaches from `low` to `high` around the moving point. `None` in GoldSrc, whose maps have no brushes to
    /// trace a box against.
    pub fn hull(
        &self,
        from: [f32; 3],
        to: [f32; 3],
        low: [f32; 3],
        high: [f32; 3],
        mask: Contents,
    ) -> Option<Trace> {
        let sweep = Sweep { from, to, low, high, mask };
        (self.engine == Engine::Source || sweep.is_line()).then(|| self.trace(&sweep, Past::None))
    }

    /// Traces a box that ignores some entities.
    pub(super) fn hull_past(
        &self,
        [from, to]: [[f32; 3]; 2],
        [low, high]: [[f32; 3]; 2],
        mask: Contents,
        past: Past,
    ) -> Trace {
        self.trace(&Sweep { from, to, low, high, mask }, past)
    }

    /// Whether an entity is a door or breakable.
    pub(super) fn opens(&self, entity: u32) -> bool {
        self.solids.of(entity).is_some_and(|solid| solid.opens)
    }

    /// The box around an entity's model, moved to the entity's origin.
    pub(super) fn bounds_of(&self, entity: &Entity) -> Option<[[f32; 3]; 2]> {
        let model = self.models().get(entity.model()? as usize)?;
        let [x, y, z] = entity.origin();
        let at = |[a, b, c]: [f32; 3]| [a + x, b + y, c + z];
        Some([at(model.low), at(model.high)])
    }

    fn trace(&self, sweep: &Sweep, past: Past) -> Trace {
        if !sweep.is_finite() {
            return Trace { fraction: 0.0, start_solid: true, all_solid: true, ..Trace::free(sweep.from) };
        }
        match &self.world {
            World::Gold(world) => self.gold(world, sweep, past),
            World::Source(world) => self.source(world, sweep, past),
        }
    }

    fn source(&self, world: &source::World, sweep: &Sweep, past: Past) -> Trace {
        let mut best = Trace::free(sweep.to);
        if let Some(model) = world.models.first() {
            world.sweep(model, sweep, &mut best);
        }
        if let Some(nets) = self.nets.as_deref().filter(|_| !best.all_solid) {
            self.spent().add(nets.sweep(sweep, &mut best));
        }
        if !best.all_solid {
            self.spent().add(self.props.shapes.sweep(sweep, &mut best));
        }
        let _ = self.standing(sweep, past, |solid| {
            if best.all_solid {
                return ControlFlow::Break(());
            }
            let mut own = Trace { fraction: best.fraction, ..Trace::free(sweep.to) };
            world.sweep(&solid.model, &solid.placed.sweep(sweep), &mut own);
            if own.all_solid || own.fraction < best.fraction {
                best = Trace {
                    start_solid: own.start_solid || best.start_solid,
                    entity: Some(solid.entity),
                    normal: solid.placed.turned_out(own.normal),
                    ..own
                };
            } else {
                best.start_solid |= own.start_solid;
            }
            ControlFlow::Continue(())
        });
        if best.all_solid {
            best.fraction = 0.0;
        }
        best.end = sweep.at(best.fraction);
        best
    }

    fn gold(&self, world: &gold::World, sweep: &Sweep, past: Past) -> Trace {
        let Some(model) = world.models.first().filter(|_| sweep.mask.meets(Contents::SOLID)) else {
            return Trace::free(sweep.to);
        };
        let first = world.line(model, sweep);
        if first.fraction == 0.0 {
            return first;
        }
        // As in the engine: entities are hit only before the point where the world ended the trace, and one that contains the
        // start replaces an earlier hit.
        let short = Sweep { to: first.end, ..*sweep };
        let mut running = Trace { fraction: 1.0, ..first };
        let _ = self.standing(&short, past, |solid| {
            let own = world.line(&solid.model, &solid.placed.sweep(&short));
            if own.all_solid || own.start_solid || own.fraction < running.fraction {
                let end = short.at(own.fraction);
                let start_solid = own.start_solid || running.start_solid;
                let normal = solid.placed.turned_out(own.normal);
                running = Trace { end, normal, start_solid, entity: Some(solid.entity), ..own };
            }
            if running.all_solid { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        Trace { fraction: first.fraction * running.fraction, ..running }
    }

    /// Calls `each` with the solid entities whose box a sweep touches, until it breaks.
    #[inline(always)]
    fn standing(
        &self,
        sweep: &Sweep,
        past: Past,
        mut each: impl FnMut(&Solid) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mask = sweep.mask;
        self.solids.touched(sweep, |solid| {
            let seen_through = solid.glass && !mask.meets(Contents::WINDOW);
            let passed = solid.moves && self.engine == Engine::Source && !mask.meets(Contents::MOVEABLE);
            if seen_through || passed || !past.stops(solid) { ControlFlow::Continue(()) } else { each(solid) }
        })
    }

    /// The contents at a point, of the world and of the entities there.
    pub fn contents(&self, point: [f32; 3]) -> Contents {
        let own = |model: &Model, point: [f32; 3]| match &self.world {
            World::Gold(world) => world.contents(model, point),
            World::Source(world) => world.contents(model, point),
        };
        let world = self.models().first().map_or(Contents::EMPTY, |model| own(model, point));
        let world = if self.props.shapes.holds(point) { world | Contents::SOLID } else { world };
        self.solids.at(point).fold(world, |all, solid| all | own(&solid.model, solid.placed.inside(point)))
    }

    /// How many points with few sides around them a point is worth that is tested for its contents.
    pub(super) fn points_of(&self, point: [f32; 3]) -> u32 {
        match &self.world {
            World::Gold(_) => 1,
            World::Source(world) => (world.sides_at(point) / SIDES_OF_POINT).saturating_add(1),
        }
    }

    /// Fails if long traces since the last call took more steps than they may, after which each ends where it begins.
    /// `docs/limits.md` says how many.
    ///
    /// # Errors
    /// If they did.
    pub fn check_traces(&self) -> Result<()> {
        self.spent().check()
    }

    /// What long traces took so far.
    pub(super) fn spent(&self) -> &Spent {
        match &self.world {
            World::Gold(world) => &world.spent,
            World::Source(world) => &world.spent,
        }
    }

    /// The clusters that a box touches, each once and in order, for [`Pvs`].
    pub fn clusters(&self, low: [f32; 3], high: [f32; 3]) -> Vec<u32> {
        self.clusters_of(low, high).0
    }

    /// The clusters that a box touches, and how many nodes and leaves were looked at for them.
    pub(super) fn clusters_of(&self, low: [f32; 3], high: [f32; 3]) -> (Vec<u32>, u64) {
        let mut found = Vec::new();
        let passed = match &self.world {
            World::Gold(world) => world.clusters(low, high, |cluster| found.push(cluster)),
            World::Source(world) => world.clusters(low, high, |cluster| found.push(cluster)),
        };
        found.sort_unstable();
        found.dedup();
        (found, passed)
    }

    /// The cluster at a point, for [`Pvs`]; `None` in something solid.
    pub fn cluster(&self, point: [f32; 3]) -> Option<u32> {
        match &self.world {
            World::Gold(world) => world.cluster(point),
            World::Source(world) => world.cluster(point),
        }
    }
}
