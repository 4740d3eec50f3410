//! Slots whose files are watched.

use crate::swap::{folder, made};
use navmap::query::{Policy, Slot, Watch, WatchOptions};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// By the system's events, and by looking.
const WAYS: [Option<Duration>; 2] = [None, Some(Duration::from_millis(50))];

fn options(poll: Option<Duration>) -> WatchOptions {
    let quick = WatchOptions::default().with_settle(Duration::from_millis(30));
    quick.with_retry(Duration::from_millis(60)).with_poll(poll)
}

fn name(what: &str, poll: Option<Duration>) -> String {
    format!("{what}-{}", if poll.is_some() { "poll" } else { "events" })
}

/// Waits until a slot is as it should be.
fn until(slot: &Slot, what: &str, done: impl Fn(&Slot) -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !done(slot) {
        assert!(Instant::now() < end, "{what} never came; {:?}", slot.last_failure());
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_watched_file_is_loaded_again_when_it_is_replaced_or_written() {
    for poll in WAYS {
        let folder = folder(&name("file", poll));
        let path = folder.join("map.nav");
        fs::write(&path, made(5)).unwrap();
        let slot = Arc::new(Slot::open(&path, Policy::default()).unwrap());
        let (told, heard) = std::sync::mpsc::channel();
        let watch = Watch::start(Arc::clone(&slot), &path, options(poll), move |result| {
            let _ = told.send(result.is_ok());
        });
        let watch = watch.unwrap();
        let until = |count: usize| {
            until(&slot, &format!("{count} areas"), |slot| slot.load().index().len() == count);
        };
        // Renamed over it, twice: a watch on the file itself would have gone blind.
        for count in [60, 17] {
            fs::write(folder.join("new"), made(count)).unwrap();
            fs::rename(folder.join("new"), &path).unwrap();
            until(count as usize);
        }
        // Written in place, after something that is no mesh.
        fs::write(&path, b"nothing").unwrap();
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(slot.load().index().len(), 17);
        fs::write(&path, made(130)).unwrap();
        until(130);
        assert!(heard.try_iter().any(|ok| ok));
        drop(watch);
        fs::remove_dir_all(folder).unwrap();
    }
}

#[cfg(feature = "archive")]
#[test]
fn a_watched_folder_is_loaded_again_when_a_tile_comes_or_goes_or_the_folder_is_another() {
    let set = navmap_testkit::corpus::bundled().join("fox/set");
    let tile = |x: u32| format!("plain_{x}_101_nav.nav2");
    let put = |x: u32, folder: &Path| {
        fs::create_dir_all(folder).unwrap();
        fs::copy(set.join(tile(x)), folder.join(tile(x))).unwrap();
    };
    for poll in WAYS {
        let folder = folder(&name("folder", poll));
        let (tiles, next) = (folder.join("tiles"), folder.join("next"));
        put(101, &tiles.join("below"));
        put(102, &tiles);
        let slot = Arc::new(Slot::open(&tiles, Policy::default()).unwrap());
        let few = slot.load().index().len();
        let watch = Watch::start(Arc::clone(&slot), &tiles, options(poll), |_| {}).unwrap();
        let more = |what: &str| until(&slot, what, |slot| slot.load().index().len() > few);
        let fewer = |what: &str| until(&slot, what, |slot| slot.load().index().len() == few);
        put(103, &tiles.join("below"));
        more("a tile in the folder below");
        fs::remove_file(tiles.join("below").join(tile(103))).unwrap();
        fewer("what is left without it");
        put(103, &tiles.join("new"));
        more("a tile in a new folder");
        // Another folder takes the place of this one, and is watched from then on.
        (101..=102).for_each(|x| put(x, &next));
        fs::rename(&tiles, folder.join("old")).unwrap();
        fs::rename(&next, &tiles).unwrap();
        fewer("another folder");
        put(103, &tiles);
        more("a tile in the other folder");
        drop(watch);
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn times_that_the_clock_does_not_reach_are_waited_for_and_none_is_no_wait() {
    let folder = folder("times");
    let path = folder.join("map.nav");
    let (never, none) = (Duration::MAX, Duration::ZERO);
    let usual = options(None);
    for options in [
        usual.with_poll(Some(never)),
        usual.with_poll(Some(none)),
        usual.with_settle(never),
        usual.with_settle(none).with_retry(none),
        usual.with_retry(never),
    ] {
        fs::write(&path, made(5)).unwrap();
        let slot = Arc::new(Slot::open(&path, Policy::default()).unwrap());
        let watch = Watch::start(Arc::clone(&slot), &path, options, |_| {}).unwrap();
        fs::write(&path, b"nothing").unwrap();
        std::thread::sleep(Duration::from_millis(200));
        // Its thread has not ended.
        assert_eq!(Arc::strong_count(&slot), 2, "{options:?}");
        fs::write(&path, made(17)).unwrap();
        if options.settle != never && options.poll != Some(never) {
            until(&slot, &format!("{options:?}"), |slot| slot.load().index().len() == 17);
        }
        drop(watch);
    }
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(feature = "archive")]
#[test]
fn any_of_several_watched_files_reloads_the_slot() {
    use navmap::query::World;
    let order = navmap_testkit::corpus::bundled().join("skyrim/order");
    for poll in WAYS {
        let folder = folder(&name("order", poll));
        let plugins = ["Base.esm", "Patch.esp"].map(|name| {
            fs::copy(order.join(name), folder.join(name)).unwrap();
            folder.join(name)
        });
        let read = plugins.clone();
        let slot = Slot::with(move || World::open_order(read.clone(), &Policy::default()));
        let slot = Arc::new(slot.unwrap());
        let watch = Watch::start_many(Arc::clone(&slot), &plugins, options(poll), |_| {}).unwrap();
        for path in &plugins {
            let before = slot.load().generation();
            let bytes = fs::read(path).unwrap();
            fs::write(folder.join("new"), bytes).unwrap();
            fs::rename(folder.join("new"), path).unwrap();
            until(&slot, "another generation", |slot| slot.load().generation() > before);
        }
        drop(watch);
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn what_cannot_be_watched_is_an_error() {
    use navmap::query::World;
    let slot = Slot::with(|| World::from_bytes("a.nav", made(5), &Policy::default()));
    let slot = Arc::new(slot.unwrap());
    let start = |paths: &[&str]| {
        let watch = Watch::start_many(Arc::clone(&slot), paths, WatchOptions::default(), |_| {});
        watch.map(drop).unwrap_err().to_string()
    };
    assert!(start(&["nowhere/at/all.nav"]).starts_with("nowhere/at/all.nav: "));
    assert_eq!(start(&[]), "watch: has no path");
    // What an opener without archives cannot read is not watched in silence.
    #[cfg(not(feature = "archive"))]
    assert!(start(&["."]).contains("archive"));
}
