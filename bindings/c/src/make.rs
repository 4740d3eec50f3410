//! Meshes that are computed: an analysis, and a mesh of a map alone.

use crate::door::{Text, User};
use crate::editor::{Editing, Editor};
use crate::error::Failure;
use crate::map::Map;
use crate::options::OpenOptions;
use crate::status::Status;
use crate::text::{lasting, utf8};
use crate::turned::Turned;
use navmap::error::Error;
use navmap::format::source::analyze::{self, Phase, Report, analyze};
use navmap::format::source::generate::{self, Game, Stage, generate};
use navmap::format::source::{KnownErrors, SourceBuf};
use navmap::open::{Mesh, OpenOptions as Opening};
use std::ffi::{c_char, c_void};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How often a callback hears of the progress.
const EVERY: Duration = Duration::from_millis(50);

/// `navmap_analyze_options.extent`: as the game does by default.
pub const NAVMAP_AS_GAME: u32 = 0;
/// `navmap_analyze_options.extent`: all of it.
pub const NAVMAP_FULL: u32 = 1;
/// `navmap_analyze_options.extent`: without encounter paths, as with `nav_quicksave 1`.
pub const NAVMAP_QUICK: u32 = 2;

/// How far a computation is. The text is never freed.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct ProgressView {
    /// `sizeof(navmap_progress)` of the library, which may be newer.
    pub size: u32,
    /// 0.
    pub zero: u32,
    /// The stage: `sample`, `areas` and so on while a mesh is generated, `hiding`, `visibility` and so on while it is analysed.
    pub stage: *const c_char,
    /// How much of the stage is done.
    pub done: u64,
    /// How much there is; 0 if nobody knows yet.
    pub total: u64,
}

/// Is called with the progress, on the thread that waits for the result: at once, and then about 20 times a second. The computation ends
/// if it answers with anything but 0. It must not throw.
pub type OnProgress = Option<extern "C" fn(progress: *const ProgressView, user: *mut c_void) -> i32>;

/// What an analysis does. Zeros are the defaults; `size` must be set, as `NAVMAP_INIT` does.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct AnalyzeOptions {
    /// `sizeof(navmap_analyze_options)`.
    pub size: u32,
    /// `NAVMAP_AS_GAME` and so on.
    pub extent: u32,
    /// The parts that are computed, with commas between: `hiding`, `approach`, `encounters`, `snipers`, `visibility`, `times`. NULL: all.
    pub only: Text,
    /// 1: the map may have another size than the mesh says.
    pub any_size: u32,
    /// Most steps, in millions, of which a second has some hundred. 0: as many as maps and meshes of their sizes take, several times over.
    pub million_steps: u32,
}
sized32!(AnalyzeOptions: size_of::<AnalyzeOptions>());

/// What is generated. Zeros are the defaults; `size` must be set, as `NAVMAP_INIT` does.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct GenerateOptions {
    /// `sizeof(navmap_generate_options)`.
    pub size: u32,
    /// Most nodes, of which a map of a game has less than 100,000. 0: 1,048,576. About 150 bytes each.
    pub most_nodes: u32,
    /// The game: `cz`, `css`, `csgo`, `tf2`, `gmod`. NULL: the one that the map tells, by where its teams begin.
    pub game: Text,
    /// 1: the mesh is not analysed.
    pub unanalysed: u32,
    /// Most steps of the analysis, as those of `navmap_analyze_options`.
    pub million_steps: u32,
}
sized32!(GenerateOptions: size_of::<GenerateOptions>());

/// Whoever hears of the progress, and can end it.
struct Watcher {
    each: OnProgress,
    user: User,
}

