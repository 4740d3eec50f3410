//! A plain little-endian writer for test files.

/// Bytes under construction.
#[derive(Debug, Clone, Default)]
pub struct Out(pub Vec<u8>);

impl Out {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }
    /// Appends raw bytes.
    pub fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }
    /// Appends a `u8`.
    pub fn u8(&mut self, v: u8) -> &mut Self {
        self.raw(&[v])
    }
    /// Appends a `u16`.
    pub fn u16(&mut self, v: u16) -> &mut Self {
        self.raw(&v.to_le_bytes())
    }
    /// Appends a `u32`.
    pub fn u32(&mut self, v: u32) -> &mut Self {
        self.raw(&v.to_le_bytes())
    }
    /// Appends an `i32`.
    pub fn i32(&mut self, v: i32) -> &mut Self {
        self.raw(&v.to_le_bytes())
    }
    /// Appends a `u64`.
    pub fn u64(&mut self, v: u64) -> &mut Self {
        self.raw(&v.to_le_bytes())
    }
    /// Appends an `f32`.
    pub fn f32(&mut self, v: f32) -> &mut Self {
        self.raw(&v.to_le_bytes())
    }
    /// Appends floats.
    pub fn f32s(&mut self, vs: &[f32]) -> &mut Self {
        for v in vs {
            self.f32(*v);
        }
        self
    }
    /// Pads with zeros to a multiple of `to`.
    pub fn align(&mut self, to: usize) -> &mut Self {
        while !self.0.len().is_multiple_of(to) {
            self.0.push(0);
        }
        self
    }
    /// Overwrites a `u32` written before.
    pub fn patch_u32(&mut self, at: usize, v: u32) -> &mut Self {
        self.0[at..at + 4].copy_from_slice(&v.to_le_bytes());
        self
    }
    /// Length so far.
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// Whether nothing has been written.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A small deterministic random source (SplitMix64): the same numbers on every machine, forever.
#[derive(Debug, Clone)]
pub struct Rng(pub u64);

impl Rng {
    /// The next 64 bits.
    pub fn u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// A number below `bound` (which is not 0).
    pub fn below(&mut self, bound: u64) -> u64 {
        self.u64() % bound
    }
    /// A float in `lo..hi`.
    pub fn f32(&mut self, lo: f32, hi: f32) -> f32 {
        lo + (hi - lo) * ((self.u64() >> 40) as f32 / (1u64 << 24) as f32)
    }
}
