//! Tests sessions with the smallest possible family: numbered cells, each with a value.

use super::*;
use crate::error::Result as MeshResult;

thread_local! {
    /// How many names were asked for.
    static NAMED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

impl From<usize> for AnyKey {
    fn from(at: usize) -> Self {
        Self([0, at as u32])
    }
}

impl From<AnyKey> for usize {
    fn from(AnyKey([_, at]): AnyKey) -> Self {
        at as Self
    }
}

/// Numbered cells, which may be removed. A change holds the overwritten values.
#[derive(Debug, Default)]
struct Cells {
    values: Vec<Option<i32>>,
    change: Vec<(usize, Option<i32>)>,
}

impl Cells {
    fn put(&mut self, at: usize, value: Option<i32>) {
        if at == self.values.len() {
            self.values.push(None);
        }
        self.change.push((at, std::mem::replace(&mut self.values[at], value)));
    }

    fn cells(&self, command: &mut Command<'_>, scope: &mut Scope<usize>) -> Result<Vec<usize>, Refusal> {
        let cells = match command.take() {
            Some(word) => scope.select(self, &word)?,
            None => scope.selection.items(),
        };
        command.finish().map(|()| cells)
    }

    fn set(&mut self, command: &mut Command<'_>, scope: &mut Scope<usize>) -> Result<(), Refusal> {
        let value = command.number("a value")? as i32;
        for at in self.cells(command, scope)? {
            if self.values[at] == Some(99) {
                return Err(Refusal::new(format!("{} is fixed", self.name(at))));
            }
            self.put(at, Some(value));
        }
        scope.selection.clear();
        Ok(())
    }

    fn remove(&mut self, command: &mut Command<'_>, scope: &mut Scope<usize>) -> Result<(), Refusal> {
        self.cells(command, scope)?.into_iter().for_each(|at| self.put(at, None));
        Ok(())
    }

    fn add(&mut self, command: &mut Command<'_>, scope: &mut Scope<usize>) -> Result<(), Refusal> {
        // It looks for no other words: the session does.
        let value = command.number("a value")? as i32;
        let at = self.values.len();
        self.put(at, Some(value));
        scope.made(at);
        Ok(())
    }
}

impl Editor for Cells {
    type Key = usize;
    type Change = Vec<(usize, Option<i32>)>;

    const VERBS: &'static [(Verb, Apply<Self>)] = &[
        (verb("set", "VALUE [SELECTOR]", "gives cells a value"), Self::set),
        (verb("drop", "SELECTOR", "removes cells"), Self::remove),
        (verb("add", "VALUE", "makes a cell"), Self::add),
    ];

    fn take_change(&mut self) -> Option<Self::Change> {
        (!self.change.is_empty()).then(|| std::mem::take(&mut self.change))
    }

    fn weight(change: &Self::Change) -> u64 {
        change.len() as u64
    }

    fn swap(&mut self, change: &mut Self::Change) {
        for (at, value) in change.iter_mut().rev() {
            std::mem::swap(&mut self.values[*at], value);
        }
        change.reverse();
    }

    fn all(&self) -> Vec<usize> {
        (0..self.values.len()).filter(|at| self.values[*at].is_some()).collect()
    }

    fn find(&self, space: &str, id: &str) -> Option<usize> {
        let at = id.parse().ok().filter(|_| space.is_empty())?;
        self.values.get(at).copied().flatten().map(|_| at)
    }

    fn name(&self, key: usize) -> String {
        NAMED.with(|named| named.set(named.get() + 1));
        format!("#{key}")
    }

    fn footprint(&self, key: usize) -> Option<String> {
        self.values.get(key)?.map(|value| value.to_string())
    }

    fn find_footprint(&self, _: &str, footprint: &str) -> Option<usize> {
        let value = footprint.parse().ok()?;
        self.values.iter().position(|other| *other == Some(value))
    }

    fn select(&self, atom: &Atom<'_>) -> Result<Vec<usize>, Refusal> {
        match atom {
            Atom::Name { name: "even", .. } => {
                Ok(self.all().into_iter().filter(|at| at.is_multiple_of(2)).collect())
            }
            _ => Err(Refusal::new("no such name")),
        }
    }

    fn encode(&self) -> MeshResult<Vec<u8>> {
        Ok(format!("{:?}", self.values).into_bytes())
    }

    fn report(&self) -> Report {
        Report::default()
    }
}

fn session() -> Session<Cells> {
    let cells = Cells { values: (0..6).map(Some).collect(), change: Vec::new() };
    Session::new(cells, SessionOptions { journal: true, ..SessionOptions::default() })
}

