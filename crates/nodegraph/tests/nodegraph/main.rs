//! Node graphs: `.ain` and `.nod`.

mod edit;
mod hostile;
mod made;
mod real;
mod rewrite;
mod support;

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;
