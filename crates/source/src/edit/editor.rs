//! A Source mesh as an [`Editor`](navmap_core::edit::Editor): what a session drives.

use super::change::Change;
use super::geometry::{closest_point, distance_squared, length, minus, numbers, snap};
use super::site::Ground;
use super::state::Item;
use super::structure::area_id;
use super::verbs;
use super::world::{Slot, World};
use crate::buf::{AreaBuf, SourceBuf};
use crate::record::{AreaId, HidingSpotId, LadderId};
use navmap_core::edit::{
    Apply, Atom, Command, Editor, Fix, Refusal, Report, Role, Scope, Verb, Word, as_whole,
};
use navmap_core::error::Result as MeshResult;
use std::collections::HashSet;
use std::sync::OnceLock;

/// A mesh of version 1 to 16 that is edited by the commands of the game's own editor.
///
/// It holds the owned mesh, indexes of about 100 bytes an area, and the bytes that were opened.
#[derive(Debug)]
pub struct SourceEditor {
    pub(super) world: World,
    pub(super) original: Vec<u8>,
    pub(super) original_places: Vec<u16>,
    pub(super) tail_len: usize,
    pub(super) keep_tail: bool,
    pub(super) force_odd: bool,
    /// Hiding spots that lay off every area when the mesh was opened, once they are asked for.
    pub(super) loose_before: OnceLock<HashSet<(HidingSpotId, AreaId)>>,
    /// Names of places that the game knows, in small letters.
    pub(super) known_places: Option<HashSet<Vec<u8>>>,
    /// Where the point lies that the last command on two areas named.
    pub(super) cursor: Option<[f32; 2]>,
    /// The map, if it is at hand.
    pub(super) ground: Option<Ground>,
}

impl SourceEditor {
    /// Starts editing a mesh. Linear.
    ///
    /// # Errors
    /// If the mesh does not fit its own format. A mesh that was read always fits.
    pub fn new(mesh: SourceBuf) -> MeshResult<Self> {
        let original = mesh.encode()?;
        let original_places = mesh.areas.iter().map(|area| area.place).collect();
        let counter = game_counter(mesh.areas.iter().map(|area| area.id.get()));
        let tail_len = mesh.tail.len();
        let mut world = World::new(mesh);
        world.start_counter(counter);
        Ok(Self {
            world,
            original,
            original_places,
            tail_len,
            keep_tail: false,
            force_odd: false,
            loose_before: OnceLock::new(),
            known_places: None,
            cursor: None,
            ground: None,
        })
    }

    /// Sets whether a changed mesh keeps the bytes that GoldSrc left behind the end of the file. An unchanged mesh
    /// always keeps them.
    pub fn keep_tail(&mut self, yes: bool) {
        self.keep_tail = yes;
    }

    /// Sets whether to write a mesh that a game would newly refuse or crash on.
    pub fn force_odd(&mut self, yes: bool) {
        self.force_odd = yes;
    }

    /// Sets whether visibility is kept when an area dies: what names it goes, its halves are seen potentially, and an
    /// area that another was merged into is seen as both were. Otherwise all lists are dropped, as in the game.
    pub fn keep_visibility(&mut self, yes: bool) {
        self.world.sight_mut().kept = yes;
    }

    /// Whether the rules of GoldSrc hold, whose editor differs from that of Source. `docs/formats/source-edit.md`,
    /// section 2.15.
    pub(super) fn is_gold(&self, s: &Scope<Item>) -> bool {
        s.game_exact() && self.world.head.version <= 5
    }

