//! What a visit to waypoints touches.

use navmap::format::yapb::Nodes;

fn sum<const N: usize>(values: [f32; N]) -> u64 {
    values.iter().map(|value| u64::from(value.to_bits())).sum()
}

/// Touches every field of every waypoint through its getter.
pub(crate) fn visit(nodes: Nodes<'_>) -> u64 {
    let mut all = 0_u64;
    for node in nodes.iter() {
        all += u64::from(node.number().cast_unsigned()) + u64::from(node.flags().0);
        all += sum(node.origin()) + sum(node.camp_start()) + sum(node.camp_end());
        all += sum([node.stored_radius(), node.light().unwrap_or(0.0), node.display_time()]);
        for link in node.slots() {
            all += sum(link.velocity()) + u64::from(link.distance().cast_unsigned());
            all += u64::from(link.flags().0) + u64::from(link.target().cast_unsigned());
        }
        let [standing, crouching] = node.seen();
        all += u64::from(standing) + u64::from(crouching);
    }
    all
}
