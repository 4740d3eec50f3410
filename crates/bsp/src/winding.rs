//! The polygons of a convex body's sides.

use super::tree::Plane;

/// Farther than any map reaches.
const FAR: f64 = 131_072.0;
/// Points this close to a plane lie on it.
const NEAR: f64 = 1e-3;
/// No compiler makes brushes with this many sides.
pub(super) const MOST_SIDES: usize = 128;

pub(super) type Corner = [f64; 3];

/// The part of a plane behind all other planes: the corners in order, empty if there is none. Identical planes count once.
pub(super) fn winding<'p>(plane: &Plane, others: impl Iterator<Item = &'p Plane>) -> Vec<Corner> {
    let normal = plane.normal.map(f64::from);
    let Some(mut corners) = square(normal, plane.distance.into()) else { return Vec::new() };
    for other in others {
        if other.normal == plane.normal && other.distance == plane.distance {
            continue;
        }
        corners = behind(&corners, other.normal.map(f64::from), other.distance.into());
        if corners.len() < 3 {
            return Vec::new();
        }
    }
    corners
}

/// A square in a plane, larger than any map.
fn square(normal: Corner, distance: f64) -> Option<Vec<Corner>> {
    let [x, y, z] = normal;
    let length = dot(normal, normal);
    if length < 0.5 {
        return None;
    }
    let up = if z.abs() > x.abs().max(y.abs()) { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] };
    let right = cross(up, normal);
    let long = dot(right, right).sqrt();
    let right = right.map(|part| part / long * FAR);
    let up = cross(normal, right).map(|part| part / length.sqrt());
    let middle = normal.map(|part| part * distance / length);
    let corner = |a: f64, b: f64| {
        let each = middle.into_iter().zip(right).zip(up);
        let mut parts = each.map(|((middle, right), up)| middle + a * right + b * up);
        [(); 3].map(|()| parts.next().unwrap_or_default())
    };
    Some(vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)])
}

/// The part of a polygon that lies behind a plane.
fn behind(corners: &[Corner], normal: Corner, distance: f64) -> Vec<Corner> {
    let ahead = |corner: &Corner| dot(normal, *corner) - distance;
    let mut kept = Vec::with_capacity(corners.len().saturating_add(1));
    let Some(last) = corners.last() else { return kept };
    let mut before = (*last, ahead(last));
    for corner in corners {
        let here = (*corner, ahead(corner));
        if (before.1 > NEAR && here.1 < -NEAR) || (before.1 < -NEAR && here.1 > NEAR) {
            let share = before.1 / (before.1 - here.1);
            let mut parts = before.0.into_iter().zip(here.0).map(|(a, b)| a + (b - a) * share);
            kept.push([(); 3].map(|()| parts.next().unwrap_or_default()));
        }
        if here.1 <= NEAR {
            kept.push(here.0);
        }
        before = here;
    }
    kept
}

pub(super) fn dot([ax, ay, az]: Corner, [bx, by, bz]: Corner) -> f64 {
    ax * bx + ay * by + az * bz
}

pub(super) fn cross([ax, ay, az]: Corner, [bx, by, bz]: Corner) -> Corner {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests {
    use super::*;

    fn cube(half: f32) -> Vec<Plane> {
        let side = |axis: usize, sign: f32| {
            let mut normal = [0.0; 3];
            normal[axis] = sign;
            Plane { normal, distance: half }
        };
        (0..3).flat_map(|axis| [side(axis, 1.0), side(axis, -1.0)]).collect()
    }

    #[test]
    fn each_side_of_a_cube_is_a_square() {
        let planes = cube(32.0);
        for plane in &planes {
            let corners = winding(plane, planes.iter());
            assert_eq!(corners.len(), 4);
            for corner in &corners {
                assert!(corner.iter().all(|part| (part.abs() - 32.0).abs() < 1e-6), "{corner:?}");
            }
        }
    }

    #[test]
    fn a_plane_that_cuts_a_corner_off_is_a_triangle_and_one_beside_it_is_nothing() {
        let mut planes = cube(32.0);
        let third = 1.0 / 3.0_f32.sqrt();
        planes.push(Plane { normal: [third; 3], distance: 80.0 * third });
        assert_eq!(winding(&planes[6], planes.iter()).len(), 3);
        planes[6].distance = 200.0 * third;
        assert!(winding(&planes[6], planes.iter()).is_empty());
        assert!(winding(&Plane::default(), planes.iter()).is_empty());
    }
}
