//! What the findings of a toy mean.

use navmap_core::{Code, codes};

pub(super) const CODES: &[Code] = codes! {
    Warning "trailing-bytes":
        "Bytes follow the last point." =>
        "Cut them off.";
    Warning "same-place":
        "Two points that follow each other lie at one place." =>
        "Delete one of them.";
};
