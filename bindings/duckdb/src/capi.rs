//! Table functions of DuckDB behind a safe trait: its C API, called through the table of functions that it passes.
//!
//! Only functions of the C API's first stable version, 1.2.0, are used; every later DuckDB has them at the same positions.

mod api;
mod chunk;
mod value;

pub(crate) use chunk::Chunk;

use api::{API, Api, api};
use libduckdb_sys as ffi;
use navmap_table::Type;
use std::any::Any;
use std::ffi::{CStr, CString, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use value::{Kind, Value, type_id};

/// The requested version of the C API.
const VERSION: &CStr = c"v1.2.0";

/// A table function. An error of any method ends the statement and is its message.
pub(crate) trait Function: Send + Sync + 'static {
    /// The request of a call.
    type Bound: Send + Sync + 'static;
    /// State shared by all threads that make the rows of a call.
    type Scan: Send + Sync + 'static;
    /// State of each of these threads.
    type Local: Default + Send + 'static;

    /// The function's name in SQL.
    fn name(&self) -> &str;
    /// Whether it takes paths: a text, or a list of texts.
    fn takes_paths(&self) -> bool;
    /// Names of the options switched on by `name := true`.
    fn switches(&self) -> &'static [&'static CStr];
    /// Names of the options that are texts.
    fn words(&self) -> &'static [&'static CStr];
    /// Reads a call: its paths, the options that are on, and for each of [`words`](Self::words) its text. Returns names and types
    /// of the columns too.
    fn bind(
        &self,
        paths: Vec<String>,
        on: Vec<bool>,
        words: Vec<Option<String>>,
    ) -> Result<(Columns, Self::Bound), String>;
    /// Starts making rows. `wanted` maps each column of a chunk to a column of the function; `None` is a column that nobody
    /// reads. Returns how many threads may help.
    fn begin(bound: &Self::Bound, wanted: Vec<Option<usize>>) -> Result<(Self::Scan, u64), String>;
    /// Makes the next rows and returns their number; 0 is the end.
    fn fill(scan: &Self::Scan, local: &mut Self::Local, chunk: &mut Chunk<'_>) -> Result<usize, String>;
}

/// Names and types of columns.
pub(crate) type Columns = Vec<(&'static str, Type)>;

/// The entry point that DuckDB calls when it loads a file named `navmap.duckdb_extension`.
///
/// # Safety
/// Only DuckDB calls it, with what belongs to this call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navmap_init_c_api(
    info: ffi::duckdb_extension_info,
    access: *const ffi::duckdb_extension_access,
) -> bool {
    // SAFETY: DuckDB hands over a pointer to its own functions, which are valid during the call.
    let Some(access) = (unsafe { access.as_ref() }) else { return false };
    // SAFETY: `info` and `access` are those of this call.
    let loaded = guarded(|| unsafe { load(info, access, crate::rows::functions()) });
    match (loaded, access.set_error) {
        (Ok(()), _) => true,
        (Err(why), Some(set_error)) => {
            // SAFETY: the text is copied before it is dropped.
            unsafe { set_error(info, text(&why).as_ptr()) };
            false
        }
        (Err(_), None) => false,
    }
}

/// Registers functions.
///
/// # Safety
/// `info` and `access` are what DuckDB hands to the entry point of an extension, before it returns.
unsafe fn load<F: Function>(
    info: ffi::duckdb_extension_info,
    access: &ffi::duckdb_extension_access,
    functions: Vec<F>,
) -> Result<(), String> {
    let (Some(get_api), Some(get_database)) = (access.get_api, access.get_database) else {
        return Err("DuckDB hands over no functions".to_owned());
    };
    // SAFETY: `info` is that of this call; DuckDB answers with NULL if it has not this version.
    let table = unsafe { get_api(info, VERSION.as_ptr()) };
    if table.is_null() {
        return Err("this DuckDB is older than 1.2".to_owned());
    }
    // SAFETY: DuckDB vouches that the table goes as far as the version that was asked for, and it is not NULL.
    let own = unsafe { Api::copy(table.cast()) }.ok_or("this DuckDB lacks functions of C API 1.2")?;
    let connect = own.duckdb_connect as usize;
    if API.get_or_init(|| own).duckdb_connect as usize != connect {
        return Err("another DuckDB has loaded the extension in this process".to_owned());
    }
    // SAFETY: `info` is that of this call. The database stays open while its extension is loaded.
    let database = unsafe { get_database(info).as_ref() }.ok_or("DuckDB names no database")?;
    let mut connection = std::ptr::null_mut();
    // SAFETY: the database is open, and `connection` is a place to write to.
    if unsafe { (api().duckdb_connect)(*database, &raw mut connection) } != 0 {
        return Err("DuckDB lets the extension not connect".to_owned());
    }
    let registered = functions.into_iter().try_for_each(|function| {
        // SAFETY: the connection is open.
        unsafe { register(connection, function) }
    });
    // SAFETY: the connection is open, and not used after this.
    unsafe { (api().duckdb_disconnect)(&raw mut connection) };
    registered
}