fn values(session: &Session<Cells>) -> Vec<i32> {
    session.editor().values.iter().map(|value| value.unwrap_or(-1)).collect()
}

fn refused(session: &mut Session<Cells>, line: &str) -> String {
    session.line(line).unwrap_err().to_string()
}

#[test]
fn selectors_add_leave_out_and_meet() {
    let mut s = session();
    s.line("set 7 all-even+#4; set 8 !(even+#1)&ids(0,3-99)").unwrap();
    assert_eq!(values(&s), [0, 7, 2, 8, 7, 8]);
    s.line("select even; set 9").unwrap();
    assert_eq!(values(&s), [9, 7, 9, 8, 9, 8]);
    assert!(s.chosen().is_empty(), "the command has cleared it");
}

#[test]
fn names_of_selectors_ignore_case() {
    let mut s = session();
    s.line("select ALL-IDS(0-3); set 7 SEL").unwrap();
    assert_eq!(values(&s), [0, 1, 2, 3, 7, 7]);
}

#[test]
fn steps_are_taken_back_and_done_again_without_limit() {
    let mut s = session();
    let before = values(&s);
    s.line("select #1+#2; set 7; begin; set 8 #3; add 5; end; drop #0").unwrap();
    let after = values(&s);
    assert_eq!((after.clone(), s.steps()), (vec![-1, 7, 7, 8, 4, 5, 5], 4));
    assert_eq!(s.line("undo 2").unwrap()[0].said, ["2 steps taken back"]);
    assert_eq!(values(&s), [0, 7, 7, 3, 4, 5, -1]);
    s.line("undo").unwrap();
    assert_eq!(s.chosen(), [1, 2]);
    s.line("undo all").unwrap();
    assert_eq!(values(&s)[..6], before);
    assert_eq!(refused(&mut s, "undo"), "1:1: undo: there is nothing that could be taken back");
    s.line("redo all").unwrap();
    for word in ["0", "-1", "few"] {
        let why = format!("1:6: undo: {word} where a number of steps or all was expected");
        assert_eq!(refused(&mut s, &format!("undo {word}")), why);
    }
    assert_eq!(values(&s), after);
    s.line("undo; set 1 #1").unwrap();
    assert_eq!(refused(&mut s, "redo"), "1:1: redo: there is nothing that could be done again");
}

#[test]
fn a_refused_command_has_changed_nothing() {
    let mut s = session();
    s.line("set 99 #4").unwrap();
    assert_eq!(refused(&mut s, "set 7 all"), "1:1: set: #4 is fixed");
    assert_eq!((values(&s), s.steps()), (vec![0, 1, 2, 3, 99, 5], 1));
    assert_eq!(refused(&mut s, "set 7 #9"), "1:7: set: there is no #9");
    assert_eq!(refused(&mut s, "\n sett 7"), "2:2: no such command: sett; did you mean set?");
    assert_eq!(refused(&mut s, "SET x"), "1:5: set: x where a value was expected: a number");
    assert_eq!(refused(&mut s, "end"), "1:1: end: no group was begun");
    assert_eq!(refused(&mut s, "add 3 --bogus"), "1:7: add: no such option: --bogus");
    assert_eq!(refused(&mut s, "add 3 4"), "1:7: add: 4 where the end was expected");
    assert_eq!((s.editor().all().len(), s.steps()), (6, 1));
}

#[test]
fn a_journal_is_replayed_by_id_then_by_shape_and_follows_what_it_made() {
    let mut s = session();
    s.line("begin; set 40 #4; add 50; end; set 60 #6; set 1 #0; undo").unwrap();
    let journal = s.journal().to_string();
    let expected =
        "// navmap journal 1\nbegin\n//@ #4 = 4\nset 40 #4\n//@ + #6\nadd 50\nend\n//@ #6 = 50\nset 60 #6\n";
    assert_eq!(journal, expected);

    // Here the cell that was number 4 is number 7, and the journal's new cell becomes number 8.
    let values_then = [Some(0), Some(1), Some(2), Some(3), None, Some(5), Some(66), Some(4)];
    let cells = Cells { values: values_then.into(), change: Vec::new() };
    let mut other = Session::new(cells, SessionOptions::default());
    other.replay(&journal, |fared| {
        fared.unwrap();
        std::ops::ControlFlow::Continue(())
    });
    assert_eq!(values(&other), [0, 1, 2, 3, -1, 5, 66, 40, 60]);
    other.line("undo 2").unwrap();
    assert_eq!(values(&other)[..8], [0, 1, 2, 3, -1, 5, 66, 4]);

    let mut empty = Session::new(Cells::default(), SessionOptions::default());
    let mut refusals = Vec::new();
    empty.replay(&journal, |fared| {
        refusals.extend(fared.err().map(|refusal| refusal.to_string()));
        std::ops::ControlFlow::Continue(())
    });
    assert_eq!(refusals, ["4:8: set: there is no #4"], "what was made is found under its new id");
}

