//! What a check finds in a mesh after its edits and did not find before: a bot or a game may refuse that.

use crate::out::say;
use navmap::bytes::Scratch;
use navmap::format::{AnyNav, NavFile, ParseOptions};
use navmap::open::Mesh;
use navmap::{Finding, Severity};
use std::collections::BTreeMap;

/// The mesh as it was. It has to go before it is written over: some systems do not replace a file that is mapped.
pub(super) struct Before(Mesh, ParseOptions);

type Counts = BTreeMap<(Severity, &'static str), u64>;

impl Before {
    pub(super) fn new(mesh: Mesh, options: ParseOptions) -> Self {
        Self(mesh, options)
    }

    /// Says of which warnings and errors there are more than before.
    pub(super) fn tell(self, bytes: &[u8]) {
        // What was written just now can be read; if not, whoever reads it says so.
        let Ok(nav) = AnyNav::of_kind(self.0.kind(), bytes, &self.1) else { return };
        let now = counts(&nav);
        if now.is_empty() {
            return;
        }
        let before = counts(self.0.nav());
        let more = |((severity, code), now): (&(Severity, &'static str), &u64)| {
            let more = now.saturating_sub(before.get(&(*severity, *code)).copied().unwrap_or(0));
            (more > 0).then(|| format!("{code} ({severity}, {more} more)"))
        };
        let more: Vec<String> = now.iter().rev().filter_map(more).collect();
        if !more.is_empty() {
            let what = more.join(", ");
            say(format_args!("navmap: the mesh has findings that it did not have before: {what}"));
        }
    }
}

/// How many warnings and errors of each code a mesh has.
fn counts(nav: &AnyNav<'_>) -> Counts {
    let mut counts = Counts::new();
    let mut count = |finding: Finding| {
        if finding.severity.counts() {
            *counts.entry((finding.severity, finding.code)).or_default() += 1;
        }
    };
    // A damaged mesh is checked up to the damage.
    let _ = nav.check(&mut Scratch::new(), &mut count);
    counts
}
