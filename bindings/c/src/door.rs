//! The door: the one file that follows pointers of a caller. What structs and arrays of theirs lead to comes through it too (`lent`).
//!
//! The header states a caller's duties: a pointer is NULL or leads to as many values as its count says, aligned and unchanged
//! during the call; a handle came from this library and is not freed while it is used. Under that promise `entries!` wraps each
//! pointer ([`Enter`]). Bodies see wrappers only, so they are safe code.

#[deny(unsafe_code)]
mod lent;

pub(crate) use lent::{LentBytes, LentFilter, LentMask, LentNumbers, Text, paths};

use crate::error::{Error, Failure};
use crate::give::{OutPlace, Room};
use crate::live;
use crate::status::Status;
use crate::world::World;
use std::ffi::{CStr, c_char, c_void};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::path::PathBuf;
use std::sync::Arc;

/// Makes `extern "C"` functions.
///
/// `points[count]: *const Point` is two arguments, a pointer and a `uint32_t`. Without a result, a function answers with a
/// [`Status`]. After a semicolon stands the place for an error.
macro_rules! entries {
    ($(
        $(#[$doc:meta])*
        fn $name:ident($($arg:ident $([$len:ident])? : $ty:ty),* $(; $error:ident)?) $(-> $ret:ty)? $body:block
    )*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// Pointers are NULL or lead to what the header says.
        #[allow(unsafe_code, unused_parens)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            $($arg: $ty, $($len: u32,)?)* $($error: *mut *mut crate::error::Error,)?
        ) -> $crate::door::answer!($($ret)?) {
            let visit = &$crate::door::Visit;
            let _ = visit;
            // SAFETY: the caller vouches for its pointers, and wrappers live no longer than this call.
            $(let $arg = unsafe { $crate::door::Enter::enter(($arg $(, $len)?), stringify!($arg), visit) };)*
            // SAFETY: as above.
            $(let $error = unsafe { $crate::door::Enter::enter($error, "error", visit) };)?
            $crate::guard::guard(|| $body, ($($error)?))
        }
    )*};
}

macro_rules! answer {
    () => {
        $crate::status::Status
    };
    ($ret:ty) => {
        $ret
    };
}
pub(crate) use answer;

/// One call. Wrappers borrow it.
pub(crate) struct Visit;

/// What an argument becomes.
pub(crate) trait Enter<'v> {
    /// Its wrapper.
    type Safe;

    /// # Safety
    /// A pointer is NULL or leads to what the type and the count say, for the length of the visit.
    unsafe fn enter(self, name: &'static str, visit: &'v Visit) -> Self::Safe;
}

macro_rules! as_it_is {
    ($($ty:ty),*) => {$(
        impl<'v> Enter<'v> for $ty {
            type Safe = Self;
            #[inline(always)]
            unsafe fn enter(self, _: &'static str, _: &'v Visit) -> Self {
                self
            }
        }
    )*};
}
as_it_is!(u8, i32, u32, u64, f32);

/// A callback is called as safe code: what it does is the caller's.
impl<'v, A> Enter<'v> for Option<extern "C" fn(*const A, *mut c_void) -> i32> {
    type Safe = Self;
    unsafe fn enter(self, _: &'static str, _: &'v Visit) -> Self {
        self
    }
}

/// A pointer to one value that is read.
pub(crate) struct In<'v, T>(*const T, &'static str, PhantomData<&'v T>);

/// A pointer to one value that is written, or to a handle that is changed.
pub(crate) struct Out<'v, T>(*mut T, &'static str, PhantomData<&'v mut T>);

impl<'v, T: 'v> Enter<'v> for *const T {
    type Safe = In<'v, T>;
    #[inline(always)]
    unsafe fn enter(self, name: &'static str, _: &'v Visit) -> In<'v, T> {
        In(self, name, PhantomData)
    }
}

impl<'v, T: 'v> Enter<'v> for *mut T {
    type Safe = Out<'v, T>;
    #[inline(always)]
    unsafe fn enter(self, name: &'static str, _: &'v Visit) -> Out<'v, T> {
        Out(self, name, PhantomData)
    }
}

impl<'v, T: 'v> Enter<'v> for (*const T, u32) {
    type Safe = Result<&'v [T], Failure>;
    #[inline(always)]
    unsafe fn enter(self, name: &'static str, _: &'v Visit) -> Self::Safe {
        let (pointer, count) = self;
        if count == 0 {
            return Ok(&[]);
        }
        there(pointer, name)?;
        fits::<T>(count, name)?;
        // SAFETY: it is neither NULL nor misaligned; the caller vouches for `count` values, and no more of them than memory
        // can hold.
        Ok(unsafe { std::slice::from_raw_parts(pointer, count as usize) })
    }
}

