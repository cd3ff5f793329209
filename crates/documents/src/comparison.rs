//! Comparison of two runs: where the second takes longer, and why: the document `ats-comparison/1`.

use serde::{Deserialize, Serialize};

use ats_model::{CallSite, WaitState, named};

use crate::Basis;

/// `ats-comparison/1`: the difference of the location-seconds of two runs, or of several runs of each, divided by their use
/// and by place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// The schema's name, `ats-comparison/1`.
    pub schema: String,
    /// The runs that are compared with.
    pub a: Compared,
    /// The runs that are compared.
    pub b: Compared,
    /// The unit of all amounts below.
    pub measure: Measure,
    /// The difference of the location-seconds; of shares there is none.
    pub whole: Difference,
    /// The same by use, the largest first: these add up to the whole. A use that takes no time in any run is left out.
    pub terms: Vec<TermDifference>,
    /// Limits of what the traces tell, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Runs of one program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Compared {
    /// The traces or experiments, as they were named.
    pub runs: Vec<String>,
    /// The number of processes.
    pub ranks: u32,
    /// The number of locations.
    pub locations: u32,
    /// The basis of the first run, with the mean times of all.
    pub basis: Basis,
}

named! {
    /// The unit of the amounts of a comparison.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Measure {
        /// Seconds, over all locations.
        #[default]
        Seconds = "seconds",
        /// Shares of the location-seconds of the own run, from 0 to 1.
        Shares = "shares",
    }
}

/// An amount of both sides, each the mean of its runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Difference {
    /// The amount of A.
    pub a: f64,
    /// The amount of B.
    pub b: f64,
    /// The least difference that is more than noise, by the spread of the runs; absent if there is one run a side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise: Option<f64>,
}

impl Difference {
    /// The amount that B has more than A.
    pub fn change(&self) -> f64 {
        self.b - self.a
    }

    /// Whether runs of one program differ as much; `false` if that is not known.
    pub fn is_noise(&self) -> bool {
        self.noise.is_some_and(|noise| self.change().abs() < noise)
    }
}

named! {
    /// A use of location-seconds.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Term {
        /// Code of the program, if shares are compared.
        Computing = "computing",
        /// Code of the program that is passed more often, or less often, each pass as long as in A.
        MoreWork = "more_work",
        /// Code of the program whose passes take longer, or shorter.
        SlowerWork = "slower_work",
        /// Waits for messages.
        Messages = "waiting_for_messages",
        /// Waits in collective operations, barriers of MPI, and `MPI_Finalize`.
        Collectives = "waiting_in_collectives",
        /// Waits at barriers of OpenMP.
        OmpBarriers = "waiting_at_omp_barriers",
        /// Waits for critical sections and locks.
        Locks = "waiting_for_locks",
        /// Calls of MPI that move data or let all meet, besides waits.
        Transfer = "transfer",
        /// Other calls of MPI besides waits.
        OtherMpi = "other_mpi",
        /// Threads without work.
        Idle = "idle",
        /// The runtime of threads besides waits.
        Runtime = "runtime",
        /// Code of the program that had no processor.
        NotRunning = "not_running",
        /// Time in which the recorder wrote its buffers.
        Recorder = "recorder",
        /// Locations that had not begun or had ended, or were not in the region that is the basis.
        Absent = "absent",
        /// Calls that are not analyzed.
        NotAnalyzed = "not_analyzed",
        /// Code between tests in vain of requests that are not receives.
        Polling = "polling",
        /// Time that was not recorded.
        NotRecorded = "not_recorded",
    }
}

/// The difference of a use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TermDifference {
    /// The use. More work and slower work lie one behind the other: the first leads from the seconds of A to those that the
    /// passes of B would take in A, the second from there to the seconds of B.
    pub term: Term,
    /// Its amounts.
    #[serde(flatten)]
    pub difference: Difference,
    /// The same by place, the largest first: these add up to it. Places without a difference are left out.
    pub places: Vec<PlaceDifference>,
}

/// The difference of a use at a place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlaceDifference {
    /// The wait state, of waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_state: Option<WaitState>,
    /// The place.
    #[serde(flatten)]
    pub place: MatchedPlace,
    /// Its amounts.
    #[serde(flatten)]
    pub difference: Difference,
    /// Visits of the place in A and in B, over all locations; of whole runs.
    pub visits: [f64; 2],
    /// Bytes that it sent and received in A and in B, over all locations; of whole runs.
    pub bytes: [f64; 2],
    /// The root causes of waits, the largest difference first; without those that do not differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<CauseDifference>,
}

/// The difference of the waits that a delay elsewhere costs. What is missing to the difference of all waits has no known cause.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CauseDifference {
    /// The code that delays.
    #[serde(flatten)]
    pub place: MatchedPlace,
    /// The waits for it.
    #[serde(flatten)]
    pub difference: Difference,
}

/// A place in both programs.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchedPlace {
    /// The call path in A, in B if it is only there: the names of its regions; empty for time outside all regions, or without
    /// a place.
    pub call_path: Vec<String>,
    /// The place of its innermost call in the source, if the trace has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_site: Option<CallSite>,
    /// The call path in B, where names differ: it was moved or renamed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_path_in_b: Option<Vec<String>>,
    /// The side that it is only on: it fits none of the other's places.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_in: Option<Side>,
}

named! {
    /// A side of a comparison.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Side {
        /// That is compared with.
        A = "a",
        /// That is compared.
        B = "b",
    }
}

impl Comparison {
    /// The value of [`Comparison::schema`].
    pub const SCHEMA: &str = "ats-comparison/1";

    /// The least share of a run's location-seconds of a difference that is worth a word, unless another is asked for.
    /// A smaller one is hard to tell from the differences between two runs.
    pub const LEAST_SHARE: f64 = 0.01;

    /// A difference as a share of the location-seconds of A.
    pub fn share(&self, of: &Difference) -> f64 {
        match self.measure {
            Measure::Seconds => self.a.basis.severity(of.change()),
            Measure::Shares => of.change(),
        }
    }

    /// Whether a difference has at least this share, and is not noise.
    pub fn is_above(&self, share: f64, of: &Difference) -> bool {
        self.share(of).abs() >= share && !of.is_noise()
    }

    /// The uses that B spends more on, by at least this share of A's location-seconds, and by more than noise.
    pub fn slower(&self, share: f64) -> impl Iterator<Item = &TermDifference> {
        let is_slower =
            move |of: &&TermDifference| of.difference.change() > 0.0 && self.is_above(share, &of.difference);
        self.terms.iter().filter(is_slower)
    }

    /// Whether the spread of repeated runs is known.
    pub fn knows_spread(&self) -> bool {
        self.whole.noise.is_some()
    }
}
