//! Walks many meshes and makes their rows.

use super::batch::{Batch, Out, Sheets};
use super::fill::{self, Facts};
use super::format::Format;
use super::lines::Form;
use super::mesh::Mesh;
use super::rows::neutral::{FILES, FINDINGS, FileRow, FindingRow};
use super::schema::Table;
use navmap_core::Counts;
use navmap_core::bytes::Scratch;
use navmap_core::error::Result;
use navmap_core::format::NavFile;
use navmap_core::threads::locked;
use navmap_core::{Finding, Severity};
use navmap_formats::{AnyNav, Kind, ParseOptions};
use navmap_open::scan::{
    Ahead, Each, FINDINGS_AT_ONCE, OTHER_MAP, Outcome, Scan, Status, Task, Totals, path_text,
};
use std::any::Any;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// A run over many meshes that makes rows of tables.
///
/// Rows of a mesh come as one batch per table, in path order. A damaged mesh gives the rows before the damage, and its error.
/// Memory: for each thread the batches of the largest mesh it read, and those of a few meshes that wait for their turn. A run
/// [in parts](Self::in_parts) holds less.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::scan::Scan;
/// use navmap::table::{Run, Table};
/// use std::ops::ControlFlow;
///
/// let areas = Table::named("areas").unwrap();
/// let mut rows = 0;
/// Run::new(Scan::new(), [areas]).run(["corpus/source"], &mut |mesh, sheets| {
///     assert!(mesh.path.starts_with("corpus"));
///     rows += sheets.batches()[0].rows();
///     ControlFlow::Continue(())
/// });
/// assert!(rows > 100);
/// ```
#[derive(Debug)]
pub struct Run {
    scan: Scan,
    makes: Arc<Makes>,
    strict: bool,
    in_parts: bool,
    written_as: Option<Format>,
}

/// Makes the batches of a mesh, and recycles used ones.
#[derive(Debug)]
struct Makes {
    empty: Sheets,
    facts: bool,
    /// The options that weigh findings, if each mesh is surveyed besides the task.
    survey: Option<ParseOptions>,
    /// Whether full batches go ahead of the others of their mesh.
    in_parts: AtomicBool,
    /// Whether a damaged mesh has no rows.
    strict: AtomicBool,
    pool: Mutex<Vec<Sheets>>,
}

/// A worker's results for a mesh.
struct Made {
    /// Batches that were full before the turn of the mesh had come.
    full: VecDeque<Batch>,
    sheets: Sheets,
    facts: Option<Facts>,
    surveyed: Option<Surveyed>,
}

/// The results of a survey under another task: `files` is the same whatever else is requested.
#[derive(Debug, Default)]
struct Surveyed {
    counted: u64,
    /// Whether one of them is an error.
    fault: bool,
    first: Option<Finding>,
}

impl Surveyed {
    fn take(&mut self, finding: &Finding) {
        if finding.severity.counts() {
            self.counted = self.counted.saturating_add(1);
            self.fault |= finding.severity == Severity::Error;
            self.first.get_or_insert_with(|| finding.clone());
        }
    }
}

/// The most full batches that are kept of a mesh that may be damaged yet. One of which there are more is read twice.
const MOST_KEPT: usize = 8;

/// The most files read ahead of the one whose turn it is.
const AHEAD: u64 = 16;

impl Makes {
    fn sheets(&self) -> Sheets {
        let pooled = locked(&self.pool).pop();
        pooled.unwrap_or_else(|| self.empty.clone())
    }

    fn give_back(&self, mut sheets: Sheets) {
        sheets.clear();
        let mut pool = locked(&self.pool);
        if pool.len() < 8 {
            pool.push(sheets);
        }
    }
}

impl Each for Makes {
    fn takes_findings_ahead(&self) -> bool {
        self.in_parts.load(Relaxed) && self.empty.wants(&FINDINGS)
    }