/// Registers one function.
///
/// # Safety
/// `connection` is open.
unsafe fn register<F: Function>(connection: ffi::duckdb_connection, function: F) -> Result<(), String> {
    let api = api();
    let (name, takes_paths) = (function.name().to_owned(), function.takes_paths());
    let (switches, words) = (function.switches(), function.words());
    // SAFETY: `made` is used until it is destroyed and not after; texts and types are copied by DuckDB. The box goes to
    // DuckDB with the function that drops it, as the type that `bind` takes it for. The callbacks are those for `F`.
    let state = unsafe {
        let mut made = (api.duckdb_create_table_function)();
        (api.duckdb_table_function_set_name)(made, text(&name).as_ptr());
        if takes_paths {
            let any = Kind::from_id(ffi::DUCKDB_TYPE_DUCKDB_TYPE_ANY);
            (api.duckdb_table_function_add_parameter)(made, any.0);
        }
        for switch in switches {
            let kind = Kind::from_id(ffi::DUCKDB_TYPE_DUCKDB_TYPE_BOOLEAN);
            (api.duckdb_table_function_add_named_parameter)(made, switch.as_ptr(), kind.0);
        }
        for word in words {
            let kind = Kind::from_id(ffi::DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR);
            (api.duckdb_table_function_add_named_parameter)(made, word.as_ptr(), kind.0);
        }
        (api.duckdb_table_function_set_extra_info)(made, boxed(function), Some(dropped::<F>));
        (api.duckdb_table_function_set_bind)(made, Some(bind::<F>));
        (api.duckdb_table_function_set_init)(made, Some(begin::<F>));
        (api.duckdb_table_function_set_local_init)(made, Some(local::<F>));
        (api.duckdb_table_function_set_function)(made, Some(fill::<F>));
        (api.duckdb_table_function_supports_projection_pushdown)(made, true);
        let state = (api.duckdb_register_table_function)(connection, made);
        (api.duckdb_destroy_table_function)(&raw mut made);
        state
    };
    if state == 0 { Ok(()) } else { Err(format!("DuckDB takes no function {name}")) }
}

/// The result of binding a call.
struct Call<F: Function> {
    columns: Columns,
    bound: F::Bound,
}

/// A call whose rows are being made.
struct Begun<F: Function> {
    /// The types of the columns of a chunk.
    kinds: Vec<Option<Type>>,
    scan: F::Scan,
}

/// DuckDB asks for the columns of a call.
unsafe extern "C" fn bind<F: Function>(info: ffi::duckdb_bind_info) {
    let api = api();
    let done = guarded(|| {
        // SAFETY: `info` is that of this call, and belongs to a function that `register` gave a box of an `F`. It is
        // only read, by however many threads: `F` is `Sync`.
        let function = unsafe { &*(api.duckdb_bind_get_extra_info)(info).cast::<F>() };
        let mut paths = Vec::new();
        if function.takes_paths() {
            // SAFETY: the function has one parameter, so each call has one; NULL is looked for in `Value`.
            let value = Value(unsafe { (api.duckdb_bind_get_parameter)(info, 0) });
            value.texts(&mut paths)?;
        }
        let named = |name: &CStr| {
            // SAFETY: the name is that of a parameter. The answer is NULL if the call does not have it.
            Value(unsafe { (api.duckdb_bind_get_named_parameter)(info, name.as_ptr()) })
        };
        let on = function.switches().iter().map(|name| named(name).is_true()).collect();
        let words = function.words().iter().map(|name| named(name).word()).collect::<Result<_, _>>()?;
        let (columns, bound) = function.bind(paths, on, words)?;
        for (name, kind) in &columns {
            let kind = Kind::from_id(type_id(*kind));
            // SAFETY: DuckDB copies name and type.
            unsafe { (api.duckdb_bind_add_result_column)(info, text(name).as_ptr(), kind.0) };
        }
        let call = boxed(Call::<F> { columns, bound });
        // SAFETY: the box goes to DuckDB with the function that drops it, as the type that `begin` takes it for.
        unsafe { (api.duckdb_bind_set_bind_data)(info, call, Some(dropped::<Call<F>>)) };
        Ok(())
    });
    if let Err(why) = done {
        // SAFETY: `info` is that of this call, and the text is copied.
        unsafe { (api.duckdb_bind_set_error)(info, text(&why).as_ptr()) };
    }
}

