//! Configuration of the process's work: its kind, seed and rates.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{OnceLock, PoisonError, RwLock};

use crate::Kind;
use crate::calibration::{Rates, measure};
use crate::clock::FastClock;

/// The way in which work is done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// The way in which `do_work` passes its time.
    pub kind: Kind,
    /// Seeds the generators: each thread draws from a part of the seed's sequence that no other reaches.
    pub seed: u64,
    /// Rates from [`crate::calibration::obtain`]; without them, the needed ones are measured at first use, in some 10
    /// ms (`counted`: 100 ms).
    pub rates: Option<Rates>,
}

impl Default for Config {
    fn default() -> Self {
        Config { kind: Kind::Spin, seed: 0x4154_5321, rates: None }
    }
}

impl Config {
    pub(crate) fn clock(&self) -> FastClock {
        FastClock::new(|| self.rates.map_or_else(measured_ticks_per_second, |rates| rates.ticks_per_second))
    }

    pub(crate) fn iterations_per_second(&self) -> f64 {
        self.rates.map_or_else(measured_iterations_per_second, |rates| rates.iterations_per_second)
    }
}

fn measured_ticks_per_second() -> f64 {
    static MEASURED: OnceLock<f64> = OnceLock::new();
    *MEASURED.get_or_init(|| measure::ticks_per_second(0.01))
}

fn measured_iterations_per_second() -> f64 {
    static MEASURED: OnceLock<f64> = OnceLock::new();
    *MEASURED.get_or_init(|| measure::iterations_per_second(0.005, 7))
}

/// The configuration of the process; threads look at it only when [`VERSION`] has changed, so that work takes no lock.
static PROCESS: RwLock<Option<Config>> = RwLock::new(None);
static VERSION: AtomicU64 = AtomicU64::new(0);

/// Sets how work is done on every thread of the process that has not been configured by [`crate::configure_thread`].
///
/// A thread takes it over, and starts its generator anew, when it next works.
///
/// ```
/// use ats_work::{Config, Kind};
/// ats_work::configure(Config { kind: Kind::default_for(8, ats_work::machine::cores()), ..Config::default() });
/// ats_work::do_work(0.001);
/// ```
pub fn configure(config: Config) {
    *PROCESS.write().unwrap_or_else(PoisonError::into_inner) = Some(config);
    VERSION.fetch_add(1, Ordering::Release);
}

/// The process' configuration; it is that of `version()` or a later one.
pub(crate) fn process() -> Config {
    PROCESS.read().unwrap_or_else(PoisonError::into_inner).unwrap_or_default()
}

pub(crate) fn version() -> u64 {
    VERSION.load(Ordering::Acquire)
}
