//! Types and values of DuckDB, given back on drop.

use super::api::api;
use libduckdb_sys as ffi;
use navmap_table::Type;
use std::ffi::CStr;

/// The type of DuckDB for a column.
pub(super) fn type_id(kind: Type) -> ffi::duckdb_type {
    match kind {
        Type::Bool => ffi::DUCKDB_TYPE_DUCKDB_TYPE_BOOLEAN,
        Type::U8 => ffi::DUCKDB_TYPE_DUCKDB_TYPE_UTINYINT,
        Type::U16 => ffi::DUCKDB_TYPE_DUCKDB_TYPE_USMALLINT,
        Type::I16 => ffi::DUCKDB_TYPE_DUCKDB_TYPE_SMALLINT,
        Type::U32 => ffi::DUCKDB_TYPE_DUCKDB_TYPE_UINTEGER,
        Type::I32 => ffi::DUCKDB_TYPE_DUCKDB_TYPE_INTEGER,
        Type::U64 => ffi::DUCKDB_TYPE_DUCKDB_TYPE_UBIGINT,
        Type::F32 => ffi::DUCKDB_TYPE_DUCKDB_TYPE_FLOAT,
        Type::Bytes16 | Type::Geometry => ffi::DUCKDB_TYPE_DUCKDB_TYPE_BLOB,
        // A new type needs a line here; until then `Chunk` writes nothing of it.
        _ => ffi::DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR,
    }
}

/// An owned type of DuckDB, freed on drop.
pub(super) struct Kind(pub(super) ffi::duckdb_logical_type);

impl Kind {
    pub(super) fn from_id(id: ffi::duckdb_type) -> Self {
        // SAFETY: takes any number, and makes a type that is ours to give back.
        Self(unsafe { (api().duckdb_create_logical_type)(id) })
    }
}

impl Drop for Kind {
    fn drop(&mut self) {
        // SAFETY: the type is ours, and is given back once.
        unsafe { (api().duckdb_destroy_logical_type)(&raw mut self.0) };
    }
}

/// An owned value of DuckDB, freed on drop; may be NULL.
pub(super) struct Value(pub(super) ffi::duckdb_value);

impl Value {
    fn is_null(&self) -> bool {
        // SAFETY: the value is ours until it is dropped, and is looked at only if there is one.
        self.0.is_null() || unsafe { (api().duckdb_is_null_value)(self.0) }
    }

    pub(super) fn is_true(&self) -> bool {
        // SAFETY: as above; `register` declared it as true or false, and DuckDB casts what was typed to that.
        !self.is_null() && unsafe { (api().duckdb_get_bool)(self.0) }
    }

    /// The text, if there is one.
    pub(super) fn word(&self) -> Result<Option<String>, String> {
        let mut texts = Vec::new();
        if !self.is_null() {
            self.texts(&mut texts)?;
        }
        Ok(texts.pop())
    }

    /// Adds the value if it is a text, or each text of a list.
    pub(super) fn texts(&self, texts: &mut Vec<String>) -> Result<(), String> {
        const WRONG: &str = "a path is a text, and many are a list of texts";
        if self.is_null() {
            return Err(WRONG.to_owned());
        }
        // SAFETY: the value is ours and there is one. Its type belongs to it, and is not given back.
        let id = unsafe { (api().duckdb_get_type_id)((api().duckdb_get_value_type)(self.0)) };
        match id {
            ffi::DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR => {
                // SAFETY: the value is a text. What comes back is a text of C of our own, which is copied and given back.
                unsafe {
                    let text = (api().duckdb_get_varchar)(self.0);
                    if !text.is_null() {
                        texts.push(CStr::from_ptr(text).to_string_lossy().into_owned());
                        (api().duckdb_free)(text.cast());
                    }
                }
                Ok(())
            }
            ffi::DUCKDB_TYPE_DUCKDB_TYPE_LIST => {
                // SAFETY: the value is a list.
                let count = unsafe { (api().duckdb_get_list_size)(self.0) };
                // SAFETY: the same list; children are asked for below their count, and each is ours to give back.
                let child = |at| Self(unsafe { (api().duckdb_get_list_child)(self.0, at) });
                (0..count).try_for_each(|at| match child(at) {
                    child if child.is_list() => Err(WRONG.to_owned()),
                    child => child.texts(texts),
                })
            }
            _ => Err(WRONG.to_owned()),
        }
    }

    fn is_list(&self) -> bool {
        // SAFETY: as in `texts`.
        !self.is_null()
            && unsafe { (api().duckdb_get_type_id)((api().duckdb_get_value_type)(self.0)) }
                == ffi::DUCKDB_TYPE_DUCKDB_TYPE_LIST
    }
}

impl Drop for Value {
    fn drop(&mut self) {
        if !self.0.is_null() {
            // SAFETY: the value is ours, and is given back once.
            unsafe { (api().duckdb_destroy_value)(&raw mut self.0) };
        }
    }
}
