//! Queries beside those of other crates, one thread, in memory; each row asserts that all give the same answer.
//!
//! Runs on `cp_steel` and `dz_county` where the real files are, else on generated levels, and says which. Times of points
//! are of 64 together, as a clock costs as much as one; p50 and p99 are over those, and over single paths. What counts are
//! the ratios of one run.
//!
//! ```text
//! cargo bench -p navmap-bench-queries
//! ```

use navmap::format::source::{SourceGraph, SourceNav};
use navmap::graph::{FlatGraph, Point};
use navmap::query::{Area, FirstMoves, NavIndex, Outcome, PathScratch, Query, Search};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::bytes::Rng;
use navmap_testkit::{corpus, source};
use std::hint::black_box;
use std::time::Instant;

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;

/// Points that are timed together.
const TOGETHER: usize = 64;

fn main() {
    for (name, real, large) in [
        ("cp_steel", "source/tf2-16.2/cp_steel.nav", false),
        ("dz_county", "source/csgo-16.1/dz_county.nav", true),
    ] {
        let path = corpus::real().map(|folder| folder.join(real)).filter(|path| path.is_file());
        let bytes = match &path {
            Some(path) => std::fs::read(path).expect("a mesh"),
            None if large => source::csgo_shaped(),
            None => source::tf2_shaped(),
        };
        println!("\n# {name}: {}", path.map_or("generated".to_owned(), |_| real.to_owned()));
        mesh(&bytes);
    }
}

/// p50, p99 and mean, in the unit of `times`.
fn row(what: &str, unit: &str, mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    let mean = times.iter().sum::<f64>() / times.len().max(1) as f64;
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or(0.0);
    println!("{what:44} p50 {:9.2}  p99 {:9.2}  mean {mean:9.2}  {unit}", at(0.5), at(0.99));
    at(0.5)
}

/// Times `ask` over points, 64 together, best of three rounds each; nanoseconds a point.
fn points<T>(points: &[Point], mut ask: impl FnMut(Point) -> T, mut sum: impl FnMut(T)) -> Vec<f64> {
    points.iter().for_each(|&p| sum(ask(p)));
    let mut best = vec![f64::INFINITY; points.len() / TOGETHER];
    for _ in 0..3 {
        for (best, points) in best.iter_mut().zip(points.chunks_exact(TOGETHER)) {
            let start = Instant::now();
            for &p in points {
                black_box(ask(black_box(p)));
            }
            *best = best.min(start.elapsed().as_nanos() as f64 / TOGETHER as f64);
        }
    }
    best
}

fn mesh(bytes: &[u8]) {
    let nav = SourceNav::parse(bytes).expect("a mesh");
    let graph = SourceGraph::new(&nav);
    let flat = FlatGraph::of(&graph).whole().expect("whole");
    let index = NavIndex::build(&graph).whole().expect("whole");
    let areas = index.len();
    println!("{areas} areas, {} links, {} bytes an area", index.link_count(), index.bytes() / areas);
    build(bytes, &graph, &index);
    locate(&flat, &index);
    ways(&index);
}

fn build(bytes: &[u8], graph: &SourceGraph<'_>, index: &NavIndex) {
    let areas = index.len() as f64;
    let milliseconds = |rounds: usize, mut act: Box<dyn FnMut() + '_>| -> Vec<f64> {
        (0..rounds)
            .map(|_| {
                let start = Instant::now();
                act();
                start.elapsed().as_secs_f64() * 1e3
            })
            .collect()
    };
    let each = |times: Vec<f64>| times.into_iter().map(|ms| ms / areas * 1e3).collect::<Vec<_>>();
    let of_graph = || assert_eq!(black_box(NavIndex::build(graph)).value.len(), index.len());
    row("build of the index, an area", "us", each(milliseconds(40, Box::new(of_graph))));
    let of_bytes = || {
        let nav = SourceNav::parse(black_box(bytes)).expect("a mesh");
        assert_eq!(NavIndex::build(&SourceGraph::new(&nav)).value.len(), index.len());
    };
    row("bytes to a ready world", "ms", milliseconds(40, Box::new(of_bytes)));
    let landmarks = || assert_eq!(index.clone().with_landmarks().landmarks().count(), 8);
    row("landmarks, an area", "us", each(milliseconds(5, Box::new(landmarks))));
}

