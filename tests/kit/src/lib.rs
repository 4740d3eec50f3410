//! What navmap's tests and benches share. Nothing here uses a type of navmap: a wrong layout cannot pass its own test.

pub mod alloc;
pub mod bytes;
pub mod corpus;
pub mod hostile;
