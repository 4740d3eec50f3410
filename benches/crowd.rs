//! 1,000 agents of a crowd at 20 ticks a second, each on its way to somewhere else all the time: what share of one core that takes,
//! which must be less than a quarter.
//!
//! `cargo bench --bench crowd --features crowd,source`

use cpu_time::ThreadTime;
use navmap::crowd::{AgentId, Body, Crowd, CrowdOptions, Doing};
use navmap::format::source::{SourceGraph, SourceNav};
use navmap::graph::{Axes, FlatGraph, Link, LinkKind, Point, Rules, Shape, Surface};
use navmap::query::{NavIndex, Query};
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::{bundled, real};
use std::path::Path;
use std::time::Duration;

const AGENTS: usize = 1_000;
const TICK: f32 = 0.05;
/// Ticks until everybody has a way, and those that are measured: one minute.
const BEFORE: usize = 200;
const MEASURED: usize = 1_200;

/// 1,520 rooms of 4 metres. Every third door is walled up.
fn rooms() -> FlatGraph {
    const ACROSS: u32 = 40;
    const ALONG: u32 = 38;
    let (axes, mut rng) = (Axes::z_up(1.0), Rng(1));
    let mut graph = FlatGraph::new("area", axes);
    graph.set_rules(Rules { surface: Surface::Bilinear, ..Rules::of_axes(axes) });
    for at in 0..ACROSS * ALONG {
        let [x, y] = [at % ACROSS, at / ACROSS].map(|at| at as f32 * 4.0);
        let corners = [(x, y), (x + 4.0, y), (x + 4.0, y + 4.0), (x, y + 4.0)];
        graph.add_node(at.into(), Shape::Polygon(&corners.map(|(x, y)| Point::new(x, y, 0.0))));
    }
    for at in 0..ACROSS * ALONG {
        let east = (at % ACROSS + 1 < ACROSS).then_some((at + 1, 1, 3));
        let south = (at / ACROSS + 1 < ALONG).then_some((at + ACROSS, 2, 0));
        for (other, here, there) in east.into_iter().chain(south).filter(|_| rng.below(3) > 0) {
            for (from, to, side) in [(at, other, here), (other, at, there)] {
                let mut link = Link::new(from, to, LinkKind::Walk);
                link.passage.side = Some(side);
                graph.add_link(link);
            }
        }
    }
    graph
}

fn read(path: &Path) -> FlatGraph {
    let bytes = std::fs::read(path).expect("a mesh of the corpus");
    FlatGraph::of(&SourceGraph::new(&SourceNav::parse(&bytes).expect("a mesh"))).whole().expect("a graph")
}

fn measure(name: &str, graph: &FlatGraph) {
    let index = NavIndex::build(graph).whole().expect("an index");
    let (spots, mut rng) = (index.spots(), Rng(2));
    let mut random = || index.random_point(&spots, || rng.f32(0.0, 1.0).into()).expect("ground").1;
    let mut crowd = Crowd::new(&index, &CrowdOptions::default().with_agents(AGENTS));
    let ids: Vec<AgentId> = (0..AGENTS)
        .map(|_| crowd.add(&index, random(), Body::person(&index)).expect("room and ground"))
        .collect();
    let (mut spent, mut worst, mut walked) = (Duration::ZERO, Duration::ZERO, 0);
    for tick in 0..BEFORE + MEASURED {
        for id in &ids {
            let doing = crowd.agent(*id).expect("an agent").doing;
            if matches!(doing, Doing::Standing | Doing::Arrived | Doing::NoWay) {
                crowd.go(&index, *id, random()).expect("ground");
            }
        }
        let begun = ThreadTime::now();
        let done = crowd.tick(&index, TICK, &Query::default()).expect("its own index");
        let took = begun.elapsed();
        if tick >= BEFORE {
            (spent, worst, walked) = (spent + took, worst.max(took), walked + done.walking as usize);
        }
    }
    let mean = spent.as_secs_f64() / MEASURED as f64;
    println!(
        "{name}, {} areas: {:.2} ms a tick, {:.2} ms the longest, {:.1} % of one core; {} of {AGENTS} walk",
        index.len(),
        mean * 1e3,
        worst.as_secs_f64() * 1e3,
        mean / f64::from(TICK) * 100.0,
        walked / MEASURED,
    );
    assert!(mean < f64::from(TICK) / 4.0, "{name}: more than a quarter of a core");
}

fn main() {
    measure("rooms", &rooms());
    measure("the bundled town", &read(&bundled().join("source/town.nav")));
    // A map of a game, as large as those that this is asked of.
    let game = real().map(|folder| folder.join("source/tf2-16.2/cp_steel.nav"));
    if let Some(path) = game.filter(|path| path.exists()) {
        measure("cp_steel", &read(&path));
    }
}
