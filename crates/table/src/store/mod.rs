//! Tables in a folder: written whole, or in parts that are brought up to date.

mod files;
mod folder;
mod ledger;
mod update;

pub use files::{FolderWriter, Written};
pub use folder::{Store, check_folder};
pub use update::{Snapshot, Updated, update};
