//! The interface shared by all formats: batches go in, a file comes out.

use super::batch::Batch;
use super::mesh::Mesh;
use std::io;

/// Writes the rows of one table.
pub trait Writer<W>: Send {
    /// Writes the rows of one mesh, or some of them: more may follow. May take the values out of the batch.
    ///
    /// # Errors
    /// Those of the output.
    fn write(&mut self, mesh: &Mesh<'_>, batch: &mut Batch) -> io::Result<()>;

    /// Writes the end of the format, and returns the output.
    ///
    /// # Errors
    /// Those of the output.
    fn finish(self: Box<Self>) -> io::Result<W>;
}

/// Writes the rows of `flag_names`, which come from no mesh. Returns their number.
///
/// # Errors
/// Those of `write`.
pub fn write_flag_names(write: &mut dyn FnMut(&Mesh<'_>, &mut Batch) -> io::Result<()>) -> io::Result<u64> {
    let mut sheets = super::batch::Sheets::new([&super::rows::FLAG_NAMES]);
    super::fill::flag_names(&mut sheets);
    let mesh = Mesh::named("", None, 0);
    let mut rows = 0u64;
    for batch in sheets.batches_mut() {
        rows = rows.saturating_add(batch.rows() as u64);
        write(&mesh, batch)?;
    }
    Ok(rows)
}
