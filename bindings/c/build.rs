//! Names the shared library as the loader expects it: `libnavmap.so.0`, by the major version.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let system = env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let major = env::var("CARGO_PKG_VERSION_MAJOR").unwrap_or_default();
    match system.as_str() {
        "linux" | "freebsd" | "netbsd" | "openbsd" | "dragonfly" | "android" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libnavmap.so.{major}");
        }
        "macos" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libnavmap.{major}.dylib");
        }
        _ => {}
    }
}