#[test]
fn help_and_status_answer_without_changing_anything() {
    let mut s = session();
    assert_eq!(s.line("help add").unwrap()[0].said, ["add VALUE: makes a cell"]);
    assert_eq!(s.line("help end").unwrap()[0].said, ["end: end the group"]);
    assert_eq!(refused(&mut s, "help ad"), "1:6: help: no such command: ad; did you mean add?");
    let status = s.line("status").unwrap();
    assert_eq!(status[0].said, ["nothing changed", "0 selected, 0 to undo, 0 to redo"]);
    assert!(!status[0].changed);
}

/// What is kept to take back is counted, and a command that goes beyond the limit is refused and has changed nothing.
#[test]
fn what_is_kept_to_take_back_has_a_limit() {
    let cells = Cells { values: vec![Some(0); MOST_KEPT as usize / 4 - 24], change: Vec::new() };
    let mut session = Session::new(cells, Options::default());
    // The mesh has nine bytes for each cell. What the first commands make it grow by earns nothing.
    for round in 1..=17 {
        session.line(&format!("set {} all", if round < 9 { 1_000_000 + round } else { round })).unwrap();
    }
    let refused = session.line("set 18 all").unwrap_err().to_string();
    // A command counts besides what it changes.
    assert!(
        refused.contains("values kept to take back: 7077888 is over the limit of 7077456; write the mesh"),
        "{refused}"
    );
    assert!(session.editor().values.iter().all(|value| *value == Some(17)) && session.steps() == 17);
    // What can no longer be done again is not kept.
    session.undo(2);
    session.line("set 6 all").unwrap();
    assert!(session.steps() == 16 && session.line("set 7 all").is_ok());
}

/// What a script looks at is counted, whatever it changes: the script ends, and the next one begins anew.
#[test]
fn what_a_script_looks_at_has_a_limit() {
    let cells = Cells { values: vec![Some(3); 1 << 16], change: Vec::new() };
    let mut session = Session::new(cells, Options::default());
    // What is selected already is not changed, and so is not kept.
    let script = "drop all; undo\n".repeat(1_000);
    let (mut done, mut refused) = (0_u64, Vec::new());
    session.script(&script, |fared| {
        match fared {
            Ok(_) => done += 1,
            Err(refusal) => refused.push(refusal.to_string()),
        }
        std::ops::ControlFlow::Continue(())
    });
    let allowed = MOST_LOOKED_AT + 4096 * (1 << 16);
    let [first, ..] = &refused[..] else { panic!("{done} statements") };
    assert!(
        first.contains("items that a script looks at: ") && first.contains(&allowed.to_string()),
        "{first}"
    );
    // Sixteen for each item that is selected, one for each that is put back.
    assert!((done / 2).abs_diff(allowed / (17 << 16)) < 3, "{done}");
    assert!(
        refused.len() as u64 + done == 2_000 && session.editor().values.iter().flatten().count() == 1 << 16
    );
    session.undo(usize::MAX);
    for _ in 0..3 {
        session.line("drop all; undo").unwrap();
    }
    // What is said about all of them counts as well.
    let mut told = 0_u64;
    session.script(&"status\n".repeat(7_000), |fared| {
        told += u64::from(fared.is_ok());
        std::ops::ControlFlow::Continue(())
    });
    assert!(told.abs_diff(allowed >> 18) < 3, "{told}");
    // What is shown is a line or more for each, of a mesh that is read and checked for it, and written: nine bytes each.
    for (line, each) in [("show all", (3072 + 192 + 9 * 12) << 16), ("show #1", (192 + 9 * 12) << 16)] {
        let mut shown = 0_u64;
        session.script(&format!("{line}\n").repeat(200), |fared| {
            shown += u64::from(fared.is_ok());
            std::ops::ControlFlow::Continue(())
        });
        assert!(shown > 0 && shown.abs_diff(allowed / each) < 3, "{line}: {shown}");
    }
    // One statement that looks at all again and again.
    let union = format!("drop #1{}", "+all".repeat(1_000));
    let refused = session.line(&union).unwrap_err().to_string();
    assert!(refused.contains("items that a script looks at: "), "{refused}");
    // Another script would not help the one that is over by itself, and helps what follows others.
    assert!(
        !refused.contains("run the rest") && first.ends_with("run the rest as another script"),
        "{first}"
    );
    assert_eq!(session.editor().values[1], Some(3));
    // An attempt is one script.
    let cells = Cells { values: vec![Some(3); 1 << 12], change: Vec::new() };
    let mut session = Session::new(cells, Options::default());
    let refused = session.attempt(&"status\n".repeat(40_000), true).unwrap_err().to_string();
    assert!(refused.contains("items that a script looks at: "), "{refused}");
    assert!(session.attempt("status", true).is_ok());
}

