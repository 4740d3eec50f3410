//! `navmap build`: makes a mesh of Detour from the triangles of a level.

#[cfg(feature = "build")]
mod run;

#[cfg(feature = "build")]
pub(super) use run::run;

#[cfg(not(feature = "build"))]
pub(super) fn run(_: &super::args::Level) -> Result<super::Exit, super::Failure> {
    Err(super::built::missing("build").into())
}
