//! The questions of a bot beside the libraries that others walk with: Detour, `landmass` and `polyanya`, on one mesh, one thread, in
//! memory. Every answer is compared: whether there is a way, how long it is, and which point of the mesh is nearest.
//!
//! Detour is the C++ of its makers, compiled to WebAssembly: install Node and `npm install @recast-navigation/core` in a
//! folder, and name it in `NAVMAP_RECAST`. Without it the others are compared. What counts are the ratios of one run.
//!
//! ```text
//! cargo bench -p navmap-bench-queries --bench meshes
//! ```

mod detour;
mod hall;
mod islands;
mod ours;
mod shortest;

use hall::{Hall, Questions};
use std::hint::black_box;
use std::time::Instant;

/// Rounds of each question; the best counts.
const ROUNDS: usize = 3;
/// Metres by which two libraries may disagree about a point.
const APART: f32 = 1e-2;
/// A way through the fewest areas, pulled tight, is seldom the shortest: a single one may be this much longer, and all together a
/// tenth.
const LONGER: f32 = 2.0;
const LONGER_TOGETHER: f32 = 1.10;

/// What a library says, and how long each question takes it, in microseconds.
struct Answers {
    name: &'static str,
    points: Vec<[f32; 2]>,
    /// The length of each way, in metres.
    ways: Vec<Option<f32>>,
    cut_off: Vec<Option<f32>>,
    times: [f64; 3],
}

/// A library in this process.
trait Walker {
    const NAME: &'static str;

    /// The point of the mesh that is nearest to one above it.
    fn nearest(&mut self, at: [f32; 3]) -> [f32; 2];

    /// The length of the way from point to point, pulled tight.
    fn way(&mut self, from: [f32; 3], to: [f32; 3]) -> Option<f32>;

    fn answer(&mut self, questions: &Questions) -> Answers {
        let (points, nearest) = timed(&questions.points, |&at| self.nearest(at));
        let (ways, way) = timed(&questions.ways, |&[from, to]| self.way(from, to));
        let (cut_off, none) = timed(&questions.cut_off, |&[from, to]| self.way(from, to));
        Answers { name: Self::NAME, points, ways, cut_off, times: [nearest, way, none] }
    }
}

/// The answers to all questions, and the time for each of them, in microseconds.
fn timed<Q, A>(questions: &[Q], mut ask: impl FnMut(&Q) -> A) -> (Vec<A>, f64) {
    let mut answers = Vec::new();
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        answers.clear();
        let start = Instant::now();
        answers.extend(questions.iter().map(|question| ask(black_box(question))));
        best = best.min(start.elapsed().as_secs_f64());
    }
    (answers, best * 1e6 / questions.len() as f64)
}

/// Asserts that a library agrees with the shortest ways.
fn agree(answers: &Answers, questions: &Questions, shortest: &Answers) {
    let name = answers.name;
    for (point, asked) in answers.points.iter().zip(&questions.points) {
        let off = (point[0] - asked[0]).hypot(point[1] - asked[1]);
        assert!(off <= APART, "{name}: {asked:?} stands at {point:?}");
    }
    assert!(answers.cut_off.iter().all(Option::is_none), "{name} finds a way where there is none");
    let (mut sum, mut least) = (0.0, 0.0);
    for (way, (best, asked)) in answers.ways.iter().zip(shortest.ways.iter().zip(&questions.ways)) {
        let (Some(way), Some(best)) = (*way, *best) else { panic!("{name} finds no way: {asked:?}") };
        assert!(way >= best - APART, "{name}: {way}, shorter than the shortest of {best}: {asked:?}");
        assert!(way <= best * LONGER + 1.0, "{name}: {way}, the shortest is {best}: {asked:?}");
        (sum, least) = (sum + f64::from(way), least + f64::from(best));
    }
    assert!(sum <= least * f64::from(LONGER_TOGETHER), "{name}: ways are {} of the shortest", sum / least);
}

fn table(all: &[Answers]) {
    let ours = &all[0];
    println!("| microseconds | a point | a way | no way | ways, of the shortest |\n|---|---|---|---|---|");
    let length = |answers: &Answers| answers.ways.iter().flatten().map(|way| f64::from(*way)).sum::<f64>();
    let shortest = all.iter().map(length).fold(f64::INFINITY, f64::min);
    for answers in all {
        let timed = answers.times.iter().zip(ours.times);
        let cells: Vec<String> =
            timed.map(|(time, ours)| format!("{time:.2} (× {:.1})", time / ours)).collect();
        println!("| {} | {} | {:.3} |", answers.name, cells.join(" | "), length(answers) / shortest);
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
    let mut all = vec![
        ours::Ours::new(&hall).answer(&questions),
        shortest::Polyanya::new(&hall).answer(&questions),
        islands::Landmass::new(&hall).answer(&questions),
    ];
    match detour::answers(&hall, &questions) {
        Some(answers) => all.push(answers),
        None => println!(
            "without Detour: npm install @recast-navigation/core in a folder, and set NAVMAP_RECAST to it"
        ),
    }
    all.iter().for_each(|answers| agree(answers, &questions, &all[1]));
    table(&all);
}
