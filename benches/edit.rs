//! The editor of Source meshes, each step beside a plain rebuild of the whole mesh: what somebody pays who reads the file
//! into lists, changes one of them, and writes everything anew.
//!
//! Runs on `dz_county` where the real files are, and on a generated mesh of its shape (19,473 areas, five links each).
//! Times are those of the thread, medians of several runs.
//!
//! ```text
//! cargo bench --bench edit
//! ```

use cpu_time::ThreadTime;
use navmap::edit::{Editor, Session, SessionOptions};
use navmap::format::source::edit::SourceEditor;
use navmap::format::source::{SourceBuf, SourceNav};
use navmap_testkit::alloc::{Counting, cost_of};
use navmap_testkit::source::{Area, Mesh, Spot, write};
use navmap_testkit::{byte_sum, corpus};
use std::hint::black_box;
use std::ops::ControlFlow;

#[global_allocator]
static ALLOC: Counting = Counting;

const AREAS: u32 = 19_473;

/// A field of rectangles with a gap here and there, each linked to its neighbours both ways.
fn generated() -> Vec<u8> {
    let wide = 140;
    let area = |i: u32| {
        let (x, y) = ((i % wide) as f32 * 100.0, (i / wide) as f32 * 100.0);
        let near = |yes: bool, to: u32| {
            if yes && to < AREAS && !to.is_multiple_of(11) { vec![to + 1] } else { vec![] }
        };
        let connections = [
            near(i >= wide, i.wrapping_sub(wide)),
            near(i % wide + 1 < wide, i + 1),
            near(true, i + wide),
            near(!i.is_multiple_of(wide), i.wrapping_sub(1)),
        ];
        let spots = (0..i % 3).map(|n| Spot { id: i * 4 + n, position: [x + 8.0, y + 8.0, 0.0], flags: 1 });
        Area {
            id: i + 1,
            nw: [x, y, 0.0],
            se: [x + 100.0, y + 100.0, 0.0],
            connections: if i.is_multiple_of(11) { Default::default() } else { connections },
            spots: spots.collect(),
            ..Area::default()
        }
    };
    write(&Mesh {
        version: 16,
        subversion: Some(1),
        analyzed: 1,
        areas: (0..AREAS).map(area).collect(),
        ..Mesh::default()
    })
}

