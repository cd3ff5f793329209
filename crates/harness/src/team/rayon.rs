//! Programs with rayon's threads.

use crate::refusal::Refusal;

pub use ats_omp::rayon::RayonTeam as Engine;

/// A team of `threads` threads; waiting ones always give their cores away.
pub(super) fn engine(threads: usize, _crowded: bool) -> Result<Option<Engine>, Refusal> {
    Ok(Some(Engine::with_max_threads(threads)))
}

pub(crate) fn name() -> Option<String> {
    Some("rayon".to_owned())
}
