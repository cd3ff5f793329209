//! Families of wait states.

use serde::{Deserialize, Serialize};

use crate::named;

named! {
    /// A family of wait states, or the counts: scores are averaged over families.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[allow(missing_docs, reason = "the words are the field's")]
    pub enum Class {
        PointToPoint = "point_to_point",
        Barrier = "barrier",
        Collective = "collective",
        InitAndFinalize = "init_and_finalize",
        OmpBarrier = "omp_barrier",
        OmpLock = "omp_lock",
        OmpThreads = "omp_threads",
        Count = "count",
    }
}
