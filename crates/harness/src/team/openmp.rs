//! Programs with LLVM's OpenMP runtime.

use ats_omp::openmp;

use crate::refusal::Refusal;

pub use openmp::OpenMp as Engine;

/// A team of `threads` threads; if cores are crowded, waiting ones give theirs away.
pub(super) fn engine(threads: usize, crowded: bool) -> Result<Option<Engine>, Refusal> {
    openmp::check().map_err(|error| Refusal::Missing(error.to_string()))?;
    if crowded {
        openmp::wait_passively();
    }
    openmp::set_max_threads(threads);
    Ok(Some(Engine))
}

/// The runtime, by its file.
pub(crate) fn name() -> Option<String> {
    openmp::library().map(|path| path.display().to_string())
}
