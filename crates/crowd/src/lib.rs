//! Many agents on one navigation mesh, who make room for each other. Programs depend on [navmap](https://docs.rs/navmap), which
//! has all of this as `navmap::crowd` with the feature `crowd`.

#![allow(
    clippy::neg_cmp_op_on_partial_ord,
    reason = "a comparison with NaN is to come out false, and its negation true"
)]

mod agent;
mod crowd;
mod flat;
mod go;
mod grid;
mod lag;
mod late;
mod legs;
mod member;
mod motion;
mod orca;
mod refused;
mod ride;
mod search;
mod searches;
mod state;
mod steer;
mod turn;
mod walls;

pub use agent::{Agent, AgentId, Body, Doing};
pub use crowd::{Crowd, CrowdOptions, Tick};
pub use refused::Refused;