    /// Sets the names of places that the game knows: the lines of its `NavPlace.db`. What it does not know is then told.
    pub fn known_places<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        let names = names.into_iter().map(|name| name.trim().as_bytes().to_ascii_lowercase());
        self.known_places = Some(names.filter(|name| !name.is_empty()).collect());
    }

    /// A copy of the mesh as it is now, with places renumbered as they would be written.
    pub fn to_buf(&self) -> SourceBuf {
        let mut mesh = self.world.to_buf();
        let places = self.directory();
        if let Some((directory, numbers)) = places {
            let number = |place: u16| numbers.get(&place).copied().unwrap_or(0);
            mesh.areas.iter_mut().for_each(|area| area.place = number(area.place));
            if mesh.head.version >= 12 {
                mesh.head.has_unnamed_areas = mesh.areas.iter().any(|area| area.place == 0).into();
            }
            mesh.head.places = directory;
        }
        mesh
    }

    /// The bytes that were opened.
    pub fn original(&self) -> &[u8] {
        &self.original
    }

    // Names and numbers.

    /// `#12`, `L#3`.
    pub(super) fn item(&self, item: Item) -> String {
        match item {
            Item::Area(slot) => format!("#{}", self.world.area(slot).map_or(0, |area| area.id.get())),
            Item::Ladder(slot) => {
                format!("L#{}", self.world.ladder(slot).map_or(0, |each| each.ladder.id().get()))
            }
        }
    }

    pub(super) fn new_id(&mut self, s: &Scope<Item>) -> Result<AreaId, Refusal> {
        self.new_ids(1, s)?.first().copied().ok_or_else(|| Refusal::new("no id is left"))
    }

    /// Ids for areas that a command makes: above all others, or from the engine's counter.
    pub(super) fn new_ids(&mut self, count: u32, s: &Scope<Item>) -> Result<Vec<AreaId>, Refusal> {
        let first = match s.game_exact() {
            true => self.world.state().counter,
            false => u64::from(self.world.last_id()).saturating_add(1),
        };
        let ids: Vec<u64> = (first..).take(count as usize).collect();
        let last = first.saturating_add(u64::from(count));
        if s.game_exact() {
            self.world.with_state(|state| state.counter = last & u64::from(u32::MAX));
            // The counter of the engine wraps in silence.
            return Ok(ids.into_iter().map(|id| AreaId::new((id & u64::from(u32::MAX)) as u32)).collect());
        }
        if last > u64::from(u32::MAX) {
            return Err(Refusal::new(format!(
                "the highest id is {}, and none is left above it: nav_compress_id makes room",
                self.world.last_id()
            )));
        }
        Ok(ids.into_iter().filter_map(area_id).collect())
    }

    /// The unit of `nav_snap_to_grid`, unless it is off.
    pub(super) fn snap_unit(&self) -> Option<i32> {
        match self.world.state().snap {
            0 => None,
            2 => Some(5),
            3 => Some(1),
            _ => Some(25),
        }
    }

    /// Notes that what was computed from the mesh no longer fits it. The game does not.
    pub(super) fn stale(&mut self, s: &Scope<Item>) {
        if !s.game_exact() {
            self.world.not_analyzed();
        }
    }

    /// Clears the set and the mark, as most commands on two areas do.
    pub(super) fn let_go(&mut self, s: &mut Scope<Item>) {
        s.selection.clear();
        self.world.with_state(|state| (state.mark, state.corner) = (None, None));
    }

    // Operands.

    /// The areas of the set, in its order.
    pub(super) fn selected(&self, s: &Scope<Item>) -> Vec<Slot> {
        s.selection.items().into_iter().filter_map(|item| item.area()).collect()
    }

    /// The only area of a set of one.
    pub(super) fn sole(&self, s: &Scope<Item>) -> Option<Slot> {
        match (s.selection.len(), s.selection.get(0)) {
            (1, Some(Item::Area(slot))) => Some(slot),
            _ => None,
        }
    }

    /// The marked item; if nothing is marked, the only member of a set of one. `docs/formats/source-edit.md`, section
    /// 1.1.
    pub(super) fn marked(&self, s: &Scope<Item>) -> Option<Item> {
        self.world.state().mark.or_else(|| self.sole(s).map(Item::Area))
    }

    pub(super) fn marked_area(&self, s: &Scope<Item>) -> Option<Slot> {
        self.marked(s).and_then(|item| item.area())
    }

    /// The areas that a command works on: those that are named, else the set, else the mark.
    pub(super) fn areas(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Result<Vec<Slot>, Refusal> {
        let Some(word) = c.take() else {
            let set = self.selected(s);
            let areas = if set.is_empty() { self.marked_area(s).into_iter().collect() } else { set };
            return if areas.is_empty() {
                Err(Refusal::new("no area is named, selected or marked"))
            } else {
                Ok(areas)
            };
        };
        self.areas_of(&word, s)
    }

    /// The areas that a word means. Finding none is no error here.
    pub(super) fn areas_of(&mut self, word: &Word<'_>, s: &mut Scope<Item>) -> Result<Vec<Slot>, Refusal> {
        let items = s.select(self, word)?;
        let areas: Vec<Slot> = items.iter().filter_map(|item| item.area()).collect();
        if areas.len() < items.len() {
            return Err(
                Refusal::new(format!("{} names a ladder where areas were expected", word.text)).at(word.at)
            );
        }
        Ok(areas)
    }

    pub(super) fn one_area(&mut self, word: &Word<'_>, s: &mut Scope<Item>) -> Result<Slot, Refusal> {
        let why =
            || Refusal::new(format!("{} is a ladder where an area was expected", word.text)).at(word.at);
        s.one(self, word)?.area().ok_or_else(why)
    }

    /// The sole selected area, else the marked one.
    pub(super) fn any_area(&mut self, s: &Scope<Item>) -> Result<Slot, Refusal> {
        self.marked_area(s).ok_or_else(|| Refusal::new("no area is named, selected or marked"))
    }

    /// One area: named, else marked.
    pub(super) fn an_area(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Result<Slot, Refusal> {
        match c.take() {
            Some(word) => self.one_area(&word, s),
            None => self.any_area(s),
        }
    }

    /// Two areas in the game's order: the marked one, then the highlighted one.
    pub(super) fn mark_and_highlight(
        &mut self,
        c: &mut Command<'_>,
        s: &mut Scope<Item>,
    ) -> Result<[Slot; 2], Refusal> {
        let (first, second) = (c.take(), c.take());
        c.finish()?;
        match (first, second) {
            (Some(marked), Some(highlighted)) => {
                Ok([self.one_area(&marked, s)?, self.one_area(&highlighted, s)?])
            }
            (Some(highlighted), None) => {
                let marked = self.marked_area(s).ok_or_else(|| Refusal::new("no area is marked"))?;
                Ok([marked, self.one_area(&highlighted, s)?])
            }
            (None, _) => Err(Refusal::new("two areas are needed, or a marked one and one that is named")),
        }
    }

    /// A point: `x,y,z`, snapped to the grid if one is set or asked for.
    pub(super) fn point(&mut self, c: &mut Command<'_>, _: &Scope<Item>) -> Result<[f32; 3], Refusal> {
        let unit = snap_of(c)?.or(self.snap_unit());
        let [x, y, z] = c.numbers::<3>("a point")?;
        Ok(match unit {
            Some(unit) => [snap(x, unit), snap(y, unit), z],
            None => [x, y, z],
        })
    }

    // Places in space.

    /// The area at a point, found as by the engine's `GetNavArea`: the highest of those whose ground lies from 120
    /// below the point to 5 above it. Without a height, the highest of all.
    pub(super) fn area_at(&self, at: [f32; 2], z: Option<f32>) -> Option<Slot> {
        let (low, high) = z.map_or((f32::NEG_INFINITY, f32::INFINITY), |z| (z - 120.0, z + 5.0));
        self.highest(at, low, high)
    }

    /// The highest area over or under a point whose ground there lies between two heights.
    pub(super) fn highest(&self, [x, y]: [f32; 2], low: f32, high: f32) -> Option<Slot> {
        let mut best: Option<(Slot, f32)> = None;
        for slot in self.world.near([x, y], 0.0) {
            let Some(area) = self.world.area(slot).filter(|area| area.shape.contains_xy(x, y)) else {
                continue;
            };
            let height = area.shape.height_at(x, y);
            if low <= height && height <= high && best.is_none_or(|(_, highest)| height > highest) {
                best = Some((slot, height));
            }
        }
        best.map(|(slot, _)| slot)
    }

    /// The area whose nearest point is nearest.
    pub(super) fn nearest(&self, point: [f32; 3]) -> Option<Slot> {
        let far = |slot: Slot| {
            let area = self.world.area(slot)?;
            Some((slot, length(minus(closest_point(&area.shape, point), point))))
        };
        let [x, y, _] = point;
        // Around the point first: a script that makes thousands of areas asks this for each.
        for reach in
            [300.0, 1_200.0, 4_800.0].into_iter().filter(|_| point.iter().all(|value| value.is_finite()))
        {
            let near = self.world.near([x, y], reach).into_iter().filter_map(far);
            let nearest = near.min_by(|(_, a), (_, b)| a.total_cmp(b));
            if let Some((slot, _)) = nearest.filter(|(_, distance)| *distance <= reach) {
                return Some(slot);
            }
        }
        // What is farther along one axis is farther: most are told by that.
        let least = |area: &AreaBuf| {
            let ([x0, y0, _], [x1, y1, _]) = (area.shape.north_west(), area.shape.south_east());
            let along = |at: f32, a: f32, b: f32| (a.min(b) - at).max(at - a.max(b));
            along(x, x0, x1).max(along(y, y0, y1))
        };
        let guess = self.world.areas().min_by(|(_, a), (_, b)| least(a).total_cmp(&least(b)));
        let bound = guess.and_then(|(slot, _)| far(slot)).map_or(f32::INFINITY, |(_, distance)| distance);
        let all = self.world.areas().filter(|(_, area)| least(area).total_cmp(&bound).is_le());
        let all = all.filter_map(|(slot, _)| far(slot));
        all.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(slot, _)| slot)
    }

    /// The ladder whose padded box holds a point, else the one whose middle is nearest within 200.
    pub(super) fn ladder_at(&self, point: [f32; 3], any: bool) -> Option<Slot> {
        let holds = |slot: Slot| {
            let each = self.world.ladder(slot)?.ladder;
            let half = 0.5 * each.width();
            let inside = each.top().into_iter().zip(each.bottom()).zip(point).zip([half, half, 0.0]);
            let mut inside =
                inside.map(|(((a, b), p), half)| a.min(b) - half - 5.0 <= p && p <= a.max(b) + half + 5.0);
            inside.all(|yes| yes).then_some(slot)
        };
        let middle = |slot: Slot| {
            let each = self.world.ladder(slot)?.ladder;
            let [ax, ay, az] = each.top();
            let [bx, by, bz] = each.bottom();
            let far = length(minus([0.5 * (ax + bx), 0.5 * (ay + by), 0.5 * (az + bz)], point));
            (any || far <= 200.0).then_some((slot, far))
        };
        let slots = || self.world.ladders().map(|(slot, _)| slot);
        let near =
            || slots().filter_map(middle).min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(slot, _)| slot);
        slots().find_map(holds).or_else(near)
    }

    /// The nearest area as the engine measures distance, for the ends of a ladder.
    pub(super) fn nearest_by_engine(&self, point: [f32; 3]) -> Option<Slot> {
        let all = self.world.areas().map(|(slot, area)| (slot, distance_squared(&area.shape, point)));
        all.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(slot, _)| slot)
    }
}

