//! Names the shared library as the loader expects it, by the versions that a program may take in place of each other: `libnavmap.so.1`,
//! and before that `libnavmap.so.0.1`, since before 1.0 a minor version may break programs.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let system = env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let part = |name: &str| env::var(format!("CARGO_PKG_VERSION_{name}")).unwrap_or_default();
    let mut line = part("MAJOR");
    if line == "0" {
        line = format!("{line}.{}", part("MINOR"));
    }
    match system.as_str() {
        "linux" | "freebsd" | "netbsd" | "openbsd" | "dragonfly" | "android" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libnavmap.so.{line}");
        }
        "macos" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libnavmap.{line}.dylib");
        }
        _ => {}
    }
}
