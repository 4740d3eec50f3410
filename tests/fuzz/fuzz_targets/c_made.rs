//! What a server makes of a file through the door of C: findings, differences, pictures, analyses, meshes of maps, worlds of tiles.
//! No panic, nothing written behind a buffer, arrays as long as they were said to be, tiles that leave a world as it was.
#![no_main]

mod dice;

use dice::{Dice, Watched};
use navmap_c::*;
use navmap_testkit::temp::Temp;
use navmap_testkit::{detour, fox};
use std::ffi::{CStr, CString, c_char, c_void};
use std::path::PathBuf;
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

/// Damage may open a map to the void, which has no end.
const MOST_NODES: u32 = 400;

thread_local! {
    /// Seeds are run on every core, so each thread has files of its own.
    static FOLDER: Temp = Temp::new("c_made");
}

/// A file that is there as long as this.
struct File(PathBuf, CString);

impl File {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = FOLDER.with(|folder| folder.file(name, bytes));
        let text = CString::new(path.to_str().expect("a name of letters")).expect("without a NUL");
        Self(path, text)
    }

    fn path(&self) -> *const c_char {
        self.1.as_ptr()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// What no call may answer that is asked with handles of its own.
fn sound(status: Status) -> Status {
    let never = [Status::Panic, Status::Busy, Status::BadHandle, Status::OtherWorld, Status::Null];
    assert!(!never.contains(&status), "{status:?}");
    status
}

/// Frees the error that goes with a failure.
///
/// # Safety
/// The error is NULL or was given out.
unsafe fn told(status: Status, error: *mut Error) -> Status {
    // SAFETY: as above.
    unsafe {
        assert_eq!(error.is_null(), (status as u32) < 16, "{status:?}");
        if !error.is_null() {
            assert_eq!(navmap_error_status(error), status);
            assert!(!CStr::from_ptr(navmap_error_message(error)).is_empty());
            navmap_error_free(error);
        }
    }
    sound(status)
}

/// Ends what it is told of after some calls, or never.
extern "C" fn after(_: *const ProgressView, left: *mut c_void) -> i32 {
    // SAFETY: it is the number that went in.
    let left = unsafe { &mut *left.cast::<u32>() };
    *left = left.wrapping_sub(1);
    i32::from(*left == 0)
}

/// # Safety
/// The path is a text.
unsafe fn findings(dice: &mut Dice, path: *const c_char, options: *const OpenOptions) {
    let (mut findings, mut error) = (null_mut(), null_mut());
    // SAFETY: every pointer is NULL or leads to as many values as its count says; handles are given back once.
    unsafe {
        let most = dice.below(5);
        let status = navmap_findings_open(path, options, most, &raw mut findings, &raw mut error);
        if told(status, error) != Status::Ok {
            return assert!(findings.is_null());
        }
        let mut totals =
            FindingTotals { size: size_of::<FindingTotals>() as u32, kept: 0, by_severity: [0; 4] };
        assert_eq!(navmap_findings_count(findings, &raw mut totals), Status::Ok);
        let all: u64 = totals.by_severity.iter().sum();
        assert!(u64::from(totals.kept) <= all && (most == 0 || totals.kept <= most));
        let (first, room, mut count) = (dice.below(6), dice.below(6), 0u32);
        let mut out = vec![std::mem::zeroed::<Found>(); room as usize];
        let status = navmap_findings_get(findings, first, out.as_mut_ptr(), room, &raw mut count);
        assert_eq!(count, totals.kept.saturating_sub(first));
        assert_eq!(status, if count > room { Status::Truncated } else { Status::Ok });
        for found in &out[..count.min(room) as usize] {
            assert!(found.severity < 4 && !CStr::from_ptr(found.code).is_empty());
        }
        let mut text = Watched::new(7 as c_char, dice.below(200));
        let room = text.0.len() as u32 - 1;
        let status = navmap_findings_text(findings, first, text.0.as_mut_ptr(), room, &raw mut count);
        assert_eq!(status == Status::Nothing, first >= totals.kept);
        text.held(sound(status), count);
        assert_eq!(navmap_findings_free(findings), Status::Ok);
    }
}

/// # Safety
/// The paths are texts.
unsafe fn difference(
    dice: &mut Dice,
    before: *const c_char,
    after: *const c_char,
    options: *const OpenOptions,
) {
    let (mut diff, mut error) = (null_mut(), null_mut());
    // SAFETY: as above.
    unsafe {
        let (flags, most) = (dice.below(5), dice.below(9));
        let status = navmap_diff_open(before, after, options, flags, most, &raw mut diff, &raw mut error);
        if told(status, error) != Status::Ok {
            return assert!(diff.is_null());
        }
        let mut totals = DiffTotals { size: size_of::<DiffTotals>() as u32, ..DiffTotals::default() };
        assert_eq!(navmap_diff_count(diff, &raw mut totals), Status::Ok);
        assert!(u64::from(totals.kept) <= totals.changes && (most == 0 || totals.kept <= most));
        if before == after {
            assert!(totals.same_bytes == 1 && totals.changes == 0, "a file differs from itself");
        }
        let (first, room, mut count) = (dice.below(9), dice.below(9), 0u32);
        let mut out = Watched::new(std::mem::zeroed::<Change88>(), room);
        let status = navmap_diff_get(diff, first, out.0.as_mut_ptr(), room, &raw mut count);
        out.held(status, count);
        assert_eq!(count, totals.kept.saturating_sub(first));
        let at = if dice.below(4) == 0 { NAVMAP_NONE } else { first };
        let mut text = Watched::new(7 as c_char, dice.below(200));
        let room = text.0.len() as u32 - 1;
        let status = navmap_diff_text(diff, at, text.0.as_mut_ptr(), room, &raw mut count);
        text.held(sound(status), count);
        assert_eq!(navmap_diff_free(diff), Status::Ok);
    }
}

/// # Safety
/// The path is a text.
unsafe fn picture(dice: &mut Dice, path: *const c_char, options: *const OpenOptions) {
    // SAFETY: as above.
    unsafe {
        let name = |dice: &mut Dice, names: &[&'static CStr]| {
            let at = dice.below(names.len() as u32 + 1) as usize;
            names.get(at).map_or(null(), |name| name.as_ptr())
        };
        let colour = name(dice, &[c"place", c"island", c"flags", c"group", c"plain", c"crouch,jump", c""]);
        let layers = name(dice, &[c"all", c"none", c"links,spots", c"grid, ceilings", c"names,ids", c",,"]);
        let title = name(dice, &[c"", c"<&>", c"\xff"]);
        let mut how = DrawOptions {
            size: size_of::<DrawOptions>() as u32,
            flags: dice.below(9),
            width: 64 + dice.below(200),
            height: dice.below(2) * 100,
            low: if dice.below(3) == 0 { dice.float(-300.0, 300.0) } else { 0.0 },
            high: if dice.below(3) == 0 { dice.float(-300.0, 300.0) } else { 0.0 },
            ..std::mem::zeroed()
        };
        // A text in a struct is a pointer that only a caller sets.
        (&raw mut how.colour).cast::<*const c_char>().write(colour);
        (&raw mut how.layers).cast::<*const c_char>().write(layers);
        (&raw mut how.title).cast::<*const c_char>().write(title);
        if dice.below(4) == 0 {
            how.part = [0; 4].map(|_| dice.float(-500.0, 500.0));
        }
        let (room, mut count, mut error) = (dice.below(3) * 900, 0u32, null_mut());
        let mut out = Watched::new(7u8, room);
        let how = dice.or_null(&raw const how);
        let status =
            navmap_draw(path, options, how, out.0.as_mut_ptr(), room, &raw mut count, &raw mut error);
        out.held(told(status, error), count);
    }
}

/// What was made can be written, and is a world.
///
/// # Safety
/// The editor was given out.
unsafe fn made(dice: &mut Dice, editor: *mut Editor) {
    let (mut world, mut error, mut count) = (null_mut(), null_mut(), 0u32);
    // SAFETY: as above.
    unsafe {
        let mut said = Watched::new(7 as c_char, dice.below(300));
        let room = said.0.len() as u32 - 1;
        let status = navmap_editor_said(editor, said.0.as_mut_ptr(), room, &raw mut count);
        said.held(sound(status), count);
        let open = OpenOptions {
            size: size_of::<OpenOptions>() as u32,
            refuse: NAVMAP_REFUSE_NOTHING,
            ..std::mem::zeroed()
        };
        let status = navmap_editor_world(
            editor,
            c"made.nav".as_ptr(),
            &raw const open,
            &raw mut world,
            &raw mut error,
        );
        assert_eq!(told(status, error), Status::Ok, "what was made is a mesh");
        assert_eq!(navmap_world_free(world), Status::Ok);
        assert_eq!(navmap_editor_free(editor), Status::Ok);
    }
}

/// # Safety
/// The path is a text, the map NULL or alive.
unsafe fn analysis(dice: &mut Dice, path: *const c_char, map: *const Map, options: *const OpenOptions) {
    let (mut editor, mut error, mut left) = (null_mut(), null_mut(), dice.below(3));
    // SAFETY: as above; the number outlives the call.
    unsafe {
        let mut how = AnalyzeOptions {
            size: size_of::<AnalyzeOptions>() as u32,
            extent: dice.below(4),
            any_size: dice.below(2),
            ..std::mem::zeroed()
        };
        let only = [c"hiding", c"encounters,visibility", c"approach, snipers", c"times", c"else"];
        if let Some(only) = only.get(dice.below(9) as usize) {
            (&raw mut how.only).cast::<*const c_char>().write(only.as_ptr());
        }
        let each: OnProgress = if dice.below(2) == 0 { None } else { Some(after) };
        let user = (&raw mut left).cast();
        let how = dice.or_null(&raw const how);
        let status = navmap_analyze(path, map, options, how, each, user, &raw mut editor, &raw mut error);
        match told(status, error) {
            Status::Ok => made(dice, editor),
            _ => assert!(editor.is_null()),
        }
    }
}

/// # Safety
/// The path is a text.
unsafe fn generation(dice: &mut Dice, path: *const c_char, options: *const OpenOptions) {
    let (mut map, mut editor, mut error, mut left) = (null_mut(), null_mut(), null_mut(), dice.below(3));
    // SAFETY: as above.
    unsafe {
        let status = navmap_map_open(path, options, &raw mut map, &raw mut error);
        if told(status, error) != Status::Ok {
            return assert!(map.is_null());
        }
        error = null_mut();
        let mut how = GenerateOptions {
            size: size_of::<GenerateOptions>() as u32,
            most_nodes: 1 + dice.below(MOST_NODES),
            unanalysed: dice.below(2),
            ..std::mem::zeroed()
        };
        let games = [c"cz", c"css", c"csgo", c"tf2", c"gmod", c"chess"];
        if let Some(game) = games.get(dice.below(8) as usize) {
            (&raw mut how.game).cast::<*const c_char>().write(game.as_ptr());
        }
        let each: OnProgress = if dice.below(2) == 0 { None } else { Some(after) };
        let user = (&raw mut left).cast();
        let how = &raw const how;
        let status =
            navmap_generate(map, c"made.nav".as_ptr(), how, each, user, &raw mut editor, &raw mut error);
        match told(status, error) {
            Status::Ok => made(dice, editor),
            _ => assert!(editor.is_null()),
        }
        // A map that was made for none of the areas there is tells that, or is taken.
        let small = File::new("small.nav", include_bytes!("../../../corpus/source/v5.nav"));
        analysis(dice, small.path(), map, options);
        assert_eq!(navmap_map_free(map), Status::Ok);
    }
}

/// A map of four tiles without the last: its name, and the files of the others.
type Torn = (CString, Vec<(CString, Vec<u8>)>);

fn maps() -> &'static [Torn; 2] {
    static MAPS: OnceLock<[Torn; 2]> = OnceLock::new();
    MAPS.get_or_init(|| {
        let map = fox::Map { cells: 2, ..fox::Map::square(2) };
        [map.tiles().flat_map(|tile| tile.files).collect(), detour::server_map(2, 2)].map(
            |files: Vec<(String, Vec<u8>)>| {
                let named = |(name, bytes)| (CString::new::<String>(name).expect("a name"), bytes);
                let mut files: Vec<_> = files.into_iter().map(named).collect();
                let (last, _) = files.pop().expect("four tiles");
                (last, files)
            },
        )
    })
}

