//! Places of corners, so that a model that went through another program finds the vertices it came from.

use std::collections::HashMap;

/// The most places of one box that are compared. Those beyond are only found to the bit.
const MOST_NEAR: usize = 16;

/// The places of one mesh. Corners at one place have one number.
pub(super) struct Corners {
    near: f32,
    exact: HashMap<[u32; 3], u32>,
    boxes: HashMap<[i64; 3], Vec<u32>>,
    at: Vec<[f32; 3]>,
}

impl Corners {
    /// No places. Those that are at most `near` apart are one, but for those that were added as they are.
    pub(super) fn new(near: f32) -> Self {
        Self { near, exact: HashMap::new(), boxes: HashMap::new(), at: Vec::new() }
    }

    /// Adds a place as it is.
    pub(super) fn add(&mut self, at: [f32; 3]) -> u32 {
        if let Some(known) = self.exact.get(&bits(at)) {
            return *known;
        }
        let number = u32::try_from(self.at.len()).unwrap_or(u32::MAX);
        self.exact.insert(bits(at), number);
        let list = self.boxes.entry(self.box_of(at)).or_default();
        if list.len() < MOST_NEAR {
            list.push(number);
        }
        self.at.push(at);
        number
    }

    /// The number of the nearest place, or of a new one.
    pub(super) fn find(&mut self, at: [f32; 3]) -> u32 {
        if let Some(known) = self.exact.get(&bits(at)) {
            return *known;
        }
        let [x, y, z] = self.box_of(at);
        let mut best: Option<(f32, u32)> = None;
        for dx in -1..=1 {
            for dy in -1..=1 {
                for dz in -1..=1 {
                    let key = [x.saturating_add(dx), y.saturating_add(dy), z.saturating_add(dz)];
                    for number in self.boxes.get(&key).into_iter().flatten() {
                        let far = self.at.get(*number as usize).map_or(f32::MAX, |other| apart(*other, at));
                        if far <= self.near && best.is_none_or(|(least, _)| far < least) {
                            best = Some((far, *number));
                        }
                    }
                }
            }
        }
        best.map_or_else(|| self.add(at), |(_, number)| number)
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
    }
}