/// A rectangle, as the peers get it.
struct Peer {
    nw: [f32; 3],
    se: [f32; 3],
    heights: [f32; 2],
}

impl Peer {
    /// The engine's rule, as written for the peers.
    #[inline(always)]
    fn height(&self, x: f32, y: f32) -> Option<f32> {
        if !(x >= self.nw[0] && x <= self.se[0] && y >= self.nw[1] && y <= self.se[1]) {
            return None;
        }
        let (dx, dy) = (self.se[0] - self.nw[0], self.se[1] - self.nw[1]);
        if !(dx > 0.0 && dy > 0.0) {
            return Some(self.heights[0]);
        }
        let (u, v) = ((x - self.nw[0]) * (1.0 / dx), (y - self.nw[1]) * (1.0 / dy));
        let north = self.nw[2] + u * (self.heights[0] - self.nw[2]);
        let south = self.heights[1] + u * (self.se[2] - self.heights[1]);
        Some(north + v * (south - north))
    }
}

/// Takes the highest of the candidates; the first in the file of two at one height.
struct Pick<'p> {
    peers: &'p [Peer],
    p: Point,
    best: Option<(f32, usize)>,
}

impl Pick<'_> {
    #[inline(always)]
    fn offer(&mut self, at: usize) {
        let Some(z) = self.peers[at].height(self.p.x, self.p.y) else { return };
        if z <= self.p.z + 5.0 && z >= self.p.z - 120.0 {
            let higher = self.best.is_none_or(|(best, other)| z > best || z == best && at < other);
            if higher {
                self.best = Some((z, at));
            }
        }
    }
}