    fn each(
        &self,
        nav: &AnyNav<'_>,
        name: &Path,
        scratch: &mut Scratch,
        ahead: &mut Ahead<'_>,
    ) -> (Box<dyn Any + Send + Sync>, Result<()>) {
        let mut sheets = self.sheets();
        let surveyed = self.survey.map(|options| {
            let mut surveyed = Surveyed::default();
            let mut found = |finding: Finding| surveyed.take(&options.weigh(finding));
            // An unreadable mesh already has an error from its reader.
            let _ = nav.survey(scratch, &mut Counts::default(), &mut found);
            surveyed
        });
        let (in_parts, tries) = (self.in_parts.load(Relaxed), self.strict.load(Relaxed));
        let name = own_name(name);
        let full = RefCell::new(Full { kept: VecDeque::new(), ahead, tries, is_much: false });
        let pass = |batch: Batch| full.borrow_mut().take(batch);
        let fill = |sheets: &mut Sheets, scratch: &mut Scratch| {
            let mut out = if in_parts { Out::in_parts(sheets, &pass) } else { Out::whole(sheets) };
            fill::fill(nav, &name, self.facts, scratch, &mut out)
        };
        let (mut facts, mut done) = fill(&mut sheets, scratch);
        if full.borrow().is_much {
            sheets.clear();
            done = done.and_then(|()| nav.check(scratch, &mut |_| {}));
            if done.is_ok() {
                full.borrow_mut().tries = false;
                (facts, done) = fill(&mut sheets, scratch);
            }
        }
        let full = full.into_inner().kept;
        (Box::new(Made { full, sheets, facts, surveyed }), done)
    }
}

/// Full batches of a mesh: on their way as soon as it is next in line, kept in order until then.
struct Full<'a, 'b> {
    kept: VecDeque<Batch>,
    ahead: &'a mut Ahead<'b>,
    /// Whether nothing goes on its way yet, since the rows count only if the mesh can be read to its end. Few are kept, of many none.
    tries: bool,
    is_much: bool,
}

impl Full<'_, '_> {
    fn take(&mut self, batch: Batch) {
        self.kept.push_back(batch);
        if self.tries {
            self.is_much |= self.kept.len() > MOST_KEPT;
            if self.is_much {
                self.kept.clear();
            }
            return;
        }
        while let Some(first) = self.kept.pop_front() {
            if let Some(back) = (self.ahead)(Box::new(first)) {
                self.kept.extend(back.downcast::<Batch>().map(|batch| *batch));
                self.kept.rotate_right(1);
                return;
            }
        }
    }
}

/// The name of a file without folders, including one in an archive.
pub(super) fn own_name(path: &Path) -> String {
    let text = path_text(path);
    text.rsplit(['/', '\\', '!']).next().unwrap_or_default().to_owned()
}

impl Run {
    /// A run that makes the rows of these tables.
    pub fn new(scan: Scan, tables: impl IntoIterator<Item = &'static Table>) -> Self {
        Self::filling(scan, Sheets::new(tables))
    }

    /// A run that fills copies of these sheets, and so makes only the columns they want.
    pub fn filling(scan: Scan, empty: Sheets) -> Self {
        let facts = empty.wants(&FILES);
        let task = match (empty.wants(&FINDINGS), facts) {
            (true, _) => Task::Check,
            (false, true) => Task::Survey,
            (false, false) => Task::Open,
        };
        let survey = (facts && task == Task::Check).then(|| scan.options.format());
        let makes = Arc::new(Makes {
            empty,
            facts,
            survey,
            in_parts: AtomicBool::new(false),
            strict: AtomicBool::new(false),
            pool: Mutex::default(),
        });
        let each: Arc<dyn Each> = Arc::clone(&makes) as Arc<dyn Each>;
        let scan = Scan { task, each: Some(each), ahead: AHEAD.min(scan.ahead), ordered: true, ..scan };
        Self { scan, makes, strict: false, in_parts: false, written_as: None }
    }

    /// Sets whether a damaged mesh gives only rows of `files` and `findings`. By default it gives the rows before the damage.
    #[must_use]
    pub fn strict(self, strict: bool) -> Self {
        Self { strict, ..self }
    }

    /// Passes on the rows of a large mesh in several batches of a table, of a MiB or so each, so that only meshes that wait for their
    /// turn are kept. Those before the last come with [`Mesh::continues`]. A [strict](Self::strict) run reads a large mesh twice, since
    /// it knows only at the end whether the rows count.
    #[must_use]
    pub fn in_parts(self) -> Self {
        Self { in_parts: true, ..self }
    }

