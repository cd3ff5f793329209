//! Work of the machine for the locations of a run: processors that they share, and samples of the system's counters.

use serde::{Deserialize, Serialize};

pub use ats_model::definitions::SharedProcessors;
use ats_model::locations::Location;

/// Work of the machine for a run, as far as the trace tells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Machine {
    /// The machines whose locations have to share processors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared: Vec<SharedProcessors>,
    /// The locations whose counters were sampled, in the order of the trace.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<Counted>,
}

/// The counters of a location, from the first sample to the last. It *computes* where it is in no call of MPI, and waits
/// in no construct of OpenMP.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counted {
    /// The location.
    #[serde(flatten)]
    pub location: Location,
    /// Seconds between the samples.
    pub seconds: f64,
    /// Seconds of them in which it had a processor, in calls, too.
    pub processor: f64,
    /// Seconds of computing in which it had a processor.
    pub computing: f64,
    /// Seconds of computing in which it had none although it could go on, at least. Sleeping is none of it.
    pub not_running: f64,
    /// The number of times that it lost the processor while it could go on, or let others go first.
    pub involuntary_switches: u64,
    /// The number of times that it gave the processor back, to sleep or to wait.
    pub voluntary_switches: u64,
    /// Page faults.
    pub page_faults: u64,
    /// Page faults in computing.
    pub page_faults_computing: u64,
    /// Seconds that its recorder took: to write its buffers and, by estimate, for each event.
    pub recording: f64,
}

/// The share of its computing in which a location does not run that is worth a word. Less is common: kernels and other
/// services need the processors, too.
const NOT_RUNNING: f64 = 0.05;

/// The least seconds of it: a few turns of other threads.
const NOT_RUNNING_SECONDS: f64 = 0.02;

impl Machine {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Machine::default()
    }

    /// The counters of a location.
    pub fn counted(&self, location: Location) -> Option<&Counted> {
        self.locations.iter().find(|of| of.location == location)
    }

    /// Whether locations share processors, or one was without its processor for a good part of its computing.
    pub fn lacks_processors(&self) -> bool {
        !self.shared.is_empty() || self.locations.iter().any(Counted::lost_processor)
    }
}

impl Counted {
    /// Whether it was without a processor for a good part of its computing.
    pub fn lost_processor(&self) -> bool {
        let wanted = self.computing + self.not_running;
        self.not_running >= NOT_RUNNING_SECONDS && self.not_running >= NOT_RUNNING * wanted
    }
}