fn locate(flat: &FlatGraph, index: &NavIndex) {
    use rstar::{
        AABB, RTree,
        primitives::{GeomWithData, Rectangle},
    };
    let peers: Vec<Peer> = flat
        .nodes()
        .iter()
        .map(|node| {
            let [nw, ne, se, sw] = flat.corners(node) else { unreachable!("four corners") };
            Peer { nw: nw.to_array(), se: se.to_array(), heights: [ne.z, sw.z] }
        })
        .collect();
    let mut rng = Rng(1);
    let on: Vec<Point> = (0..TOGETHER * 400)
        .map(|_| {
            let peer = &peers[rng.below(peers.len() as u64) as usize];
            let (x, y) = (rng.f32(peer.nw[0], peer.se[0]), rng.f32(peer.nw[1], peer.se[1]));
            Point::new(x, y, peer.height(x, y).unwrap_or(peer.nw[2]) + rng.f32(0.0, 60.0))
        })
        .collect();
    let bounds = index.bounds().expect("some areas");
    let any: Vec<Point> = (0..TOGETHER * 100)
        .map(|_| {
            let at = |low: f32, high: f32, rng: &mut Rng| rng.f32(low, high);
            Point::new(
                at(bounds.min.x, bounds.max.x, &mut rng),
                at(bounds.min.y, bounds.max.y, &mut rng),
                at(bounds.min.z, bounds.max.z, &mut rng),
            )
        })
        .collect();
    let number =
        |area: Option<Area>| area.and_then(|area| index.node(area)).map_or(0, |node| u64::from(node) + 1);

    let mut truth = 0;
    let ours =
        row("area at point, navmap", "ns", points(&on, |p| index.area_at(p, None), |a| truth += number(a)));
    let mut out = vec![None; on.len()];
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let start = Instant::now();
        index.area_at_many(black_box(&on), None, &mut out);
        best = best.min(start.elapsed().as_nanos() as f64 / on.len() as f64);
    }
    println!("{:44} {:.1} M a second ({best:.1} ns)", "area at point, navmap, batched", 1e3 / best);
    assert_eq!(out.iter().map(|area| number(*area)).sum::<u64>(), truth);

    let mut builder = static_aabb2d_index::StaticAABB2DIndexBuilder::<f32>::new(peers.len());
    for peer in &peers {
        builder.add(peer.nw[0], peer.nw[1], peer.se[0].max(peer.nw[0]), peer.se[1].max(peer.nw[1]));
    }
    let tree = builder.build().expect("an index");
    let mut stack = Vec::with_capacity(64);
    let mut sum = 0;
    let ask = |p: Point| {
        let mut pick = Pick { peers: &peers, p, best: None };
        tree.visit_query_with_stack(p.x, p.y, p.x, p.y, &mut |at: usize| pick.offer(at), &mut stack);
        pick.best
    };
    let theirs = row(
        "area at point, static_aabb2d_index",
        "ns",
        points(&on, ask, |b| sum += b.map_or(0, |(_, at)| at as u64 + 1)),
    );
    assert_eq!(sum, truth);
    println!("{:44} {:.2}", "= static_aabb2d_index / navmap", theirs / ours);

    let boxes: Vec<_> = peers
        .iter()
        .enumerate()
        .map(|(at, peer)| {
            GeomWithData::new(Rectangle::from_corners([peer.nw[0], peer.nw[1]], [peer.se[0], peer.se[1]]), at)
        })
        .collect();
    let tree = RTree::bulk_load(boxes);
    let mut sum = 0;
    let ask = |p: Point| {
        let mut pick = Pick { peers: &peers, p, best: None };
        tree.locate_in_envelope_intersecting(AABB::from_point([p.x, p.y]))
            .for_each(|found| pick.offer(found.data));
        pick.best
    };
    let theirs =
        row("area at point, rstar", "ns", points(&on, ask, |b| sum += b.map_or(0, |(_, at)| at as u64 + 1)));
    assert_eq!(sum, truth);
    println!("{:44} {:.2}", "= rstar / navmap", theirs / ours);

    let linear = |p: Point| {
        let mut pick = Pick { peers: &peers, p, best: None };
        (0..peers.len()).for_each(|at| pick.offer(at));
        pick.best
    };
    let few = &on[..TOGETHER * 10];
    row("area at point, linear", "ns", points(few, linear, |_| {}));

    let mut far = 0.0;
    row(
        "nearest, on points",
        "ns",
        points(&on, |p| index.nearest(p, f32::INFINITY), |n| far += f64::from(n.unwrap().distance)),
    );
    row("nearest, anywhere in the box", "ns", points(&any, |p| index.nearest(p, f32::INFINITY), |_| {}));
    row("nearest as the engine, anywhere", "ns", points(&any, |p| index.nearest_as_engine(p, 1e4), |_| {}));
    let (_, cost) = cost_of(|| {
        on.iter().for_each(|&p| {
            black_box((index.area_at(p, None), index.nearest(p, 1e4)));
        });
    });
    assert_eq!(cost.calls, 0, "a point query allocates");
}

/// Times each pair by itself, best of three; microseconds.
fn pairs<T: PartialEq>(
    pairs: &[(Area, Area)],
    mut ask: impl FnMut(Area, Area) -> T,
    mut sum: impl FnMut(T),
) -> Vec<f64> {
    let mut best = vec![f64::INFINITY; pairs.len()];
    for round in 0..3 {
        for (best, &(a, b)) in best.iter_mut().zip(pairs) {
            let start = Instant::now();
            let answer = black_box(ask(black_box(a), black_box(b)));
            *best = best.min(start.elapsed().as_nanos() as f64 / 1e3);
            if round == 0 {
                sum(answer);
            }
        }
    }
    best
}

