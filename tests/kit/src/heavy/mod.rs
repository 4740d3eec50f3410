//! Small files that were made to cost much, one kind of work each: what `cargo bench --bench hostile` runs every verb on. All are
//! below a megabyte, can be read for the most part, and tell no lie that a reader could refuse for itself.

pub mod graphs;
pub mod maps;
mod models;
pub mod plugins;
pub mod source;

/// The length that all of them stay below.
pub const MOST: usize = 1 << 20;

/// A file that costs much.
#[derive(Debug, Clone)]
pub struct Heavy {
    /// A file name that says what is in it: `one-place.nav`.
    pub name: String,
    /// The file.
    pub bytes: Vec<u8>,
}

/// Takes the name of a file, and what makes it.
type Add<'a> = dyn FnMut(&str, &dyn Fn() -> Vec<u8>) + 'a;

/// All of them, by family.
pub fn heavy() -> Vec<Heavy> {
    named(|_| true)
}

/// Those whose names are wanted. The others are not made.
pub fn named(wanted: impl Fn(&str) -> bool) -> Vec<Heavy> {
    let mut all = Vec::new();
    let mut add = |name: &str, make: &dyn Fn() -> Vec<u8>| {
        if wanted(name) {
            let bytes = make();
            assert!(bytes.len() < MOST, "{name}: {} bytes", bytes.len());
            all.push(Heavy { name: name.to_owned(), bytes });
        }
    };
    source::add(&mut add);
    graphs::add(&mut add);
    plugins::add(&mut add);
    models::add(&mut add);
    maps::add(&mut add);
    all
}

/// The file of as many items as stay below a megabyte.
fn fill(make: impl Fn(u32) -> Vec<u8>, limit: u32) -> Vec<u8> {
    let (few, more) = (make(100).len(), make(200).len());
    let each = more.saturating_sub(few).max(100) as f64 / 100.0;
    let mut count = ((MOST as f64 * 0.99) / each) as u32;
    loop {
        let bytes = make(count.clamp(2, limit));
        if bytes.len() < MOST {
            return bytes;
        }
        count = count * 9 / 10;
    }
}
