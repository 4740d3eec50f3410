//! Records of fixed size.

use navmap_core::record;
use zerocopy::byteorder::little_endian::F32;

record! {
    /// A point. 12 bytes.
    pub Knot[12] {
        /// x, y, z in metres.
        position: [F32; 3] => [f32; 3],
    }
}