fn ways(index: &NavIndex) {
    let areas = index.len();
    let mut rng = Rng(2);
    let all: Vec<(Area, Area)> = (0..1000)
        .map(|_| {
            let mut one = || index.of_node(rng.below(areas as u64) as u32).expect("an area");
            (one(), one())
        })
        .collect();
    let (reach, none): (Vec<_>, Vec<_>) = all.iter().partition(|(a, b)| index.reachable(*a, *b));
    println!("{} of {} pairs have no way", none.len(), all.len());
    let mut scratch = PathScratch::new(index);
    println!("{:44} {} bytes an area", "scratch", scratch.bytes() / areas);
    let plain = Query::shortest();
    let game = plain.with_search(Search::Engine);
    let add = |sum: &mut f64, outcome: Outcome| *sum += outcome.cost().map_or(0.0, f64::from);
    let close = |a: f64, b: f64, what: &str| assert!((a - b).abs() <= b * 1e-4, "{what}: {a}, not {b}");

    let (mut truth, mut pops) = (0.0, 0);
    let times = pairs(&all, |a, b| scratch.path(index, a, b, &game).unwrap(), |o| add(&mut truth, o));
    let ours = row("path, A*, all pairs", "us", times);
    let times = pairs(&reach, |a, b| scratch.path(index, a, b, &game).unwrap(), |_| {});
    row("path, A*, reachable pairs", "us", times);
    for &(a, b) in &reach {
        let _ = scratch.path(index, a, b, &game).unwrap();
        pops += scratch.pops();
    }
    println!("{:44} {}", "areas looked at for a path", pops / reach.len().max(1) as u64);
    let mut sum = 0.0;
    row(
        "path, A*, exact, all pairs",
        "us",
        pairs(&all, |a, b| scratch.path(index, a, b, &plain).unwrap(), |o| add(&mut sum, o)),
    );
    let exact = sum;
    assert!(exact <= truth * (1.0 + 1e-5));

    let guided = index.clone().with_landmarks();
    let mut other = PathScratch::new(&guided);
    let mut sum = 0.0;
    let fast = row(
        "path, landmarks, all pairs",
        "us",
        pairs(&all, |a, b| other.path(&guided, a, b, &plain).unwrap(), |o| add(&mut sum, o)),
    );
    close(sum, exact, "landmarks");
    row(
        "path, landmarks, reachable pairs",
        "us",
        pairs(&reach, |a, b| other.path(&guided, a, b, &plain).unwrap(), |_| {}),
    );
    if !none.is_empty() {
        row(
            "no way",
            "us",
            pairs(&none, |a, b| scratch.path(index, a, b, &game).unwrap(), |o| assert!(o.cost().is_none())),
        );
    }
    if let Ok(moves) = FirstMoves::shortest(index) {
        let mut sum = 0.0;
        row(
            "path, table of first moves",
            "us",
            pairs(&all, |a, b| scratch.path_from(&moves, index, a, b).unwrap(), |o| add(&mut sum, o)),
        );
        close(sum, exact, "table");
    }
    let (_, cost) = cost_of(|| {
        all.iter().for_each(|&(a, b)| {
            let _ = black_box((
                scratch.path(index, a, b, &game).unwrap(),
                other.path(&guided, a, b, &plain).unwrap(),
            ));
        });
    });
    assert_eq!(cost.calls, 0, "a path query allocates");
    let mut map = vec![0.0; areas];
    let froms: Vec<_> = all.iter().take(200).copied().collect();
    row(
        "distance to all",
        "us",
        pairs(&froms, |a, _| scratch.distance_map(index, a, &plain, &mut map).unwrap(), |_| {}),
    );
    peers(index, &all, truth, exact, ours, fast);
}

