//! Builders of options.

/// Makes methods that return the same options with one of them set otherwise: `with_landmarks = landmarks: bool`. For options
/// that are `#[non_exhaustive]`, which other crates cannot write as a literal.
#[doc(hidden)]
#[macro_export]
macro_rules! with {
    ($($name:ident = $field:ident: $type:ty;)+) => { $(
        #[doc = concat!("The same with this [`", stringify!($field), "`](Self::", stringify!($field), ").")]
        #[must_use]
        #[inline]
        pub fn $name(mut self, $field: $type) -> Self {
            self.$field = $field;
            self
        }
    )+ };
}
