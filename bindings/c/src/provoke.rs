//! Functions that only tests call, to provoke failures. They exist in debug builds of the library only, and not in the header.

use crate::query::Query;
use crate::status::Status;
use std::ffi::c_void;

/// Is called while the query is taken.
pub type WhileTaken = Option<extern "C" fn(query: *const Query, user: *mut c_void) -> i32>;

entries! {
    /// Panics while the query is being changed.
    fn navmap_provoke_panic(query: *mut Query; error) {
        let _turn = query.handle()?.turn("query")?;
        panic!("provoked")
    }

    /// Calls back while the query is taken.
    fn navmap_provoke_busy(query: *mut Query, each: WhileTaken, user: *mut c_void) {
        let (query, user) = (query.handle()?, user.user());
        let _turn = query.turn("query")?;
        if let Some(each) = each {
            each(std::ptr::from_ref(query), user.pointer());
        }
        Ok(Status::Ok)
    }
}