fn peers(index: &NavIndex, all: &[(Area, Area)], truth: f64, exact: f64, ours: f64, fast: f64) {
    use petgraph::graph::{DiGraph, NodeIndex};
    let center: Vec<Point> = index.areas().map(|area| index.center(area).unwrap()).collect();
    let ladders = index.areas().flat_map(|area| index.links(area)).any(|way| {
        way.length < center[way.from.position() as usize].distance(center[way.to.position() as usize]) * 0.999
    });
    // Where a ladder is shorter than the straight line, the order of equal estimates decides; else sums are equal.
    let close = |sum: f64, what: &str| {
        let room = if ladders { 2e-2 } else { 1e-4 };
        assert!((sum - truth).abs() <= truth * room, "{what}: {sum}, not {truth}");
    };
    let mut graph = DiGraph::<(), f32>::with_capacity(index.len(), index.link_count());
    index.areas().for_each(|_| {
        graph.add_node(());
    });
    for way in index.areas().flat_map(|area| index.links(area)) {
        graph.add_edge(
            NodeIndex::new(way.from.position() as usize),
            NodeIndex::new(way.to.position() as usize),
            way.length,
        );
    }
    let mut sum = 0.0;
    let ask = |a: Area, b: Area| {
        let (goal, aim) = (NodeIndex::new(b.position() as usize), center[b.position() as usize]);
        let found = petgraph::algo::astar(
            &graph,
            NodeIndex::new(a.position() as usize),
            |node| node == goal,
            |edge| *edge.weight(),
            |node| center[node.index()].distance(aim),
        );
        found.map(|(cost, way)| (cost, way.len()))
    };
    let theirs = row(
        "path, petgraph A*, all pairs",
        "us",
        pairs(all, ask, |f| sum += f.map_or(0.0, |(cost, _)| f64::from(cost))),
    );
    close(sum, "petgraph");
    println!("{:44} {:.2}", "= petgraph / navmap A*", theirs / ours);
    println!("{:44} {:.2}", "= petgraph / navmap landmarks", theirs / fast);

    let rows: Vec<Vec<(usize, u64)>> = index
        .areas()
        .map(|area| {
            index
                .links(area)
                .map(|way| (way.to.position() as usize, (f64::from(way.length) * 1000.0) as u64))
                .collect()
        })
        .collect();
    let mut sum = 0.0;
    let ask = |a: Area, b: Area| {
        let (goal, aim) = (b.position() as usize, center[b.position() as usize]);
        let found = pathfinding::prelude::astar(
            &(a.position() as usize),
            |&node| rows[node].iter().copied(),
            |&node| (f64::from(center[node].distance(aim)) * 1000.0) as u64,
            |&node| node == goal,
        );
        found.map(|(_, cost)| cost)
    };
    let theirs = row(
        "path, pathfinding A*, all pairs",
        "us",
        pairs(all, ask, |cost| sum += cost.unwrap_or(0) as f64 / 1000.0),
    );
    close(sum, "pathfinding");
    println!("{:44} {:.2}", "= pathfinding / navmap A*", theirs / ours);

    // Contraction takes whole costs above 0, and no loops.
    let mut input = fast_paths::InputGraph::new();
    for way in index.areas().flat_map(|area| index.links(area)).filter(|way| way.from != way.to) {
        let cost = ((f64::from(way.length) * 100.0).round() as usize).max(1);
        input.add_edge(way.from.position() as usize, way.to.position() as usize, cost);
    }
    input.freeze();
    let start = Instant::now();
    let prepared = fast_paths::prepare(&input);
    println!("{:44} {:.1} ms", "fast_paths, to prepare", start.elapsed().as_secs_f64() * 1e3);
    let mut calculator = fast_paths::create_calculator(&prepared);
    let nodes = prepared.get_num_nodes();
    let mut sum = 0.0;
    let ask = |a: Area, b: Area| {
        let (a, b) = (a.position() as usize, b.position() as usize);
        if a.max(b) >= nodes {
            return None;
        }
        calculator.calc_path(&prepared, a, b).map(|way| way.get_weight())
    };
    row("path, fast_paths, all pairs", "us", pairs(all, ask, |cost| sum += cost.unwrap_or(0) as f64 / 100.0));
    assert!((sum - exact).abs() <= exact * 1e-3, "fast_paths: {sum}, not {exact}");
}