/// The time of the thread in nanoseconds: the median of several runs, each on what `make` makes, which is not timed.
fn time<T, R>(runs: usize, mut make: impl FnMut() -> T, mut run: impl FnMut(&mut T) -> R) -> f64 {
    let mut times: Vec<f64> = (0..runs)
        .map(|_| {
            let mut made = make();
            let begun = ThreadTime::now();
            black_box(run(&mut made));
            begun.elapsed().as_nanos() as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[runs / 2]
}

fn read(bytes: &[u8]) -> SourceBuf {
    SourceBuf::read(&SourceNav::parse(bytes).expect("a mesh")).expect("whole")
}

fn open(bytes: &[u8]) -> Session<SourceEditor> {
    Session::new(SourceEditor::new(read(bytes)).expect("it fits"), SessionOptions::default())
}

fn run(session: &mut Session<SourceEditor>, script: &str) {
    session.script(script, |fared| {
        if let Err(refusal) = fared {
            panic!("{refusal}");
        }
        ControlFlow::Continue(())
    });
}

fn row(what: &str, value: String, bar: &str) {
    println!("  {what:<46}{value:>14}   {bar}");
}

fn ms(nanoseconds: f64) -> String {
    format!("{:.2} ms", nanoseconds / 1e6)
}

fn measure(name: &str, bytes: &[u8]) {
    let mesh = read(bytes);
    let ids: Vec<u32> = mesh.areas.iter().map(|area| area.id.get()).collect();
    println!("{name}: {} bytes, {} areas", bytes.len(), ids.len());
    assert_eq!(mesh.encode().expect("it fits"), bytes);

    let rebuild = time(9, || (), |()| read(bytes).encode().expect("it fits").len());
    row("a plain rebuild: read, encode", ms(rebuild), "");
    row("  of that, read", ms(time(9, || (), |()| read(bytes))), "");
    let before = time(9, || (), |()| open(bytes));
    row("open for editing", ms(before), "< 30 ms");
    row(
        "  of that, the editor over the owned mesh",
        ms(time(9, || read(bytes), |mesh| SourceEditor::new(std::mem::replace(mesh, SourceBuf::new(16, 1))))),
        "",
    );
    let (_, cost) = cost_of(|| open(bytes));
    row("  memory, of the file", format!("{:.1} x", cost.peak_bytes as f64 / bytes.len() as f64), "< 12 x");

    // Over a set that no cache holds.
    let large = bytes.repeat((200 << 20) / bytes.len());
    let sum = time(5, || (), |()| byte_sum(black_box(&large))) * bytes.len() as f64 / large.len() as f64;
    let encode = time(9, || (), |()| mesh.encode());
    let rate = |time: f64| bytes.len() as f64 / time;
    let share = format!("{:.1} GB/s, {:.0} %", rate(encode), sum / encode * 100.0);
    row("encode, of the sum of the bytes", share, "25 %");

    // One command on one area: what a statement costs, spread over areas.
    let some: Vec<u32> = ids.iter().copied().step_by(ids.len() / 1000).collect();
    // What is too narrow cannot be split: it is not asked.
    let wide = mesh.areas.iter().filter_map(|area| {
        let ([x0, ..], [x1, ..]) = (area.shape.north_west(), area.shape.south_east());
        (x1 - x0 >= 75.0).then(|| (area.id.get(), f32::midpoint(x0, x1)))
    });
    let wide: Vec<(u32, f32)> = wide.step_by(4).take(1000).collect();
    let split: String = wide.iter().map(|(id, x)| format!("nav_split #{id} x={x}\n")).collect();
    let of_each =
        |command: &str| -> String { some.iter().map(|id| command.replace("ID", &id.to_string())).collect() };
    for (what, count, script) in [
        ("nav_mark_attribute", some.len(), of_each("nav_mark_attribute JUMP #ID\n")),
        ("nav_corner_raise, named", some.len(), of_each("nav_corner_raise 1 #ID\n")),
        (
            "nav_mark, and nav_corner_raise with neighbours",
            some.len(),
            of_each("nav_mark #ID\nnav_corner_raise 1\n"),
        ),
        ("nav_shift", some.len(), of_each("nav_shift 1 #ID\n")),
        ("nav_split", wide.len(), split),
    ] {
        let mut refused = 0;
        let each = time(
            5,
            || open(bytes),
            |session| {
                session.script("nav_mark #1; nav_corner_raise 0", |_| ControlFlow::Continue(()));
                session.script(&script, |fared| {
                    refused += usize::from(fared.is_err());
                    ControlFlow::Continue(())
                });
            },
        );
        let each = each / count as f64;
        assert_eq!(refused, 0, "{what}");
        row(what, format!("{:.2} us", each / 1e3), &format!("< 5 us, 1/{:.0} of a rebuild", rebuild / each));
    }

    let many = 100_000;
    let attributes: String = (0..many)
        .map(|i| {
            format!(
                "nav_mark_attribute {} #{}\n",
                if i % 2 == 0 { "JUMP" } else { "CROUCH" },
                ids[i * 7 % ids.len()]
            )
        })
        .collect();
    let script = time(3, || open(bytes), |session| run(session, &attributes));
    row(
        "100,000 attributes in a script",
        ms(script),
        &format!("< 500 ms, {:.0} rebuilds, not 100,000", script / rebuild),
    );
    let deletes: String =
        ids.iter().step_by(ids.len() / 1000).take(1000).map(|id| format!("nav_delete #{id}\n")).collect();
    let deleting = time(5, || open(bytes), |session| run(session, &deletes));
    let note = format!("< 50 ms, {:.1} rebuilds, not 1,000", deleting / rebuild);
    row("1,000 areas deleted one by one", ms(deleting), &note);

    let mut session = open(bytes);
    run(&mut session, &attributes);
    run(&mut session, &deletes);
    row("save: the bytes, after both", ms(time(5, || (), |()| session.editor().encode())), "< 40 ms");
    row("the report, after both", ms(time(5, || (), |()| session.editor().report())), "");

    let mut session = open(bytes);
    run(&mut session, "nav_mark #1; nav_corner_raise 0");
    // What a session keeps to take a statement back, beside the mesh: what changed.
    let (_, cost) = cost_of(|| run(&mut session, &deletes));
    row("an undo entry of a deletion", format!("{} bytes", cost.peak_bytes / 1000), "what changed");
    assert!(cost.peak_bytes / 1000 < 4096, "an undo entry costs what changed");
    let (_, cost) = cost_of(|| run(&mut session, "nav_mark_attribute CROUCH all"));
    row("an undo entry of an attribute", format!("{} bytes", cost.peak_bytes / ids.len() as u64), "");
    assert!(cost.peak_bytes / (ids.len() as u64) < 256, "an undo entry costs what changed");
    session.undo(usize::MAX);
    assert_eq!(session.editor().encode().expect("it fits"), bytes);
}

fn main() {
    let real = corpus::real().map(|folder| folder.join("source/csgo-16.1/dz_county.nav"));
    if let Some(bytes) = real.and_then(|path| std::fs::read(path).ok()) {
        measure("dz_county", &bytes);
    }
    measure("generated", &generated());
}
