//! Scripts of differences, tried on a copy of the old mesh.

use super::changes::Changes;
use super::editor::{Editor, SessionOptions};
use super::session::Session;
use crate::error::Result;
use std::ops::ControlFlow;

impl Changes {
    /// Runs the commands on an editor of the old mesh. A command that is refused changes nothing.
    pub fn tried<E: Editor>(&self, copy: E) -> Session<E> {
        let mut session = Session::new(copy, SessionOptions::default());
        session.script(&self.to_string(), |_| ControlFlow::Continue(()));
        session
    }

    /// Says that other values differ, if nothing is said to be left and the commands make something else than the bytes `wanted`
    /// of the old mesh. So no difference is passed over, whatever it is.
    ///
    /// # Errors
    /// If the result cannot be written.
    pub fn proven<E: Editor>(mut self, copy: E, wanted: &[u8]) -> Result<Self> {
        if self.unreached.is_empty() && self.tried(copy).editor().encode()? != wanted {
            self.unreached.push(OTHERS.to_owned());
        }
        Ok(self)
    }
}

/// What differs, and has no name of its own.
pub const OTHERS: &str = "other values";
