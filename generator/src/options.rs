//! How programs are generated.

use std::collections::BTreeMap;

use crate::{Language, SuiteSource, Team};

/// What a property is known to show with its defaults.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnownSeverity {
    /// With how many ranks.
    pub ranks: u32,
    /// Of how many threads each.
    pub threads: u32,
    /// How much.
    pub amount: Amount,
}

/// How much a property shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// Of a wait state.
    Wait {
        /// Summed over all locations, in seconds.
        waiting_time: f64,
        /// Waiting time as a share of the measured region's time over all locations.
        severity: f64,
    },
    /// Of what is counted, over all locations.
    Count(u64),
}

/// How programs are generated.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Where they find the suite's crates.
    pub suite: SuiteSource,
    /// What they are written in.
    pub language: Language,
    /// What runs the threads of those in Rust that have some.
    pub team: Team,
    /// Write into a folder that is not empty, over the files of a former program; others stay.
    pub force: bool,
    /// Make one executable of the properties in Rust that run on the same, with a link for each ([`Generated::link`](crate::Generated::link)): it
    /// is built in a fraction of the time.
    pub together: bool,
    /// Link at a fixed address.
    pub no_pie: bool,
    /// Where those in C and Fortran find `libats` unless they are told; none where pkg-config has to know.
    pub prefix: Option<String>,
    /// For the READMEs: what is known to be shown, by the property's name.
    pub severities: BTreeMap<String, Vec<KnownSeverity>>,
}

impl Options {
    /// In Rust, into new folders, with OpenMP, without known severities.
    pub fn new(suite: SuiteSource) -> Self {
        Options {
            suite,
            language: Language::Rust,
            team: Team::OpenMp,
            force: false,
            together: false,
            no_pie: false,
            prefix: None,
            severities: BTreeMap::new(),
        }
    }
}
