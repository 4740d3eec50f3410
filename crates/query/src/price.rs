//! The cost of a link in one search. Built once per query, so that the loop does not branch on it.

use super::area::Area;
use super::ask::{Cost, Query};
use super::filter::Filter;
use super::ground::{Ground, Vec3, with_ground};
use super::index::NavIndex;
use super::misuse::Misuse;
use super::portal::portal_of;

/// What links cost.
pub(super) trait Price {
    /// The cost of a link. Negative, infinite or NaN if it is closed.
    fn price(&self, index: &NavIndex, from: usize, link: usize) -> f32;

    /// Whether an area may be entered at all. Prices ask this of the area that a link leads to; whoever goes against a link asks
    /// it of the other end.
    #[inline(always)]
    fn enters(&self, _index: &NavIndex, _area: usize) -> bool {
        true
    }

    /// Whether a way may begin in an area: not in a blocked one. The filter is not asked.
    #[inline(always)]
    fn leaves(&self, _area: usize) -> bool {
        true
    }
}

/// Links cost their length. None is closed.
pub(super) struct Lengths;

impl Price for Lengths {
    #[inline(always)]
    fn price(&self, index: &NavIndex, _from: usize, link: usize) -> f32 {
        index.parts.rows.links()[link].length
    }
}

/// Links cost what the game charges. None is closed.
pub(super) struct Charges;

impl Price for Charges {
    #[inline(always)]
    fn price(&self, index: &NavIndex, _from: usize, link: usize) -> f32 {
        index.parts.rows.charge(link)
    }
}

/// Links cost their length if another price permits them.
pub(super) struct Permitted<'p>(pub(super) &'p dyn Price);

impl Price for Permitted<'_> {
    fn price(&self, index: &NavIndex, from: usize, link: usize) -> f32 {
        let permitted = (0.0..f32::INFINITY).contains(&self.0.price(index, from, link));
        if permitted { index.parts.rows.links()[link].length } else { f32::INFINITY }
    }
}

/// Costs with all options of a query.
pub(super) struct Any<'q> {
    cost: Cost<'q>,
    /// Empty without an overlay.
    factors: &'q [f32],
    kinds: u16,
    gates: bool,
    max_step: f32,
    /// `None` if it takes all areas.
    filter: Option<Filter<'q>>,
}

impl Price for Any<'_> {
    #[inline(always)]
    fn price(&self, index: &NavIndex, from: usize, link: usize) -> f32 {
        let rows = &index.parts.rows;
        let how = rows.how(link);
        if how.kind_bit() & self.kinds == 0 || how.gated() && !self.gates {
            return f32::INFINITY;
        }
        let to = rows.links()[link].to();
        if self.filter.is_some_and(|filter| !filter.keeps(index, Area::new(to as u32))) {
            return f32::INFINITY;
        }
        if self.max_step < f32::INFINITY && steps_up(index, from, link) > self.max_step {
            return f32::INFINITY;
        }
        let cost = match self.cost {
            Cost::Length => rows.links()[link].length,
            Cost::Engine => rows.charge(link),
            Cost::Custom(price) => price(&index.way(from, link)).unwrap_or(f32::INFINITY),
        };
        self.factors.get(to).map_or(cost, |factor| {
            // Blocked stays blocked, even if the link costs nothing.
            if *factor == f32::INFINITY { f32::INFINITY } else { cost * factor }
        })
    }

    #[inline(always)]
    fn enters(&self, index: &NavIndex, area: usize) -> bool {
        self.leaves(area) && self.filter.is_none_or(|filter| filter.keeps(index, Area::new(area as u32)))
    }

    #[inline(always)]
    fn leaves(&self, area: usize) -> bool {
        self.factors.get(area) != Some(&f32::INFINITY)
    }
}

/// The costs of a query that needs more than lengths or charges; else `None`.
pub(super) fn any<'q>(index: &NavIndex, query: &Query<'q>) -> Result<Option<Any<'q>>, Misuse> {
    let any = checked(index, query)?;
    let plain = query.overlay.is_none()
        && any.filter.is_none()
        && any.kinds == super::kinds::Kinds::ALL.bits()
        && query.gates
        && query.max_step == f32::INFINITY
        && !matches!(query.cost, Cost::Custom(_));
    Ok((!plain).then_some(any))
}

/// The costs of a query, whatever it needs.
pub(super) fn checked<'q>(index: &NavIndex, query: &Query<'q>) -> Result<Any<'q>, Misuse> {
    let filter = &query.filter;
    if filter.mask.is_some_and(|mask| !mask.fits(index)) {
        return Err(Misuse::OtherIndex);
    }
    if query.overlay.is_some_and(|overlay| !overlay.fits(index)) {
        return Err(Misuse::OtherIndex);
    }
    let factors = query.overlay.map(|overlay| overlay.factors()).unwrap_or_default();
    Ok(Any {
        cost: query.cost,
        factors,
        kinds: query.kinds.bits() & filter.kinds.bits(),
        gates: query.gates,
        max_step: if query.max_step.is_nan() { f32::INFINITY } else { query.max_step },
        filter: (!filter.takes_all()).then_some(*filter),
    })
}

/// How much higher the ground beyond a link is, at the middle of its portal. Negative for links that are not steps.
pub(super) fn steps_up(index: &NavIndex, from: usize, link: usize) -> f32 {
    use navmap_core::graph::LinkKind::{Border, Crouch, Drop, Jump, Walk};
    let rows = &index.parts.rows;
    if !matches!(rows.how(link).kind(), Walk | Border | Crouch | Jump | Drop) {
        return f32::NEG_INFINITY;
    }
    let to = rows.links()[link].to();
    let [a, b] = portal_of(index, from, link);
    let middle: Vec3 = [0, 1, 2].map(|axis| f32::midpoint(a[axis], b[axis]));
    let there = with_ground!(&index.parts.geometry, ground => ground.closest(to, middle));
    let here = with_ground!(&index.parts.geometry, ground => ground.closest(from, middle));
    there[2] - here[2]
}
