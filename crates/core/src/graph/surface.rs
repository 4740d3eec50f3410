//! Ground between four corners, z up.

/// Height of the ground between four corners at a point, bilinear. Outside the rectangle it is the height at the nearest edge.
/// `north_west` and `south_east` span the rectangle. A rectangle without width or depth has the height of its north-east corner.
///
/// The engine multiplies by reciprocals, so the last bit is right only if the steps are in this order.
#[inline(always)]
#[doc(hidden)]
pub fn bilinear(
    [west, north, north_west_z]: [f32; 3],
    [east, south, south_east_z]: [f32; 3],
    [north_east_z, south_west_z]: [f32; 2],
    [x, y]: [f32; 2],
) -> f32 {
    let (width, depth) = (east - west, south - north);
    if !(width > 0.0 && depth > 0.0) {
        return north_east_z;
    }
    let u = ((x - west) * (1.0 / width)).clamp(0.0, 1.0);
    let v = ((y - north) * (1.0 / depth)).clamp(0.0, 1.0);
    let north = north_west_z + u * (north_east_z - north_west_z);
    let south = south_west_z + u * (south_east_z - south_west_z);
    north + v * (south - north)
}