    /// Says what a writer makes of the rows. Those of a text are then told as text by the thread that has read the mesh, so that all
    /// threads do, where a writer alone would have most of the work. Only in a run [in parts](Self::in_parts) of several threads, and
    /// no more than some MiB of a mesh whose turn has not come.
    #[must_use]
    pub fn written_as(self, format: Format) -> Self {
        Self { written_as: Some(format), ..self }
    }

    /// The scan behind the run, for watching and stopping it.
    pub fn scan(&self) -> &Scan {
        &self.scan
    }

    /// Walks `paths` and hands the batches of each mesh to `sink`, in path order. Only the sink and [`Scan::stop`] end the run
    /// early.
    pub fn run<P, I>(
        &self,
        paths: I,
        sink: &mut (dyn FnMut(&Mesh<'_>, &mut Sheets) -> ControlFlow<()> + Send),
    ) -> Totals
    where
        P: Into<PathBuf>,
        I: IntoIterator<Item = P, IntoIter: Send>,
    {
        let in_parts = self.in_parts;
        self.makes.in_parts.store(in_parts, Relaxed);
        self.makes.strict.store(self.strict && in_parts, Relaxed);
        let text = self.written_as.and_then(Format::text).filter(|_| in_parts && self.scan.threads > 1);
        let in_parts = in_parts && self.makes.empty.wants(&FINDINGS);
        let mut file = 0u32;
        let prepare = |mut outcome: Outcome| {
            let made = outcome.made.take();
            if outcome.continues {
                let batch = made.and_then(|made| made.downcast::<Batch>().ok());
                let mut full: VecDeque<Batch> = batch.map(|batch| *batch).into_iter().collect();
                if !outcome.findings.is_empty() {
                    let mut part = self.makes.empty.only(&FINDINGS);
                    push_findings(&std::mem::take(&mut outcome.findings), &mut part);
                    full.extend(part.into_batches());
                }
                tell(&mut full, text);
                return (outcome, full, None);
            }
            let made = made.and_then(|made| made.downcast::<Made>().ok());
            let none =
                || Made { full: VecDeque::new(), sheets: self.makes.sheets(), facts: None, surveyed: None };
            let Made { mut full, mut sheets, facts, surveyed } = made.map_or_else(none, |made| *made);
            if self.strict && outcome.error.is_some() {
                full.clear();
                sheets.clear();
            }
            of_outcome(&outcome, facts, surveyed, &mut sheets);
            if !in_parts || outcome.findings.len() <= FINDINGS_AT_ONCE {
                push_findings(&std::mem::take(&mut outcome.findings), &mut sheets);
            }
            tell(full.iter_mut().chain(sheets.batches_mut()), text);
            (outcome, full, Some(sheets))
        };
        self.scan.run_with(paths, &prepare, &mut |made: (Outcome, VecDeque<Batch>, Option<Sheets>)| {
            let (outcome, full, last) = made;
            let path = path_text(&outcome.path);
            let member = outcome.member.as_deref();
            let mut pass = |mesh: &Mesh<'_>, sheets: &mut Sheets| {
                let rows = sheets.batches().iter().map(|batch| batch.rows() as u64);
                self.scan.progress.rows.fetch_add(rows.fold(0, u64::saturating_add), Relaxed);
                sink(mesh, sheets)
            };
            for batch in full {
                let mesh = Mesh { path: &path, member, file, error: None, continues: true };
                pass(&mesh, &mut Sheets::from_batches(vec![batch]))?;
            }
            let Some(mut sheets) = last else { return ControlFlow::Continue(()) };
            // The last of the findings come with the last rows of other tables.
            let mut findings = outcome.findings.as_slice();
            while findings.len() > FINDINGS_AT_ONCE {
                let (some, left) = findings.split_at(FINDINGS_AT_ONCE);
                findings = left;
                let mut part = self.makes.empty.only(&FINDINGS);
                push_findings(some, &mut part);
                pass(&Mesh { path: &path, member, file, error: None, continues: true }, &mut part)?;
            }
            push_findings(findings, &mut sheets);
            let mesh = Mesh { path: &path, member, file, error: outcome.error.as_ref(), continues: false };
            let flow = pass(&mesh, &mut sheets);
            file = file.saturating_add(1);
            self.makes.give_back(sheets);
            flow
        })
    }
}

/// Tells the rows of batches as text, in order, until it is much.
fn tell<'b>(batches: impl IntoIterator<Item = &'b mut Batch>, form: Option<Form>) {
    const MUCH: usize = 16 << 20;
    let Some(form) = form else { return };
    let mut told = 0_usize;
    for batch in batches {
        if told < MUCH {
            told = told.saturating_add(batch.tell(form));
        }
    }
}

