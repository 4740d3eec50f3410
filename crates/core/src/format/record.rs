//! Records of fixed size.

/// Defines records exactly as they lie in a file: fields in order, little-endian, alignment 1, no padding. The size is
/// held against the fields at compile time. Fields are private; getters decode them.
///
/// ```text
/// record! {
///     /// A vertex. 12 bytes.
///     pub Vertex[12] { x: F32, y: F32, z: F32 }
/// }
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! record {
    ($($(#[$meta:meta])* $vis:vis $name:ident[$size:literal] { $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty),* $(,)? })*) => { $(
        $(#[$meta])*
        #[derive(
            zerocopy::FromBytes, zerocopy::IntoBytes, zerocopy::KnownLayout, zerocopy::Immutable,
            zerocopy::Unaligned, Clone, Copy, Debug, PartialEq, Eq, Default,
        )]
        #[repr(C)]
        $vis struct $name { $($(#[$field_meta])* $field_vis $field: $type),* }
        const _: () = assert!(size_of::<$name>() == $size && align_of::<$name>() == 1);
    )* };
}