/// Ranges of ids cost what they find, however many there are, and the names of all items once.
#[test]
fn ranges_of_ids_are_counted() {
    let cells = Cells { values: vec![Some(3); 1 << 12], change: Vec::new() };
    let mut session = Session::new(cells, Options::default());
    session.line("select ids(40-42,7,41-50,0-3,2)").unwrap();
    assert_eq!(session.chosen(), [40, 41, 42, 7, 43, 44, 45, 46, 47, 48, 49, 50, 0, 1, 2, 3]);
    let before = NAMED.get();
    session.line(&format!("select ids({}1-2)", "1-2,".repeat(20_000))).unwrap();
    assert_eq!(session.chosen(), [1, 2]);
    assert!(NAMED.get() - before < 10_000, "{}", NAMED.get() - before);
    let refused =
        session.line(&format!("select ids({}1-2)", "0-4095,".repeat(3_000))).unwrap_err().to_string();
    assert!(refused.contains("items that a script looks at: "), "{refused}");
    assert_eq!(session.chosen(), [1, 2]);
}

#[test]
fn new_items_have_new_numbers_as_long_as_there_are_any() {
    let names = |last: u32| {
        let kept = [(7, 1), (8, 2)];
        changes::names(kept, [7, 8, last], [1, 2, 7, 8, 9], |id| id != 0)
    };
    let named = |name: [u32; 2]| [(1, 7), (2, 8), (7, name[0]), (8, name[1]), (9, 9)].into_iter().collect();
    assert_eq!(names(100), named([101, 102]));
    assert_eq!(names(u32::MAX - 2), named([u32::MAX - 1, 3]));
    assert_eq!(names(u32::MAX - 1), named([3, 4]));
    assert_eq!(names(u32::MAX), named([10, 11]));
}

#[test]
fn an_attempt_is_done_as_a_whole_or_not_at_all() {
    let mut s = session();
    s.line("set 9 #5; undo").unwrap();
    let before = (values(&s), s.ledger.kept, s.history());
    // What is only tried leaves everything as it was, what can be done again as well.
    let tried = s.attempt("add 50; set 7 #6; select #6+#1", false).unwrap();
    assert_eq!((tried.made, tried.selected), (vec!["#6".to_owned()], vec!["#6".to_owned(), "#1".to_owned()]));
    let now = (values(&s)[..6].to_vec(), s.ledger.kept, s.history());
    assert_eq!(now, before);
    assert!(s.selected().is_empty() && s.undone_steps() == 1);
    let refused = s.attempt("set 7 #1; set 7 #99", true).unwrap_err();
    assert_eq!(refused.to_string(), "1:17: set: there is no #99");
    assert_eq!((values(&s)[..6].to_vec(), s.ledger.kept, s.history()), before);
    // What is kept is one step, and a group in it changes nothing about that.
    let done = s.attempt("begin; set 7 #1; set 8 #2", true).unwrap();
    assert!(done.changed() && s.steps() == 1 && s.undone_steps() == 0);
    assert_eq!(s.history()[0], Entry { text: "set 7 #1; set 8 #2".into(), done: true });
    assert!(s.journal().to_string().ends_with("begin\n//@ #1 = 1\nset 7 #1\n//@ #2 = 2\nset 8 #2\nend\n"));
    s.attempt("undo", true).unwrap();
    assert_eq!(s.history(), [Entry { text: "set 7 #1; set 8 #2".into(), done: false }]);
    assert_eq!(s.attempt("redo", true).map(|done| done.changed()), Ok(true));
    for (text, keep) in [("undo", false), ("set 1 #1; undo", true), ("UNDO; UNDO", true)] {
        let why = s.attempt(text, keep).unwrap_err();
        assert!(why.why().contains("stands alone"), "{text}: {why}");
    }
    assert_eq!(values(&s)[..3], [0, 7, 8]);
}
