//! Node graphs: `.ain` and `.nod`.

mod real;
mod support;

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;