/// How far something is: the stage, what is done, and how much there is.
type State = (&'static str, u64, u64);

impl Watcher {
    /// Works on another thread while this one tells how far it is. `None` if the callback has stopped it.
    fn watch<T: Send>(
        &self,
        stop: &AtomicBool,
        state: impl Fn() -> State,
        work: impl FnOnce() -> Result<T, Error> + Send,
    ) -> Result<Option<T>, Failure> {
        let Some(each) = self.each else { return Ok(Some(work()?)) };
        let done = std::thread::scope(|scope| {
            let (working, ended) = channel::<()>();
            let worker = scope.spawn(move || {
                let _working = working;
                work()
            });
            loop {
                let view = view(state());
                if each(&raw const view, self.user.pointer()) != 0 {
                    stop.store(true, Relaxed);
                    break;
                }
                if ended.recv_timeout(EVERY) != Err(RecvTimeoutError::Timeout) {
                    break;
                }
            }
            worker.join().unwrap_or_else(|panic| resume_unwind(panic))
        });
        if stop.load(Relaxed) { Ok(None) } else { Ok(Some(done?)) }
    }

    /// Analyses a mesh. `None` if the callback has stopped it; the mesh is unchanged then.
    fn analyze(
        &self,
        mesh: &mut SourceBuf,
        map: Option<&Map>,
        options: analyze::AnalyzeOptions<'_>,
    ) -> Result<Option<Report>, Failure> {
        let progress = analyze::Progress::default();
        let options = analyze::AnalyzeOptions { progress: Some(&progress), ..options };
        let state = || {
            let phase = Phase::ALL.get(progress.phase.load(Relaxed) as usize);
            (
                phase.map_or("", |phase| phase.name()),
                progress.done.load(Relaxed),
                progress.total.load(Relaxed),
            )
        };
        let map = map.map(|map| &**map as &dyn analyze::Map);
        self.watch(&progress.stop, state, || analyze(mesh, &options, map))
    }

    /// Generates a mesh. `None` if the callback has stopped it.
    fn generate(
        &self,
        map: &Map,
        options: generate::GenerateOptions<'_>,
    ) -> Result<Option<(SourceBuf, generate::Report)>, Failure> {
        let progress = generate::Progress::default();
        let options = generate::GenerateOptions { progress: Some(&progress), ..options };
        let state = || {
            let stage = Stage::ALL.get(progress.stage.load(Relaxed) as usize);
            (
                stage.map_or("", |stage| stage.name()),
                progress.done.load(Relaxed),
                progress.total.load(Relaxed),
            )
        };
        self.watch(&progress.stop, state, || generate(&**map, &options))
    }
}

fn view((stage, done, total): State) -> ProgressView {
    ProgressView { size: size_of::<ProgressView>() as u32, zero: 0, stage: lasting(stage), done, total }
}

fn most_steps(millions: u32) -> Option<u64> {
    (millions != 0).then(|| u64::from(millions).saturating_mul(1_000_000))
}

impl AnalyzeOptions {
    fn analysis(&self, map: Option<&Map>) -> Result<analyze::AnalyzeOptions<'static>, Failure> {
        let full = match self.extent {
            NAVMAP_AS_GAME => None,
            NAVMAP_FULL | NAVMAP_QUICK => Some(self.extent == NAVMAP_FULL),
            _ => return Err(Failure::Bare(Status::Invalid, "how.extent")),
        };
        let phase = |name: &str| Phase::named(name.trim()).ok_or(Failure::Bare(Status::Invalid, "how.only"));
        let only = match self.only.get("how.only")? {
            None => Vec::new(),
            Some(names) => utf8(names, "how.only")?.split(',').map(phase).collect::<Result<_, _>>()?,
        };
        let spawns = map.map(|map| map.spawns()).transpose()?.unwrap_or_default();
        let most_steps = most_steps(self.million_steps);
        Ok(analyze::AnalyzeOptions { only, full, spawns, most_steps, ..analyze::AnalyzeOptions::default() })
    }

    /// Refuses a map that is not the one a mesh was made for.
    fn check(&self, map: &Map, mesh: &SourceBuf) -> Result<(), Failure> {
        let stored = u64::from(mesh.head.bsp_size);
        if stored != 0 && stored != map.bytes && self.any_size == 0 {
            let why = format!("the map has {} bytes, but the mesh was made for one of {stored}", map.bytes);
            return Err(Failure::text(Status::Invalid, &why));
        }
        Ok(map.check_engine(&mesh.head)?)
    }
}

impl GenerateOptions {
    fn generation(&self, map: &Map) -> Result<generate::GenerateOptions<'static>, Failure> {
        let game = match self.game.get("how.game")? {
            Some(name) => Game::named(utf8(name, "how.game")?),
            None => match map.games()[..] {
                [game] => Some(game),
                _ => {
                    return Err(Failure::text(
                        Status::Invalid,
                        "the map does not tell its game: how.game names it",
                    ));
                }
            },
        };
        let game = game.ok_or(Failure::Bare(Status::Invalid, "how.game"))?;
        map.check_game(game)?;
        let mut options = generate::GenerateOptions::new(game);
        options.seeds = map.seeds(game)?;
        options.ladders = map.ladders();
        options.expected_nodes = map.expected_nodes(None);
        if self.most_nodes != 0 {
            options.most_nodes = self.most_nodes;
        }
        Ok(options)
    }
}

