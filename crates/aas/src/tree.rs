//! The tree that divides space: which area holds a point.

use super::view::AasNav;

/// How far beside and above a point the engine looks for an area.
const ASIDE: f32 = 8.0;
const ABOVE: f32 = 12.0;

impl AasNav<'_> {
    /// The area that holds a point of origin space: a point on a floor has to be raised by
    /// [`above_floor`](Self::above_floor), and a little more, because the floor itself belongs to the solid. `None` in the solid,
    /// and where the tree is damaged.
    ///
    /// Constant memory; as many steps as the tree is deep, 387 at most in real files.
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
                // A child has a larger number than its parent, so this comes to an end.
                Ok(child) if child > at => at = child,
                Ok(_) => return None,
                Err(_) => {
                    let area = child.unsigned_abs();
                    return Some(area).filter(|area| (*area as usize) < self.areas().len());
                }
            }
        }
    }

    /// The area that holds a point, or the one near it that a bot would be taken to be in: with reachabilities, up to 4 units
    /// above the point, else up to 8 units beside it and 12 above or below. This is how the engine asks, but for its lines, of
    /// which only the ends are looked at here.
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
