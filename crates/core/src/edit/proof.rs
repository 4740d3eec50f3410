//! Scripts of differences, tried on a copy of the old mesh.

use super::changes::Changes;
use super::editor::Editor;
use super::outcome::SessionOptions;
use super::session::Session;
use crate::error::Result;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

impl Changes {
    /// Runs the commands on an editor of the old mesh. A command that is refused changes nothing: it becomes one of those that are
    /// left, with the reason.
    pub fn tried<E: Editor>(&mut self, copy: E) -> Session<E> {
        let mut session = Session::new(copy, SessionOptions::default());
        let (text, mut refused) = (self.to_string(), BTreeMap::new());
        session.script(&text, |fared| {
            let refusal = fared.err().and_then(|refusal| Some((refusal.spot()?.line, refusal)));
            refused.extend(refusal);
            ControlFlow::Continue(())
        });
        // A step is a line, unless a family spells it otherwise.
        if !refused.is_empty() && text.lines().count() == self.steps.len() {
            let mut numbers = 1_u32..;
            self.steps.retain(|_| numbers.next().is_some_and(|line| !refused.contains_key(&line)));
            let lines = (1_u32..).zip(text.lines());
            let whys = lines.filter_map(|(at, line)| Some(format!("{line}: {}", refused.get(&at)?.why())));
            self.unreached.extend(whys);
        }
        session
    }

    /// Says that other values differ, if nothing is said to be left and the commands make something else than the bytes `wanted`
    /// of the old mesh. So no difference is passed over, whatever it is.
    ///
    /// # Errors
    /// If the result cannot be written.
    pub fn proven<E: Editor>(mut self, copy: E, wanted: &[u8]) -> Result<Self> {
        let session = self.tried(copy);
        if self.unreached.is_empty() && session.editor().encode()? != wanted {
            self.unreached.push(OTHERS.to_owned());
        }
        Ok(self)
    }
}

/// What differs, and has no name of its own.
pub const OTHERS: &str = "other values";
