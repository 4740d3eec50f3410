//! The functions of DuckDB that are used. The table is never read as a whole, because an older DuckDB has a shorter one.

use libduckdb_sys as ffi;
use std::ffi::{c_char, c_void};
use std::sync::OnceLock;

macro_rules! api {
    ($($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)+) => {
        /// The used functions of the C API.
        pub(super) struct Api { $(pub(super) $name: unsafe extern "C" fn($($argument),*) $(-> $result)?),+ }

        impl Api {
            /// Copies the functions; `None` if one is missing.
            ///
            /// # Safety
            /// `table` is a table of functions of DuckDB that goes at least as far as that of C API 1.2.0.
            pub(super) unsafe fn copy(table: *const ffi::duckdb_ext_api_v1) -> Option<Self> {
                // SAFETY: each of these fields lies before those that came after 1.2.0, so within what the caller
                // vouches for; only they are read, and no reference to the table is made.
                unsafe { Some(Self { $($name: (*table).$name?),+ }) }
            }
        }
    };
}

api! {
    duckdb_connect: fn(ffi::duckdb_database, *mut ffi::duckdb_connection) -> ffi::duckdb_state;
    duckdb_disconnect: fn(*mut ffi::duckdb_connection);
    duckdb_free: fn(*mut c_void);
    duckdb_vector_size: fn() -> ffi::idx_t;
    duckdb_create_logical_type: fn(ffi::duckdb_type) -> ffi::duckdb_logical_type;
    duckdb_destroy_logical_type: fn(*mut ffi::duckdb_logical_type);
    duckdb_get_type_id: fn(ffi::duckdb_logical_type) -> ffi::duckdb_type;
    duckdb_get_value_type: fn(ffi::duckdb_value) -> ffi::duckdb_logical_type;
    duckdb_get_varchar: fn(ffi::duckdb_value) -> *mut c_char;
    duckdb_get_bool: fn(ffi::duckdb_value) -> bool;
    duckdb_is_null_value: fn(ffi::duckdb_value) -> bool;
    duckdb_get_list_size: fn(ffi::duckdb_value) -> ffi::idx_t;
    duckdb_get_list_child: fn(ffi::duckdb_value, ffi::idx_t) -> ffi::duckdb_value;
    duckdb_destroy_value: fn(*mut ffi::duckdb_value);
    duckdb_data_chunk_get_column_count: fn(ffi::duckdb_data_chunk) -> ffi::idx_t;
    duckdb_data_chunk_get_vector: fn(ffi::duckdb_data_chunk, ffi::idx_t) -> ffi::duckdb_vector;
    duckdb_data_chunk_set_size: fn(ffi::duckdb_data_chunk, ffi::idx_t);
    duckdb_vector_get_data: fn(ffi::duckdb_vector) -> *mut c_void;
    duckdb_vector_get_validity: fn(ffi::duckdb_vector) -> *mut u64;
    duckdb_vector_ensure_validity_writable: fn(ffi::duckdb_vector);
    duckdb_vector_assign_string_element_len: fn(ffi::duckdb_vector, ffi::idx_t, *const c_char, ffi::idx_t);
    duckdb_create_table_function: fn() -> ffi::duckdb_table_function;
    duckdb_destroy_table_function: fn(*mut ffi::duckdb_table_function);
    duckdb_table_function_set_name: fn(ffi::duckdb_table_function, *const c_char);
    duckdb_table_function_add_parameter: fn(ffi::duckdb_table_function, ffi::duckdb_logical_type);
    duckdb_table_function_add_named_parameter: fn(ffi::duckdb_table_function, *const c_char, ffi::duckdb_logical_type);
    duckdb_table_function_set_extra_info: fn(ffi::duckdb_table_function, *mut c_void, ffi::duckdb_delete_callback_t);
    duckdb_table_function_set_bind: fn(ffi::duckdb_table_function, ffi::duckdb_table_function_bind_t);
    duckdb_table_function_set_init: fn(ffi::duckdb_table_function, ffi::duckdb_table_function_init_t);
    duckdb_table_function_set_local_init: fn(ffi::duckdb_table_function, ffi::duckdb_table_function_init_t);
    duckdb_table_function_set_function: fn(ffi::duckdb_table_function, ffi::duckdb_table_function_t);
    duckdb_table_function_supports_projection_pushdown: fn(ffi::duckdb_table_function, bool);
    duckdb_register_table_function: fn(ffi::duckdb_connection, ffi::duckdb_table_function) -> ffi::duckdb_state;
    duckdb_bind_get_extra_info: fn(ffi::duckdb_bind_info) -> *mut c_void;
    duckdb_bind_add_result_column: fn(ffi::duckdb_bind_info, *const c_char, ffi::duckdb_logical_type);
    duckdb_bind_get_parameter: fn(ffi::duckdb_bind_info, ffi::idx_t) -> ffi::duckdb_value;
    duckdb_bind_get_named_parameter: fn(ffi::duckdb_bind_info, *const c_char) -> ffi::duckdb_value;
    duckdb_bind_set_bind_data: fn(ffi::duckdb_bind_info, *mut c_void, ffi::duckdb_delete_callback_t);
    duckdb_bind_set_error: fn(ffi::duckdb_bind_info, *const c_char);
    duckdb_init_get_bind_data: fn(ffi::duckdb_init_info) -> *mut c_void;
    duckdb_init_set_init_data: fn(ffi::duckdb_init_info, *mut c_void, ffi::duckdb_delete_callback_t);
    duckdb_init_get_column_count: fn(ffi::duckdb_init_info) -> ffi::idx_t;
    duckdb_init_get_column_index: fn(ffi::duckdb_init_info, ffi::idx_t) -> ffi::idx_t;
    duckdb_init_set_max_threads: fn(ffi::duckdb_init_info, ffi::idx_t);
    duckdb_init_set_error: fn(ffi::duckdb_init_info, *const c_char);
    duckdb_function_get_init_data: fn(ffi::duckdb_function_info) -> *mut c_void;
    duckdb_function_get_local_init_data: fn(ffi::duckdb_function_info) -> *mut c_void;
    duckdb_function_set_error: fn(ffi::duckdb_function_info, *const c_char);
}

/// That of the DuckDB that has loaded the extension.
pub(super) static API: OnceLock<Api> = OnceLock::new();

/// The C API. Callable only from functions that [`load`](super::load) registered, since it sets the API first.
pub(super) fn api() -> &'static Api {
    API.get().expect("DuckDB has loaded the extension")
}