/// The unit of `--snap`.
pub(super) fn snap_of(c: &mut Command<'_>) -> Result<Option<i32>, Refusal> {
    c.option("--snap")?.map(|word| as_whole(&word, "--snap", 1)).transpose()
}

/// The engine's counter of ids after it has loaded these: each area adds one, then raises the counter above its own id.
pub(super) fn game_counter(ids: impl Iterator<Item = u32>) -> u64 {
    ids.fold(1_u64, |counter, id| {
        let bumped = counter.saturating_add(1);
        bumped.max(u64::from(id).saturating_add(1))
    })
}

impl Item {
    /// The slot of an area.
    pub(super) fn area(&self) -> Option<Slot> {
        match self {
            Self::Area(slot) => Some(*slot),
            Self::Ladder(_) => None,
        }
    }
}

impl Editor for SourceEditor {
    type Key = Item;
    type Change = Change;

    const SELECTORS: &'static [(&'static str, &'static str)] = super::select::SELECTORS;
    const VERBS: &'static [(Verb, Apply<Self>)] = verbs::TABLE;

    fn apply(
        &mut self,
        apply: Apply<Self>,
        command: &mut Command<'_>,
        scope: &mut Scope<Item>,
    ) -> Result<(), Refusal> {
        if self.world.sight().kept {
            self.world.watch_sight();
        }
        apply(self, command, scope)?;
        if self.world.sight().kept {
            self.world.mend_sight();
        }
        Ok(())
    }