/// The mesh of a file, which has to be one that can be analysed.
fn read(path: &Path, options: &Opening) -> Result<SourceBuf, Failure> {
    let mesh = Mesh::open_with(path, options)?;
    let Some(nav) = mesh.nav().as_view() else {
        let why = "no mesh of Source of version 1 to 16, which alone can be analysed";
        return Err(Error::invalid("mesh", why).in_file(path).into());
    };
    let own = SourceBuf::read(nav)?;
    mesh.intact()?;
    Ok(own)
}

/// An editor of a mesh that was made, unless the game would not bear what was not in it before.
fn editor(
    mesh: &SourceBuf,
    known: &KnownErrors,
    name: PathBuf,
    said: String,
    options: &Opening,
) -> Result<Editor, Failure> {
    if let Some(new) = known.first_new(mesh) {
        return Err(Error::invalid("the game would not bear this", new).in_file(name).into());
    }
    Ok(Turned::new(Editing::made(name, mesh.encode()?, said, options)?))
}

entries! {
    /// Computes what follows from a mesh of Source of version 1 to 16, as the game's `nav_analyze` does: hiding spots, encounter paths, who
    /// sees whom. `editor` gets the analysed mesh, to be saved or made a world; `navmap_editor_said` tells what was done. The file
    /// stays as it is. Without a `map`, which may be NULL, what needs one is kept as far as it still fits. `options`, `how` and `each` may be
    /// NULL. With `each`, it computes on another thread, and this one tells how far it is. It may take minutes of all cores.
    /// `NAVMAP_STOPPED` if the callback has stopped it.
    fn navmap_analyze(
        path: *const c_char, map: *const Map, options: *const OpenOptions, how: *const AnalyzeOptions,
        each: OnProgress, user: *mut c_void, editor: *mut *mut Editor; error
    ) {
        let (path, map, options) = (path.path()?, map.maybe()?, options.options()?.open()?);
        let (how, place) = (how.options()?, editor.handle_place()?);
        let watcher = Watcher { each, user: user.user() };
        let mut mesh = read(&path, &options)?;
        map.map_or(Ok(()), |map| how.check(map, &mesh))?;
        let known = KnownErrors::of(&mesh);
        let Some(report) = watcher.analyze(&mut mesh, map, how.analysis(map)?)? else {
            return Ok(Status::Stopped);
        };
        let said = map.and_then(|map| map.passed_through()).map(|line| line + "\n").unwrap_or_default();
        place.give(self::editor(&mesh, &known, path, said + &report.to_string(), &options)?);
        Ok(Status::Ok)
    }

    /// Makes a mesh of a map alone, as the game's `nav_generate` does, and analyses it. `editor` gets it, to be saved or made a world; `name` is
    /// what its errors call it. `how` and `each`, which may be NULL, and the rest as for `navmap_analyze`.
    fn navmap_generate(
        map: *const Map, name: *const c_char, how: *const GenerateOptions, each: OnProgress, user: *mut c_void,
        editor: *mut *mut Editor; error
    ) {
        let (map, name, how) = (map.handle()?, name.path()?, how.options()?);
        let place = editor.handle_place()?;
        let watcher = Watcher { each, user: user.user() };
        let Some((mut mesh, report)) = watcher.generate(map, how.generation(map)?)? else {
            return Ok(Status::Stopped);
        };
        mesh.head.bsp_size = u32::try_from(map.bytes).unwrap_or(u32::MAX);
        let mut said = report.to_string();
        if how.unanalysed == 0 {
            let spawns = map.spawns()?;
            let most_steps = most_steps(how.million_steps);
            let options = analyze::AnalyzeOptions { spawns, most_steps, ..analyze::AnalyzeOptions::default() };
            let Some(report) = watcher.analyze(&mut mesh, Some(map), options)? else {
                return Ok(Status::Stopped);
            };
            said = format!("{}\n{report}", said.trim_end());
        }
        place.give(self::editor(&mesh, &KnownErrors::default(), name, said, &Opening::new())?);
        Ok(Status::Ok)
    }
}
