//! The tree that divides space: which area holds a point.

use super::view::AasNav;

/// How far to the side of and above a point the engine looks for an area.
const ASIDE: f32 = 8.0;
const ABOVE: f32 = 12.0;

impl AasNav<'_> {
    /// The area that holds a point of origin space. Raise a point on a floor by [`above_floor`](Self::above_floor) and a little
    /// more, because the floor itself counts as solid. `None` in solid, and where the tree is damaged.
    ///
    /// Constant memory; one step per level of the tree, at most 387 in real files.
    pub fn area_at(&self, point: [f32; 3]) -> Option<u32> {
        self.area_in(point.map(f64::from))
    }

    pub(super) fn area_in(&self, point: [f64; 3]) -> Option<u32> {
        let mut at = 1_usize;
        loop {
            let node = self.nodes().get(at)?;
            let plane = self.planes().get(usize::try_from(node.plane()).ok()?)?;
            let child = if plane.before(point) > 0.0 { node.front() } else { node.back() };
            match usize::try_from(child) {
                // A child has a larger number than its parent, so this ends.
                Ok(child) if child > at => at = child,
                Ok(_) => return None,
                Err(_) => {
                    let area = child.unsigned_abs();
                    return Some(area).filter(|area| (*area as usize) < self.areas().len());
                }
            }
        }
    }

    /// The area that holds a point, or the one nearby that the engine would choose for a bot: an area with reachabilities up to 4
    /// units above the point, else up to 8 units beside it and 12 above or below. The engine traces lines there; this looks only
    /// at their ends.
    pub fn area_near(&self, point: [f32; 3]) -> Option<u32> {
        if let Some(area) = self.area_at(point) {
            return Some(area);
        }
        let [x, y, z] = point;
        let leads_on = |area: &u32| !self.links_of(*area as usize).1.is_empty();
        let above = (1..=4_u8).find_map(|up| self.area_at([x, y, z + f32::from(up)]));
        if let Some(area) = above.filter(leads_on) {
            return Some(area);
        }
        let steps = || [0.0, -1.0, 1.0].into_iter();
        let around = steps().flat_map(|a| steps().flat_map(move |b| steps().map(move |c| [a, b, c])));
        let mut best: Option<(f32, u32)> = None;
        for [a, b, c] in around {
            let (dx, dy, dz) = (a * ASIDE, b * ASIDE, c * ABOVE);
            let far = dx * dx + dy * dy + dz * dz;
            if best.is_none_or(|(known, _)| far < known)
                && let Some(area) = self.area_at([x + dx, y + dy, z + dz]).filter(leads_on)
            {
                best = Some((far, area));
            }
        }
        best.map(|(_, area)| area)
    }
}