    fn take_change(&mut self) -> Option<Change> {
        self.world.take_change()
    }

    fn weight(change: &Change) -> u64 {
        change.0.weight()
    }

    fn allow(&mut self, values: u64) {
        self.world.allow(values);
    }

    fn is_full(&self) -> bool {
        self.world.is_full()
    }

    fn looked_at(&self) -> Option<u64> {
        Some(self.world.looked_at())
    }

    fn count(&self) -> usize {
        self.world.census().areas
    }

    fn bound(&mut self, items: u64) {
        self.world.bound(items);
    }

    fn swap(&mut self, change: &mut Change) {
        self.world.swap(change);
    }

    fn all(&self) -> Vec<Item> {
        self.world.areas().map(|(slot, _)| Item::Area(slot)).collect()
    }

    fn find(&self, space: &str, id: &str) -> Option<Item> {
        let id: u32 = id.parse().ok()?;
        match space {
            "" => self.world.by_id(AreaId::new(id)).map(Item::Area),
            "L" | "l" => self.world.ladder_by_id(LadderId::new(id)).map(Item::Ladder),
            _ => None,
        }
    }

    fn name(&self, key: Item) -> String {
        self.item(key)
    }

    fn footprint(&self, key: Item) -> Option<String> {
        match key {
            Item::Area(slot) => Some(numbers(&self.world.area(slot)?.shape).map(|n| n.to_string()).join(" ")),
            Item::Ladder(slot) => {
                let each = self.world.ladder(slot)?.ladder;
                Some(
                    [each.top(), each.bottom()]
                        .concat()
                        .iter()
                        .map(f32::to_string)
                        .collect::<Vec<_>>()
                        .join(" "),
                )
            }
        }
    }

    fn find_footprint(&self, space: &str, footprint: &str) -> Option<Item> {
        self.world.look_at_everything(64);
        let same = |item: &Item| self.footprint(*item).is_some_and(|other| other == footprint);
        match space {
            "" => self.world.areas().map(|(slot, _)| Item::Area(slot)).find(same),
            _ => self.world.ladders().map(|(slot, _)| Item::Ladder(slot)).find(same),
        }
    }

    fn select(&self, atom: &Atom<'_>) -> Result<Vec<Item>, Refusal> {
        self.atom(atom)
    }

    fn suggest(&self, verb: &str, place: Role<'_>) -> Vec<String> {
        self.suggested(verb, place)
    }

    fn fixes() -> &'static [Fix] {
        super::clean::FIXES
    }

    fn encode(&self) -> MeshResult<Vec<u8>> {
        self.written()
    }

    fn report(&self) -> Report {
        self.differences()
    }
}
