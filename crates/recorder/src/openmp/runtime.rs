//! The OpenMP runtime that the recorder is a tool of.

use std::sync::OnceLock;

static NAME: OnceLock<String> = OnceLock::new();

/// Notes what it says of itself.
pub(super) fn is(name: String) {
    NAME.get_or_init(|| name);
}

/// The name that it reports; `None` without a runtime.
pub(crate) fn name() -> Option<&'static str> {
    NAME.get().map(String::as_str)
}