impl<'v, T: 'v> Enter<'v> for (*mut T, u32) {
    type Safe = Result<Room<'v, T>, Failure>;
    #[inline(always)]
    unsafe fn enter(self, name: &'static str, _: &'v Visit) -> Self::Safe {
        let (pointer, count) = self;
        if count == 0 {
            return Ok(Room::default());
        }
        there(pointer, name)?;
        fits::<T>(count, name)?;
        // SAFETY: it is neither NULL nor misaligned; the caller vouches for room for `count` values, set or not, and memory
        // can hold as many.
        let rest =
            unsafe { std::slice::from_raw_parts_mut(pointer.cast::<MaybeUninit<T>>(), count as usize) };
        Ok(Room::new(rest, count))
    }
}

#[inline(always)]
fn there<T>(pointer: *const T, name: &'static str) -> Result<(), Failure> {
    match pointer {
        _ if pointer.is_null() => Err(Failure::Bare(Status::Null, name)),
        _ if !pointer.is_aligned() => Err(Failure::Bare(Status::Invalid, name)),
        _ => Ok(()),
    }
}

/// Refuses a count of values that no memory holds, which a process of 32 bits can be told.
#[inline(always)]
fn fits<T>(count: u32, name: &'static str) -> Result<(), Failure> {
    let bytes = (count as usize).checked_mul(size_of::<T>());
    let fits = bytes.is_some_and(|bytes| bytes <= isize::MAX as usize);
    if fits { Ok(()) } else { Err(Failure::Bare(Status::Invalid, name)) }
}

/// Values of which any bytes are one.
///
/// # Safety
/// Every pattern of bits is a value.
pub(crate) unsafe trait Plain: Copy {}
// SAFETY: three floats.
unsafe impl Plain for crate::Point {}
// SAFETY: numbers.
unsafe impl Plain for crate::world::Held {}

/// Options and outputs that may grow: their first member is a `uint32_t`, the size that the caller knows.
///
/// # Safety
/// The type is `repr(C)`, begins with a `u32`, and every pattern of bits is a value (pointers may be anything).
pub(crate) unsafe trait Sized32: Copy {
    /// Its size in the first header that had it: no caller knows less.
    const FIRST: usize;
    /// The value in which nothing is set.
    fn empty() -> Self;
}

/// Declares a struct of this kind.
macro_rules! sized32 {
    ($($ty:ident: $first:expr),*) => {$(
        // SAFETY: `repr(C)`, the first member is `size: u32`, all others are numbers and pointers.
        #[allow(unsafe_code)]
        unsafe impl $crate::door::Sized32 for $ty {
            const FIRST: usize = $first;
            fn empty() -> Self {
                const { assert!(std::mem::offset_of!($ty, size) == 0) };
                // SAFETY: as above: zeros are a value.
                unsafe { std::mem::zeroed() }
            }
        }
    )*};
}

impl<'v, T> In<'v, T> {
    #[inline(always)]
    fn there(&self) -> Result<(), Failure> {
        there(self.0, self.1)
    }

    /// The handle.
    #[inline(always)]
    pub(crate) fn handle(self) -> Result<&'v T, Failure>
    where
        T: Handle,
    {
        self.there()?;
        live::known(self.0.addr(), T::KIND, self.1)?;
        // SAFETY: the caller vouches that it is a handle of this type that nobody frees meanwhile. Nobody has it
        // mutably: handles that change do so behind a `Turned`, a lock.
        Ok(unsafe { &*self.0 })
    }

    /// The handle, if there is one.
    #[inline(always)]
    pub(crate) fn maybe(self) -> Result<Option<&'v T>, Failure>
    where
        T: Handle,
    {
        if self.0.is_null() { Ok(None) } else { self.handle().map(Some) }
    }

    /// The value.
    #[inline(always)]
    pub(crate) fn get(self) -> Result<T, Failure>
    where
        T: Plain,
    {
        self.there()?;
        // SAFETY: it is neither NULL nor misaligned, and any bytes are a value.
        Ok(unsafe { self.0.read() })
    }

    /// The value, if there is one.
    pub(crate) fn maybe_get(self) -> Result<Option<T>, Failure>
    where
        T: Plain,
    {
        if self.0.is_null() { Ok(None) } else { self.get().map(Some) }
    }

    /// The options, if any are set.
    #[inline(always)]
    pub(crate) fn maybe_options(self) -> Result<Option<T>, Failure>
    where
        T: Sized32,
    {
        if self.0.is_null() { Ok(None) } else { self.options().map(Some) }
    }

