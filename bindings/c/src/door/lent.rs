//! What a struct or an array of the caller's leads to. Only a caller makes one of these, and vouches for it during the call.

use super::In;
use crate::error::Failure;
use crate::filter::{Filter, Mask};
use std::ffi::{CStr, c_char};
use std::marker::PhantomData;
use std::path::PathBuf;

/// A text in an array of them: `const char *`. Only a caller makes one, and vouches for it.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct Text(*const c_char);

impl Text {
    /// The text, if there is one.
    pub(crate) fn get(&self, name: &'static str) -> Result<Option<&CStr>, Failure> {
        In(self.0, name, PhantomData).maybe_text()
    }
}

/// Numbers that a struct leads to: `const uint32_t *`, and how many in a member of their own.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct LentNumbers(*const u32);

impl LentNumbers {
    /// The numbers.
    pub(crate) fn get(&self, count: u32, name: &'static str) -> Result<&[u32], Failure> {
        super::numbers(self.0, count, name)
    }
}

/// Bytes that a struct leads to: `const uint8_t *`, and how many in a member of their own.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct LentBytes(*const u8);

impl LentBytes {
    /// The bytes.
    pub(crate) fn get(&self, len: u64, name: &'static str) -> Result<&[u8], Failure> {
        In(self.0, name, PhantomData).bytes(len)
    }
}

/// A mask that a struct leads to: `const navmap_mask *`.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct LentMask(*const Mask);

impl LentMask {
    /// The mask, if there is one.
    pub(crate) fn maybe(&self, name: &'static str) -> Result<Option<&Mask>, Failure> {
        In(self.0, name, PhantomData).maybe()
    }
}

/// A filter that a struct leads to: `const navmap_filter *`.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct LentFilter(*const Filter);

impl LentFilter {
    /// The filter, if there is one.
    #[inline(always)]
    pub(crate) fn maybe(&self, name: &'static str) -> Result<Option<Filter>, Failure> {
        In(self.0, name, PhantomData).maybe_options()
    }
}

/// Paths in an array.
pub(crate) fn paths(texts: &[Text]) -> Result<Vec<PathBuf>, Failure> {
    texts.iter().map(|text| In(text.0, "paths", PhantomData).path()).collect()
}
