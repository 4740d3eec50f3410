//! What keys mean at every prompt.

use rustyline::history::History;
use rustyline::{
    Cmd, ConditionalEventHandler, Editor, Event, EventContext, EventHandler, Helper, KeyEvent, Movement,
    RepeatCount,
};

/// Lets Ctrl-C clear a line that is being typed. On an empty line it interrupts.
pub(super) fn cancels<H: Helper, I: History>(lines: &mut Editor<H, I>) {
    lines.bind_sequence(KeyEvent::ctrl('C'), EventHandler::Conditional(Box::new(Cancel)));
}

struct Cancel;

impl ConditionalEventHandler for Cancel {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext<'_>) -> Option<Cmd> {
        Some(if context.line().is_empty() { Cmd::Interrupt } else { Cmd::Kill(Movement::WholeLine) })
    }
}
