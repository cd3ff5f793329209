//! OTF2 event traces in and out, in Rust.