/// # Safety
/// It is alive.
unsafe fn size(world: *const World) -> u32 {
    let mut count = 0;
    // SAFETY: as above.
    assert_eq!(unsafe { navmap_world_area_count(world, &raw mut count) }, Status::Ok);
    count
}

/// The input joins a sound map as a tile of it and leaves again, and is one of the tiles of another.
///
/// # Safety
/// The options are NULL or options.
unsafe fn tiles(dice: &mut Dice, bytes: &[u8], options: *const OpenOptions) {
    let (last, files) = &maps()[dice.below(2) as usize];
    let (mut world, mut joined, mut left, mut error) = (null_mut(), null_mut(), null_mut(), null_mut());
    // SAFETY: as above.
    unsafe {
        let tile = |name: &CString, bytes: &[u8]| {
            let mut tile: Tile = std::mem::zeroed();
            (&raw mut tile.name).cast::<*const c_char>().write(name.as_ptr());
            (&raw mut tile.bytes).cast::<*const u8>().write(bytes.as_ptr());
            tile.len = bytes.len() as u64;
            tile
        };
        let mut all: Vec<Tile> = files.iter().map(|(name, bytes)| tile(name, bytes)).collect();
        let count = all.len() as u32;
        let made = navmap_world_from_tiles(all.as_ptr(), count, null(), &raw mut world, &raw mut error);
        assert_eq!(told(made, error), Status::Ok, "a sound map");
        let (name, data, len) = (last.as_ptr(), bytes.as_ptr(), bytes.len() as u64);
        let with = navmap_world_with_tile(world, name, data, len, options, &raw mut joined, &raw mut error);
        if told(with, error) == Status::Ok {
            let (mut tiles, mut of_name) = (0u32, Watched::new(7 as c_char, dice.below(60)));
            assert_eq!(navmap_world_tile_count(joined, &raw mut tiles), Status::Ok);
            assert!(tiles == count + 1 && size(joined) >= size(world));
            let (at, room, mut len) = (dice.below(7), of_name.0.len() as u32 - 1, 0u32);
            let named = navmap_world_tile(joined, at, of_name.0.as_mut_ptr(), room, &raw mut len);
            assert_eq!(named == Status::Nothing, at >= tiles);
            of_name.held(sound(named), len);
            error = null_mut();
            let gone = navmap_world_without_tile(joined, name, null(), &raw mut left, &raw mut error);
            assert_eq!(told(gone, error), Status::Ok);
            assert_eq!(size(left), size(world), "a tile took others along");
            assert_eq!(navmap_world_free(left), Status::Ok);
            assert_eq!(navmap_world_free(joined), Status::Ok);
        }
        assert_eq!(navmap_world_free(world), Status::Ok);
        // As one of its files.
        (world, error) = (null_mut(), null_mut());
        all.push(tile(last, bytes));
        let count = all.len() as u32;
        let made = navmap_world_from_tiles(all.as_ptr(), count, options, &raw mut world, &raw mut error);
        if told(made, error) == Status::Ok {
            assert_eq!(navmap_world_free(world), Status::Ok);
        }
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut dice = Dice::of(bytes);
    let file = File::new("before", bytes);
    let mut changed = bytes.to_vec();
    if let Some(byte) = changed.get_mut((dice.next() % bytes.len().max(1) as u64) as usize) {
        *byte ^= 1 << dice.below(8);
    }
    let other = File::new("after", &changed);
    // SAFETY: paths and options outlive the calls, and are what they say.
    unsafe {
        let options = OpenOptions {
            size: size_of::<OpenOptions>() as u32,
            refuse: dice.below(3),
            ..std::mem::zeroed()
        };
        let options = dice.or_null(&raw const options);
        findings(&mut dice, file.path(), options);
        let (before, after) = (file.path(), if dice.below(4) == 0 { file.path() } else { other.path() });
        difference(&mut dice, before, after, options);
        picture(&mut dice, file.path(), options);
        analysis(&mut dice, file.path(), null(), options);
        if [&b"VBSP"[..], b"\x1e\0\0\0"].iter().any(|magic| bytes.starts_with(magic)) {
            generation(&mut dice, file.path(), options);
        }
        if dice.below(4) == 0 || bytes.len() < 4096 {
            tiles(&mut dice, bytes, options);
        }
    }
});
