//! Programs without threads.

use crate::refusal::Refusal;

pub use super::absent::Engine;

pub(super) fn engine(_threads: usize, _crowded: bool) -> Result<Option<Engine>, Refusal> {
    Err(Refusal::Missing(
        "this program was built without threads; its Cargo.toml has to ask for the feature `openmp` or `rayon` of \
         ats-harness"
            .to_owned(),
    ))
}

pub(crate) fn name() -> Option<String> {
    None
}
