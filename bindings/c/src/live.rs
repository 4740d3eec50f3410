//! The handles that are alive. Only a debug build records them: a freed handle then gives a status instead of a crash.

use crate::error::Failure;
use crate::status::Status;
use navmap::threads::locked;
use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard};

/// What is kept of a freed handle.
pub(crate) type Keep = Box<dyn Any + Send>;

/// Freed memory that is kept, so that no new handle gets the address of an old one.
const KEPT: usize = 1024;

struct Account {
    /// What lies at an address, and how many references to it are out.
    live: HashMap<usize, (&'static str, u32)>,
    kept: VecDeque<Keep>,
}

fn account() -> MutexGuard<'static, Option<Account>> {
    static ACCOUNT: Mutex<Option<Account>> = Mutex::new(None);
    locked(&ACCOUNT)
}

/// Notes a reference that goes out.
pub(crate) fn born(address: usize, kind: &'static str) {
    if cfg!(debug_assertions) {
        let mut account = account();
        let account = account.get_or_insert_with(|| Account { live: HashMap::new(), kept: VecDeque::new() });
        let entry = account.live.entry(address).or_insert((kind, 0));
        *entry = (kind, entry.1.saturating_add(1));
    }
}

/// Whether a handle of this kind is there.
#[inline]
pub(crate) fn known(address: usize, kind: &'static str, name: &'static str) -> Result<(), Failure> {
    if cfg!(debug_assertions) {
        let account = account();
        let found = account.as_ref().and_then(|account| account.live.get(&address));
        if found.is_none_or(|(found, _)| *found != kind) {
            return Err(Failure::Bare(Status::BadHandle, name));
        }
    }
    Ok(())
}

/// Notes that a reference came back.
pub(crate) fn gone(address: usize, kind: &'static str, name: &'static str) -> Result<(), Failure> {
    known(address, kind, name)?;
    if cfg!(debug_assertions)
        && let Some(account) = account().as_mut()
        && let Some((_, count)) = account.live.get_mut(&address)
    {
        *count = count.saturating_sub(1);
        if *count == 0 {
            account.live.remove(&address);
        }
    }
    Ok(())
}

/// Keeps what is left of a freed handle for a while.
pub(crate) fn keep(rest: impl FnOnce() -> Keep) {
    if cfg!(debug_assertions) {
        let rest = rest();
        let old = match account().as_mut() {
            Some(account) => {
                account.kept.push_back(rest);
                (account.kept.len() > KEPT).then(|| account.kept.pop_front())
            }
            None => None,
        };
        drop(old);
    }
}
