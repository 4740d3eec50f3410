//! The questions of a bot beside the libraries that others walk with: Detour, `landmass` and `polyanya`, on one mesh, one thread, in
//! memory. Every answer is compared: whether there is a way, how long it is, and which point of the mesh is nearest.
//!
//! Detour is the C++ of its makers, compiled to WebAssembly: it needs Node, and the npm packages that the bench names if
//! `NAVMAP_RECAST` does not say where they are. What is taken is the time that the thread ran, in Node that of the process; what is
//! printed is the median of the rounds. What counts are the ratios of one run.
//!
//! ```text
//! NAVMAP_RECAST=target/recast cargo bench --manifest-path benches/peers/Cargo.toml --target-dir target/peers
//! ```

mod detour;
mod hall;
mod islands;
mod ours;
mod shortest;

use cpu_time::ThreadTime;
use hall::{Hall, Questions};
use std::hint::black_box;

/// Rounds of each question; their median counts.
const ROUNDS: usize = 21;
/// Metres by which two libraries may disagree about a point.
const APART: f32 = 1e-2;
/// A way that is found over areas and then pulled tight is seldom the shortest. This many times as long one may be, and all
/// together.
const LONGER: f32 = 1.25;
const LONGER_TOGETHER: f32 = 1.05;

/// What a library says to all questions, and how long one of each kind takes it, in microseconds.
#[derive(Default)]
struct Answers {
    points: Vec<[f32; 2]>,
    /// The length of each way, in metres.
    ways: Vec<Option<f32>>,
    cut_off: Vec<Option<f32>>,
    times: [f64; 3],
}

/// A library.
trait Peer {
    fn name(&self) -> &'static str;

    /// Asks everything once.
    fn round(&mut self, questions: &Questions) -> Answers;
}

/// A library in this process.
trait Walker {
    const NAME: &'static str;

    /// The point of the mesh that is nearest to one above it.
    fn nearest(&mut self, at: [f32; 3]) -> [f32; 2];

    /// The length of the way from point to point, pulled tight.
    fn way(&mut self, from: [f32; 3], to: [f32; 3]) -> Option<f32>;
}

impl<W: Walker> Peer for W {
    fn name(&self) -> &'static str {
        W::NAME
    }

    fn round(&mut self, questions: &Questions) -> Answers {
        let (points, nearest) = timed(&questions.points, |&at| self.nearest(at));
        let (ways, way) = timed(&questions.ways, |&[from, to]| self.way(from, to));
        let (cut_off, none) = timed(&questions.cut_off, |&[from, to]| self.way(from, to));
        Answers { points, ways, cut_off, times: [nearest, way, none] }
    }
}

/// The answers to all questions, and the time for each of them, in microseconds.
fn timed<Q, A>(questions: &[Q], mut ask: impl FnMut(&Q) -> A) -> (Vec<A>, f64) {
    let mut answers = Vec::with_capacity(questions.len());
    let start = ThreadTime::now();
    answers.extend(questions.iter().map(|question| ask(black_box(question))));
    (answers, start.elapsed().as_secs_f64() * 1e6 / questions.len() as f64)
}

/// The last answers of each library, with the medians of the times of all rounds. The libraries take turns, so that what else the
/// machine does meets all of them.
fn ask(peers: &mut [Box<dyn Peer>], questions: &Questions) -> Vec<Answers> {
    let mut rounds: Vec<Vec<Answers>> = peers.iter().map(|_| Vec::new()).collect();
    for _ in 0..ROUNDS {
        for (peer, rounds) in peers.iter_mut().zip(&mut rounds) {
            rounds.push(peer.round(questions));
        }
    }
    let median = |rounds: &[Answers], kind: usize| {
        let mut times: Vec<f64> = rounds.iter().map(|answers| answers.times[kind]).collect();
        times.sort_unstable_by(f64::total_cmp);
        times[ROUNDS / 2]
    };
    let last = |mut rounds: Vec<Answers>| {
        let times = [0, 1, 2].map(|kind| median(&rounds, kind));
        Answers { times, ..rounds.pop().expect("a round") }
    };
    rounds.into_iter().map(last).collect()
}

/// Asserts that a library agrees with the shortest ways.
fn agree(name: &str, answers: &Answers, questions: &Questions, shortest: &Answers) {
    for (point, asked) in answers.points.iter().zip(&questions.points) {
        let off = (point[0] - asked[0]).hypot(point[1] - asked[1]);
        assert!(off <= APART, "{name}: {asked:?} stands at {point:?}");
    }
    assert!(answers.cut_off.iter().all(Option::is_none), "{name} finds a way where there is none");
    let (mut sum, mut least) = (0.0, 0.0);
    for (way, (best, asked)) in answers.ways.iter().zip(shortest.ways.iter().zip(&questions.ways)) {
        let (Some(way), Some(best)) = (*way, *best) else { panic!("{name} finds no way: {asked:?}") };
        assert!(way >= best - APART, "{name}: {way}, shorter than the shortest of {best}: {asked:?}");
        assert!(way <= best * LONGER + APART, "{name}: {way}, the shortest is {best}: {asked:?}");
        (sum, least) = (sum + f64::from(way), least + f64::from(best));
    }
    assert!(sum <= least * f64::from(LONGER_TOGETHER), "{name}: ways are {} of the shortest", sum / least);
}

fn table(names: &[&str], all: &[Answers], shortest: &Answers) {
    let length = |answers: &Answers| answers.ways.iter().flatten().map(|way| f64::from(*way)).sum::<f64>();
    println!("\n| microseconds | a point | a way | no way | length of the ways |\n|---|---|---|---|---|");
    for (name, answers) in names.iter().zip(all) {
        let timed = answers.times.iter().zip(all[0].times);
        let cells: Vec<String> =
            timed.map(|(time, ours)| format!("{time:.2} (× {:.1})", time / ours)).collect();
        let longer = length(answers) / length(shortest);
        println!("| {name} | {} | {longer:.3} |", cells.join(" | "));
    }
}

fn main() {
    let hall = Hall::new();
    let questions = hall.questions();
    println!(
        "{} rectangles; {} points, {} ways, {} pairs without one",
        hall.cells.len(),
        questions.points.len(),
        questions.ways.len(),
        questions.cut_off.len()
    );
    let mut peers: Vec<Box<dyn Peer>> = vec![Box::new(ours::Ours::new(&hall))];
    match detour::Detour::new(&hall, &questions) {
        Some(detour) => peers.push(Box::new(detour)),
        None => println!(
            "Detour is left out: npm install --prefix target/recast @recast-navigation/core \
             @recast-navigation/wasm, and NAVMAP_RECAST=target/recast"
        ),
    }
    peers.push(Box::new(islands::Landmass::new(&hall)));
    peers.push(Box::new(shortest::Polyanya::new(&hall)));
    let all = ask(&mut peers, &questions);
    let names: Vec<&str> = peers.iter().map(|peer| peer.name()).collect();
    let shortest = &all[all.len() - 1];
    for (name, answers) in names.iter().zip(&all) {
        agree(name, answers, &questions, shortest);
    }
    table(&names, &all, shortest);
}