/// The rows that come from the outcome of a mesh instead of the mesh.
fn of_outcome(outcome: &Outcome, facts: Option<Facts>, surveyed: Option<Surveyed>, out: &mut Sheets) {
    let mut out = Out::whole(out);
    if out.wants(&FILES) {
        let summary = outcome.summary.as_ref();
        let (status, counted, message) = match surveyed {
            Some(mut surveyed) => {
                // The map of a mesh is checked after the mesh.
                outcome
                    .findings
                    .iter()
                    .filter(|finding| finding.code == OTHER_MAP)
                    .for_each(|f| surveyed.take(f));
                let error = outcome.error.as_ref().map(|error| error.without_file().to_string());
                let status = match (error.is_some() || surveyed.fault, surveyed.counted) {
                    (true, _) => Status::Error,
                    (false, 0) => Status::Ok,
                    (false, _) => Status::Warning,
                };
                (status, surveyed.counted, error.or_else(|| surveyed.first.as_ref().map(ToString::to_string)))
            }
            None => (outcome.status(), outcome.counted, outcome.message()),
        };
        let name = outcome.member.as_deref().map_or(&*outcome.path, Path::new);
        let map = map_name(&own_name(name)).to_owned();
        let bounds = facts.and_then(|facts| facts.bounds);
        let family = outcome.kind.map(Kind::family);
        out.with([&FILES], |[sheet]| {
            sheet.push(FileRow {
                map: &map,
                family: family.map(|family| family.name()),
                form: summary.and(outcome.kind).map(Kind::form),
                game: summary.and_then(|summary| summary.game),
                version: summary.and_then(|summary| summary.version),
                subversion: summary.and_then(|summary| summary.subversion),
                bytes: outcome.bytes,
                status: status.name(),
                message: message.as_deref(),
                error_offset: outcome.error.as_ref().and_then(|error| error.position().offset),
                findings: u32::try_from(counted).unwrap_or(u32::MAX),
                node_count: facts.map(|facts| facts.nodes),
                link_count: facts.map(|facts| facts.links),
                unit: family.zip(facts).and_then(|(family, facts)| fill::unit(family, facts.metres)),
                up_axis: facts.map(|facts| facts.up),
                min_x: bounds.map(|bounds| bounds.min.x),
                min_y: bounds.map(|bounds| bounds.min.y),
                min_z: bounds.map(|bounds| bounds.min.z),
                max_x: bounds.map(|bounds| bounds.max.x),
                max_y: bounds.map(|bounds| bounds.max.y),
                max_z: bounds.map(|bounds| bounds.max.z),
            });
        });
    }
}

/// The rows of findings.
fn push_findings(findings: &[Finding], out: &mut Sheets) {
    Out::whole(out).with([&FINDINGS], |[sheet]| {
        for finding in findings {
            let place = |axis: usize| finding.place.map(|place| place[axis]);
            sheet.push(FindingRow {
                severity: finding.severity.name(),
                code: finding.code,
                record: finding.at.record.map(|(record, _)| record),
                record_index: finding.at.record.map(|(_, index)| index),
                record_id: finding.at.typed(),
                byte_offset: finding.at.offset,
                message: &finding.message,
                x: place(0),
                y: place(1),
                z: place(2),
            });
        }
    });
}

/// The name of a map: that of its file, without folders and extension.
pub(super) fn map_name(path: &str) -> &str {
    let name = path.rsplit(['/', '\\', '!']).next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_is_named_by_its_file() {
        assert_eq!(map_name("maps/de_dust2.nav"), "de_dust2");
        assert_eq!(map_name("pak.vpk!maps/cp_steel.nav"), "cp_steel");
        assert_eq!(map_name("a.zip!b.bsp!c.d.nav"), "c.d");
        assert_eq!((map_name(".nav"), map_name("x"), map_name("")), (".nav", "x", ""));
    }
}
