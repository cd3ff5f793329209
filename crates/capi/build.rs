//! Gives the shared library the name that programs are linked with.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libats.so.{}", env!("CARGO_PKG_VERSION_MAJOR"));
}
