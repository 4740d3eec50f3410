//! Rows on their way to DuckDB: vectors that are written under checks of their types and sizes.

use super::api::api;
use libduckdb_sys as ffi;
use navmap_table::Type;

/// Rows on their way to DuckDB.
pub(crate) struct Chunk<'c> {
    pub(super) chunk: ffi::duckdb_data_chunk,
    pub(super) kinds: &'c [Option<Type>],
    pub(super) capacity: usize,
}

/// A value with the same memory layout in a vector of DuckDB.
///
/// # Safety
/// A vector of [`KIND`](Self::KIND) is an array of this type.
pub(crate) unsafe trait Plain: Copy {
    /// The type of the column.
    const KIND: Type;
}

macro_rules! plain {
    ($($type:ty => $kind:ident),+) => { $(
        // SAFETY: `type_id` gives this kind the type of DuckDB that is stored as the same type of C.
        unsafe impl Plain for $type {
            const KIND: Type = Type::$kind;
        }
    )+ };
}

plain! { bool => Bool, u8 => U8, u16 => U16, i16 => I16, u32 => U32, i32 => I32, u64 => U64, f32 => F32 }

impl Chunk<'_> {
    /// How many rows it takes.
    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    /// The vector of a column, if it is of this kind and has room for these rows.
    fn vector(
        &self,
        column: usize,
        kind: Option<Type>,
        from: usize,
        rows: usize,
    ) -> Result<ffi::duckdb_vector, String> {
        if self.kinds.get(column) != Some(&kind)
            || from.checked_add(rows).is_none_or(|end| end > self.capacity)
        {
            return Err(format!("{rows} rows of {kind:?} do not fit column {column} of a chunk"));
        }
        // SAFETY: the chunk is that of this call and has this column: `fill` has compared their number.
        Ok(unsafe { (api().duckdb_data_chunk_get_vector)(self.chunk, column as u64) })
    }

    /// Writes numbers, starting at a row.
    pub(crate) fn numbers<T: Plain>(
        &mut self,
        column: usize,
        from: usize,
        values: &[T],
    ) -> Result<(), String> {
        let vector = self.vector(column, Some(T::KIND), from, values.len())?;
        // SAFETY: the vector is an array of `T`, by `Plain`, with room for `capacity` of them, which `vector` has looked at.
        // It is of this call, and `self` is borrowed alone, so nobody else writes to it.
        unsafe {
            let data = (api().duckdb_vector_get_data)(vector).cast::<T>();
            data.add(from).copy_from_nonoverlapping(values.as_ptr(), values.len());
        }
        Ok(())
    }

    /// Writes texts, starting at a row. Missing texts are not written; their rows must be made null.
    pub(crate) fn texts<'t>(
        &mut self,
        column: usize,
        from: usize,
        texts: impl ExactSizeIterator<Item = Option<&'t str>>,
    ) -> Result<(), String> {
        let vector = self.vector(column, Some(Type::Text), from, texts.len())?;
        for (row, text) in (from..self.capacity).zip(texts) {
            if let Some(text) = text {
                // SAFETY: the vector is one of texts with room for `capacity` of them; DuckDB copies the text, which is UTF-8.
                unsafe { assign(vector, row, text.as_bytes()) };
            }
        }
        Ok(())
    }

    /// Writes bytes, starting at a row.
    pub(crate) fn bytes(&mut self, column: usize, from: usize, values: &[[u8; 16]]) -> Result<(), String> {
        let vector = self.vector(column, Some(Type::Bytes16), from, values.len())?;
        for (row, bytes) in (from..self.capacity).zip(values) {
            // SAFETY: the vector is one of bytes with room for `capacity` of them; DuckDB copies them.
            unsafe { assign(vector, row, bytes) };
        }
        Ok(())
    }

    /// Writes shapes in well-known binary, starting at a row.
    pub(crate) fn shapes<'s>(
        &mut self,
        column: usize,
        from: usize,
        shapes: impl ExactSizeIterator<Item = &'s [u8]>,
    ) -> Result<(), String> {
        let vector = self.vector(column, Some(Type::Geometry), from, shapes.len())?;
        for (row, shape) in (from..self.capacity).zip(shapes) {
            // SAFETY: the vector is one of bytes with room for `capacity` of them; DuckDB copies them.
            unsafe { assign(vector, row, shape) };
        }
        Ok(())
    }

    /// Makes invalid rows null, starting at a row.
    pub(crate) fn nulls(
        &mut self,
        column: usize,
        from: usize,
        valid: impl ExactSizeIterator<Item = bool>,
    ) -> Result<(), String> {
        let kind = self.kinds.get(column).copied().flatten();
        let vector = self.vector(column, kind, from, valid.len())?;
        let mut nulls = (from..self.capacity).zip(valid).filter(|(_, valid)| !valid).peekable();
        if nulls.peek().is_none() {
            return Ok(());
        }
        // SAFETY: the vector is of this call. The first makes bits for `capacity` rows, 64 in a word, all of them set; the
        // second tells where they are.
        let bits = unsafe {
            (api().duckdb_vector_ensure_validity_writable)(vector);
            (api().duckdb_vector_get_validity)(vector)
        };
        if bits.is_null() {
            return Err("DuckDB has no room for nulls".to_owned());
        }
        for (row, _) in nulls {
            // SAFETY: the row is below `capacity`, so its word is one of those. Nobody else writes to them meanwhile.
            unsafe { *bits.add(row / 64) &= !(1u64 << (row % 64)) };
        }
        Ok(())
    }
}

/// Writes a text into a vector.
///
/// # Safety
/// The vector is one of texts or of bytes, of this call, and has this row.
unsafe fn assign(vector: ffi::duckdb_vector, row: usize, bytes: &[u8]) {
    let (start, len) = (bytes.as_ptr().cast(), bytes.len() as u64);
    // SAFETY: as the caller says; `start` and `len` are those of a slice.
    unsafe { (api().duckdb_vector_assign_string_element_len)(vector, row as u64, start, len) };
}