/// DuckDB begins a call, once for all threads.
unsafe extern "C" fn begin<F: Function>(info: ffi::duckdb_init_info) {
    let api = api();
    let done = guarded(|| {
        // SAFETY: `bind` has left a box of this type, which lives longer than the call. It is only read: it is `Sync`.
        let call = unsafe { &*(api.duckdb_init_get_bind_data)(info).cast::<Call<F>>() };
        // SAFETY: `info` is that of this call.
        let count = unsafe { (api.duckdb_init_get_column_count)(info) };
        // SAFETY: as above, and columns are asked for below their count.
        let index = |at| unsafe { (api.duckdb_init_get_column_index)(info, at) };
        // Columns past the last are DuckDB's own, such as the one that `count(*)` asks for.
        let known = |at| usize::try_from(index(at)).ok().filter(|column| *column < call.columns.len());
        let wanted: Vec<Option<usize>> = (0..count).map(known).collect();
        let kind = |column: &Option<usize>| column.and_then(|at| call.columns.get(at)).map(|column| column.1);
        let kinds = wanted.iter().map(kind).collect();
        let (scan, threads) = F::begin(&call.bound, wanted)?;
        let begun = boxed(Begun::<F> { kinds, scan });
        // SAFETY: the box goes to DuckDB with the function that drops it, as the type that `fill` takes it for.
        unsafe {
            (api.duckdb_init_set_init_data)(info, begun, Some(dropped::<Begun<F>>));
            (api.duckdb_init_set_max_threads)(info, threads);
        }
        Ok(())
    });
    if let Err(why) = done {
        // SAFETY: `info` is that of this call, and the text is copied.
        unsafe { (api.duckdb_init_set_error)(info, text(&why).as_ptr()) };
    }
}

/// A thread of DuckDB begins to help with a call.
unsafe extern "C" fn local<F: Function>(info: ffi::duckdb_init_info) {
    let api = api();
    let done = guarded(|| Ok(boxed(F::Local::default())));
    match done {
        // SAFETY: the box goes to DuckDB with the function that drops it, as the type that `fill` takes it for.
        Ok(made) => unsafe { (api.duckdb_init_set_init_data)(info, made, Some(dropped::<F::Local>)) },
        // SAFETY: `info` is that of this call, and the text is copied.
        Err(why) => unsafe { (api.duckdb_init_set_error)(info, text(&why).as_ptr()) },
    }
}

/// A thread of DuckDB asks for rows.
unsafe extern "C" fn fill<F: Function>(info: ffi::duckdb_function_info, output: ffi::duckdb_data_chunk) {
    let api = api();
    let done = guarded(|| {
        // SAFETY: `begin` and `local` have left boxes of these types, which live longer than the call. What `begin` left is
        // only read: it is `Sync`. What `local` left belongs to the thread that calls, so nobody else has it now.
        let (begun, local) = unsafe {
            let begun = (api.duckdb_function_get_init_data)(info).cast::<Begun<F>>();
            let local = (api.duckdb_function_get_local_init_data)(info).cast::<F::Local>();
            (&*begun, &mut *local)
        };
        // SAFETY: the chunk is that of this call. `Chunk` relies on its vectors being of these kinds and of this size, which
        // is what `bind` declared and `begin` was asked for.
        let (columns, capacity) =
            unsafe { ((api.duckdb_data_chunk_get_column_count)(output), (api.duckdb_vector_size)()) };
        if columns != begun.kinds.len() as u64 {
            return Err("DuckDB asks for other columns than it began with".to_owned());
        }
        let capacity = usize::try_from(capacity).map_err(|error| error.to_string())?;
        let mut chunk = Chunk { chunk: output, kinds: &begun.kinds, capacity };
        let rows = F::fill(&begun.scan, local, &mut chunk)?.min(capacity);
        // SAFETY: the chunk is that of this call, and has room for so many.
        unsafe { (api.duckdb_data_chunk_set_size)(output, rows as u64) };
        Ok(())
    });
    if let Err(why) = done {
        // SAFETY: `info` is that of this call, and the text is copied.
        unsafe { (api.duckdb_function_set_error)(info, text(&why).as_ptr()) };
    }
}

/// Boxes a value for DuckDB, which frees it with [`dropped`].
fn boxed<T: Send + 'static>(value: T) -> *mut c_void {
    Box::into_raw(Box::new(value)).cast()
}

/// Frees a value that DuckDB no longer needs.
///
/// # Safety
/// The value is one of [`boxed`], of this type, and nobody has it any more.
unsafe extern "C" fn dropped<T>(value: *mut c_void) {
    // SAFETY: as the caller says; nobody but DuckDB calls this, once.
    let value = unsafe { Box::from_raw(value.cast::<T>()) };
    // A panic must not reach DuckDB, and nobody is left to receive an error.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(value)));
}

/// Runs code whose panics must not reach DuckDB.
fn guarded<T>(run: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| Err(format!("navmap: {}", reason(&*panic))))
}

/// What a panic says.
pub(crate) fn reason(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("it stopped")
}

/// A text for C, cut before its first NUL.
fn text(text: &str) -> CString {
    let whole = text.split('\0').next().unwrap_or_default();
    CString::new(whole).unwrap_or_default()
}
