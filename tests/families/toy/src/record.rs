//! Records of fixed size.

use navmap_core::record;
use zerocopy::byteorder::little_endian::F32;

record! {
    /// A point. 12 bytes.
    pub Knot[12] { x: F32, y: F32, z: F32 }
}

impl Knot {
    /// x, y, z in metres.
    pub fn to_array(&self) -> [f32; 3] {
        [self.x.get(), self.y.get(), self.z.get()]
    }
}
