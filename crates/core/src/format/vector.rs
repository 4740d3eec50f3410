//! Three floats, the stored form of a position in several formats.

use super::record::Stored;
use crate::record;
use zerocopy::byteorder::little_endian::F32;

record! {
    /// Three floats: x, y, z. 12 bytes. Origin and up axis depend on the format: see the module of the family.
    pub Vector[12] { x: F32, y: F32, z: F32 }
}

impl Vector {
    /// x, y, z.
    #[inline]
    pub fn to_array(self) -> [f32; 3] {
        [self.x.get(), self.y.get(), self.z.get()]
    }
    /// Whether no component is NaN or infinite.
    #[inline]
    pub fn is_finite(self) -> bool {
        let [x, y, z] = self.to_array();
        x.is_finite() & y.is_finite() & z.is_finite()
    }
}

impl Stored<[f32; 3]> for &Vector {
    #[inline(always)]
    fn value(self) -> [f32; 3] {
        self.to_array()
    }
}

impl From<[f32; 3]> for Vector {
    fn from([x, y, z]: [f32; 3]) -> Self {
        Self { x: x.into(), y: y.into(), z: z.into() }
    }
}
