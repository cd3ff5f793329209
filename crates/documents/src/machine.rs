//! Work of the machine for the locations of a run: processors that they share, and samples of the system's counters.

use serde::{Deserialize, Serialize};

use ats_model::locations::{Location, in_a_sentence};

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

/// A machine with fewer processors than locations of the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SharedProcessors {
    /// The name of the machine.
    pub host: String,
    /// The number of locations of its processes.
    pub locations: usize,
    /// The number of processors that one of the processes at least may run on.
    pub processors: usize,
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

/// Seconds that a page fault takes, by estimate: the kernel finds a page and clears it. Virtual machines take longer.
const PAGE_FAULT: f64 = 0.5e-6;

/// The share of the seconds of a location, spent in page faults by estimate, that is worth a word.
const IN_PAGE_FAULTS: f64 = 0.01;

/// The least number of page faults that is: programs have some thousands as they start.
const PAGE_FAULTS: u64 = 10_000;

/// The share of the seconds of a location, spent by its recorder, that is worth a word.
const RECORDING: f64 = 0.1;

/// The number of locations that a sentence names.
const NAMED: usize = 3;

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

    /// The facts without which the times of the run are misread, a sentence each.
    pub fn sentences(&self) -> Vec<String> {
        let shared = self.shared.iter().map(SharedProcessors::sentence);
        shared.chain(self.not_running()).chain(self.faults()).chain(self.recording()).collect()
    }

    /// The locations that `are_meant`, those with most seconds first; up to [`NAMED`], each by `words`, which also get
    /// whether it is the first.
    fn named(
        &self,
        are_meant: impl Fn(&Counted) -> bool,
        seconds: impl Fn(&Counted) -> f64,
        words: impl Fn(&str, &Counted, bool) -> String,
    ) -> Option<String> {
        let mut all: Vec<&Counted> = self.locations.iter().filter(|of| are_meant(of)).collect();
        all.sort_by(|a, b| seconds(b).total_cmp(&seconds(a)));
        let has_threads = self.locations.iter().any(|of| of.location.thread > 0);
        let named = all.iter().take(NAMED).enumerate();
        let named =
            named.map(|(at, of)| words(&in_a_sentence(&[of.location], true, has_threads), of, at == 0));
        let mut parts: Vec<String> = named.collect();
        match all.len().saturating_sub(NAMED) {
            0 => {}
            1 => parts.push("one more location as well".to_owned()),
            more => parts.push(format!("{more} more locations as well")),
        }
        let sentence = match parts.as_slice() {
            [] => return None,
            [one] => one.clone(),
            [first @ .., last] => format!("{}, and {last}", first.join(", ")),
        };
        Some(sentence[..1].to_uppercase() + &sentence[1..])
    }

    fn not_running(&self) -> Option<String> {
        let words = |location: &str, of: &Counted, is_first: bool| {
            let wanted = of.computing + of.not_running;
            let percent = 100.0 * of.computing / wanted;
            let seconds = format!("({:.2} of {wanted:.2} s)", of.computing);
            match is_first {
                true => {
                    format!("{location} had its processor for {percent:.0} % of its computing {seconds}")
                }
                false => format!("{location} for {percent:.0} % {seconds}"),
            }
        };
        let said = self.named(Counted::lost_processor, |of| of.not_running, words)?;
        Some(format!("{said}: others ran there, or a limit of its time held it back."))
    }

    fn faults(&self) -> Option<String> {
        let are_many = |of: &Counted| {
            let faults = of.page_faults_computing;
            faults >= PAGE_FAULTS && faults as f64 * PAGE_FAULT >= IN_PAGE_FAULTS * of.seconds
        };
        let words = |location: &str, of: &Counted, _| {
            format!("{location} had {} page faults in its computing", of.page_faults_computing)
        };
        let said = self.named(are_many, |of| of.page_faults_computing as f64, words)?;
        Some(format!("{said}: the first touch of each page of memory takes far longer than others."))
    }

    fn recording(&self) -> Option<String> {
        let is_much = |of: &Counted| of.recording >= RECORDING * of.seconds && of.recording > 0.0;
        let words = |location: &str, of: &Counted, _| {
            format!("{:.2} of {:.2} s of {location}", of.recording, of.seconds)
        };
        let said = self.named(is_much, |of| of.recording, words)?;
        Some(format!("The recorder took {said}."))
    }
}

impl SharedProcessors {
    fn sentence(&self) -> String {
        let SharedProcessors { host, locations, processors } = self;
        let processors = match processors {
            1 => "one processor".to_owned(),
            more => format!("{more} processors"),
        };
        format!(
            "{locations} locations share {processors} of {host}: a wait, or a slow message, may be that of a location \
             that did not run. Measure again with a processor for each."
        )
    }
}

impl Counted {
    /// Whether it was without a processor for a good part of its computing.
    pub fn lost_processor(&self) -> bool {
        let wanted = self.computing + self.not_running;
        self.not_running >= NOT_RUNNING_SECONDS && self.not_running >= NOT_RUNNING * wanted
    }
}