    /// The options: what the caller knows of them, and nothing set for the rest. NULL sets nothing.
    pub(crate) fn options(self) -> Result<T, Failure>
    where
        T: Sized32,
    {
        let mut options = T::empty();
        if self.0.is_null() {
            return Ok(options);
        }
        self.there()?;
        let (own, bytes) = (size_of::<T>(), self.0.cast::<u8>());
        // SAFETY: the first member is a `u32`, and the struct is as large as it says.
        let theirs = unsafe { self.0.cast::<u32>().read() } as usize;
        // Of a pointer one knows all or nothing.
        let whole = theirs == T::FIRST || theirs.is_multiple_of(align_of::<T>());
        if !(T::FIRST..=1 << 16).contains(&theirs) || !whole {
            return Err(Failure::Bare(Status::Invalid, "size"));
        }
        // SAFETY: the caller vouches for `theirs` bytes; those are within both, and any bytes are a value.
        unsafe { bytes.copy_to_nonoverlapping((&raw mut options).cast::<u8>(), theirs.min(own)) };
        // SAFETY: as above. What a newer caller sets and this library does not know must not be ignored.
        let unknown = (own..theirs).any(|at| unsafe { bytes.add(at).read() } != 0);
        if unknown { Err(Failure::Bare(Status::Invalid, "size")) } else { Ok(options) }
    }
}

impl<'v> In<'v, c_char> {
    /// The text, which ends with a NUL.
    pub(crate) fn text(self) -> Result<&'v CStr, Failure> {
        self.there()?;
        // SAFETY: the caller vouches for a text that ends with a NUL.
        Ok(unsafe { CStr::from_ptr(self.0) })
    }

    /// The text, if there is one.
    pub(crate) fn maybe_text(self) -> Result<Option<&'v CStr>, Failure> {
        if self.0.is_null() { Ok(None) } else { self.text().map(Some) }
    }

    /// The text as a path.
    pub(crate) fn path(self) -> Result<PathBuf, Failure> {
        let name = self.1;
        crate::text::path(self.text()?, name)
    }
}

impl<'v> In<'v, u8> {
    /// Bytes in memory, by a length of 64 bits.
    pub(crate) fn bytes(self, len: u64) -> Result<&'v [u8], Failure> {
        let len = usize::try_from(len).ok().filter(|len| *len <= isize::MAX as usize);
        let len = len.ok_or(Failure::Bare(Status::Invalid, "len"))?;
        if len == 0 {
            return Ok(&[]);
        }
        self.there()?;
        // SAFETY: it is not NULL, and the caller vouches for `len` bytes.
        Ok(unsafe { std::slice::from_raw_parts(self.0, len) })
    }
}

/// Numbers that a struct of the caller's leads to.
fn numbers<'v>(pointer: *const u32, count: u32, name: &'static str) -> Result<&'v [u32], Failure> {
    // SAFETY: only `lent` comes here, with what a caller has set, who vouches for it during the call.
    unsafe { (pointer, count).enter(name, &Visit) }
}

impl<'v, T> Out<'v, T> {
    /// The place, which must be there.
    #[inline(always)]
    pub(crate) fn place(self) -> Result<OutPlace<'v, T>, Failure> {
        there(self.0, self.1)?;
        // SAFETY: it is neither NULL nor misaligned; the caller vouches for room, set or not.
        Ok(OutPlace::new(unsafe { &mut *self.0.cast::<MaybeUninit<T>>() }))
    }

    /// Writes the value if there is a place for it.
    #[inline(always)]
    pub(crate) fn put(self, value: T) -> Result<(), Failure> {
        if !self.0.is_null() {
            self.place()?.set(value);
        }
        Ok(())
    }

    /// The same if there is a place for it.
    pub(crate) fn maybe_put_sized(&self, value: T) -> Result<(), Failure>
    where
        T: Sized32,
    {
        if self.0.is_null() { Ok(()) } else { self.put_sized(value) }
    }

    /// Writes as much of a struct that may grow as the caller knows. Its `size` says how much.
    pub(crate) fn put_sized(&self, value: T) -> Result<(), Failure>
    where
        T: Sized32,
    {
        there(self.0, self.1)?;
        // SAFETY: the first member is a `u32`, which the caller has set.
        let theirs = unsafe { self.0.cast::<u32>().read() } as usize;
        if theirs < T::FIRST {
            return Err(Failure::Bare(Status::Invalid, "size"));
        }
        let head = size_of::<u32>();
        let len = theirs.min(size_of::<T>()).saturating_sub(head);
        // SAFETY: the caller vouches for `theirs` bytes. The size itself stays.
        unsafe {
            let from = (&raw const value).cast::<u8>().add(head);
            from.copy_to_nonoverlapping(self.0.cast::<u8>().add(head), len);
        }
        Ok(())
    }

    /// The handle, to be freed or asked.
    #[inline(always)]
    pub(crate) fn handle(self) -> Result<&'v T, Failure>
    where
        T: Handle,
    {
        In(self.0.cast_const(), self.1, PhantomData).handle()
    }

    /// Frees a handle. NULL is none.
    pub(crate) fn free(self) -> Result<Status, Failure>
    where
        T: Handle,
    {
        if self.0.is_null() {
            return Ok(Status::Ok);
        }
        there(self.0, self.1)?;
        live::gone(self.0.addr(), T::KIND, self.1)?;
        // SAFETY: the caller vouches that it is a handle of this type, and gives it back.
        unsafe { T::release(self.0) };
        Ok(Status::Ok)
    }
}

