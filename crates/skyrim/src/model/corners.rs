//! Places of corners, so that a model that went through another program finds the vertices it came from.

use std::collections::HashMap;

/// The most places of one box that are compared. Those beyond are only found to the bit.
const MOST_NEAR: usize = 16;

/// Places that differ by less than this share of their largest coordinate are one: metres in `f32` do not tell them apart.
const ROUNDED: f32 = 5e-7;

/// The places of one mesh. Corners at one place have one number.
pub(super) struct Corners {
    near: f32,
    exact: HashMap<[u32; 3], u32>,
    boxes: HashMap<[i64; 3], Vec<u32>>,
    at: Vec<[f32; 3]>,
    /// For each place another one that it is the same as, or itself.
    same: Vec<u32>,
}

impl Corners {
    /// No places. A corner is at the nearest one that is at most `near` away.
    pub(super) fn new(near: f32) -> Self {
        Self { near, exact: HashMap::new(), boxes: HashMap::new(), at: Vec::new(), same: Vec::new() }
    }

    /// Adds a place. Those that rounding may have made of one become one, so [`number`](Self::number) counts once all are added.
    pub(super) fn add(&mut self, at: [f32; 3]) -> u32 {
        if let Some(known) = self.exact.get(&bits(at)) {
            return *known;
        }
        let number = u32::try_from(self.at.len()).unwrap_or(u32::MAX);
        let [x, y, z] = at.map(f32::abs);
        let rounded = (x.max(y).max(z) * ROUNDED).min(self.near);
        self.same.push(number);
        for (_, other) in self.around(at, rounded) {
            let (a, b) = (self.number(other), self.number(number));
            if let Some(same) = self.same.get_mut(a.max(b) as usize) {
                *same = a.min(b);
            }
        }
        self.exact.insert(bits(at), number);
        let list = self.boxes.entry(self.box_of(at)).or_default();
        if list.len() < MOST_NEAR {
            list.push(number);
        }
        self.at.push(at);
        number
    }

    /// The number of the place that this one is.
    pub(super) fn number(&mut self, place: u32) -> u32 {
        let mut at = place;
        while let Some(next) = self.same.get(at as usize).copied().filter(|next| *next != at) {
            let after = self.same.get(next as usize).copied().unwrap_or(next);
            self.same.get_mut(at as usize).into_iter().for_each(|same| *same = after);
            at = after;
        }
        at
    }

    /// The number of the nearest place, or of a new one.
    pub(super) fn find(&mut self, at: [f32; 3]) -> u32 {
        let found = match self.exact.get(&bits(at)) {
            Some(known) => Some(*known),
            None => {
                let near = self.around(at, self.near).into_iter();
                near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, number)| number)
            }
        };
        let place = found.unwrap_or_else(|| self.add(at));
        self.number(place)
    }

    /// The places that are at most so far away.
    fn around(&self, at: [f32; 3], near: f32) -> Vec<(f32, u32)> {
        let [x, y, z] = self.box_of(at);
        let mut found = Vec::new();
        for dx in -1..=1 {
            for dy in -1..=1 {
                for dz in -1..=1 {
                    let key = [x.saturating_add(dx), y.saturating_add(dy), z.saturating_add(dz)];
                    for number in self.boxes.get(&key).into_iter().flatten() {
                        let far = self.at.get(*number as usize).map_or(f32::MAX, |other| apart(*other, at));
                        if far <= near {
                            found.push((far, *number));
                        }
                    }
                }
            }
        }
        found
    }

    /// Where a place is.
    pub(super) fn place(&self, number: u32) -> [f32; 3] {
        self.at.get(number as usize).copied().unwrap_or_default()
    }

    fn box_of(&self, at: [f32; 3]) -> [i64; 3] {
        at.map(|v| (f64::from(v) / f64::from(self.near)).floor() as i64)
    }
}

/// −0 and 0 are one place.
fn bits(at: [f32; 3]) -> [u32; 3] {
    at.map(|v| (v + 0.0).to_bits())
}

fn apart([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> f32 {
    (ax - bx).abs().max((ay - by).abs()).max((az - bz).abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_corners_find_theirs_and_others_are_new() {
        let mut corners = Corners::new(0.0625);
        let a = corners.add([100.0, 0.0, 5.0]);
        let b = corners.add([100.01, 0.0, 5.0]);
        assert_ne!(a, b, "what is there stays apart");
        assert_eq!(corners.find([100.0, -0.0, 5.0]), a);
        assert_eq!(corners.find([100.02, 0.0, 5.0]), b);
        assert_eq!(corners.find([99.96, 0.04, 4.98]), a);
        let new = corners.find([99.9, 0.0, 5.0]);
        assert!(new != a && new != b && corners.place(new) == [99.9, 0.0, 5.0]);
        // Metres do not tell these apart.
        let (c, d) = (corners.add([25_346.826, 32_768.0, 216.0]), corners.add([25_346.83, 32_768.0, 216.0]));
        assert!(c != d && corners.number(c) == corners.number(d));
    }
}