impl Out<'_, c_void> {
    /// The pointer as it is, which is the caller's.
    pub(crate) fn user(self) -> User {
        User(self.0)
    }
}

/// A pointer of the caller's that callbacks get.
pub(crate) struct User(*mut c_void);

// SAFETY: it is handed back and never followed. A search calls on the thread that asked; the header says which calls use others.
unsafe impl Send for User {}
// SAFETY: as above.
unsafe impl Sync for User {}

impl User {
    pub(crate) fn new(pointer: *mut c_void) -> Self {
        Self(pointer)
    }

    pub(crate) fn pointer(&self) -> *mut c_void {
        self.0
    }
}

impl Out<'_, World> {
    /// One more reference.
    pub(crate) fn retain(self) -> Result<Status, Failure> {
        let pointer = self.0;
        self.handle()?;
        // SAFETY: every world that goes out is in an `Arc` (`share`), and the caller holds a reference.
        unsafe { Arc::increment_strong_count(pointer) };
        live::born(pointer.addr(), World::KIND);
        Ok(Status::Ok)
    }
}

impl<'v> Room<'v, f32> {
    /// The first `len` floats, all 0. `None` if there is no room for them.
    pub(crate) fn floats(self, len: usize) -> Option<&'v mut [f32]> {
        let room = self.rest.get_mut(..len)?;
        room.fill(MaybeUninit::new(0.0));
        // SAFETY: all of them have just been set, and the layout is the same.
        Some(unsafe { &mut *(std::ptr::from_mut(room) as *mut [f32]) })
    }
}

/// What handles are: made here, freed here.
///
/// # Safety
/// `release` undoes what [`Given`] did.
pub(crate) unsafe trait Handle: Sized + 'static {
    /// Its name in the header, without the prefix.
    const KIND: &'static str;

    /// # Safety
    /// The pointer was given out and is not used again.
    unsafe fn release(pointer: *mut Self);
}

macro_rules! boxed {
    ($($ty:ty: $kind:literal),*) => {$(
        // SAFETY: `Given::give` makes a box of it, and only `Out::free` comes here, once.
        unsafe impl Handle for $ty {
            const KIND: &'static str = $kind;
            unsafe fn release(pointer: *mut Self) {
                if cfg!(debug_assertions) {
                    // SAFETY: it was a box, so that it is valid, and is dropped once. The memory is kept as what it
                    // is: room for a value that is not set.
                    let rest = unsafe {
                        pointer.drop_in_place();
                        Box::from_raw(pointer.cast::<MaybeUninit<Self>>())
                    };
                    live::keep(|| rest);
                } else {
                    // SAFETY: it was a box.
                    drop(unsafe { Box::from_raw(pointer) });
                }
            }
        }
    )*};
}
boxed!(Error: "error", crate::query::Query: "query", crate::overlay::Overlay: "overlay", crate::slot::Slot: "slot",
    crate::editor::Editor: "editor", crate::filter::Mask: "mask", crate::map::Map: "map", crate::corridor::Corridor: "corridor", crate::crowd::Crowd: "crowd",
    crate::findings::Findings: "findings", crate::diff::Diff: "diff");

// SAFETY: `Given::share` and `retain` give out one reference each, which is taken back here.
unsafe impl Handle for World {
    const KIND: &'static str = "world";
    unsafe fn release(pointer: *mut Self) {
        // SAFETY: it came from `Arc::into_raw`, and one reference is the caller's.
        let world = unsafe { Arc::from_raw(pointer.cast_const()) };
        live::keep(|| Box::new(Arc::downgrade(&world)));
    }
}
