#![doc = include_str!("calibration/README.md")]

mod file;
pub(crate) mod measure;
mod notice;

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::machine::{self, Machine};
use crate::quantile::quantile;
pub use notice::Notice;

/// The machine's speeds, as far as work depends on them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rates {
    /// Iterations of random accesses that a core does in a second of processor time.
    pub iterations_per_second: f64,
    /// Ticks of the fast clock in a second: the time-stamp counter's, or 1e9 where that is not usable.
    pub ticks_per_second: f64,
}

/// The result of measuring one machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// The schema's name: [`Calibration::SCHEMA`].
    pub schema: String,
    /// The machine that was measured.
    pub machine: Machine,
    /// When it was measured, in seconds since 1970.
    pub measured_at_unix_seconds: u64,
    /// The rates that work uses.
    pub rates: Rates,
    /// The smallest step of the fast clock that two readings show, in seconds.
    pub timer_resolution_seconds: f64,
    /// The excess of a short sleep over its requested time, in seconds: the median …
    pub sleep_overshoot_median_seconds: f64,
    /// … and the 99th percentile.
    pub sleep_overshoot_p99_seconds: f64,
}

impl Calibration {
    /// The format's name and version.
    pub const SCHEMA: &str = "ats-calibration/1";

    /// After this long a calibration is stale, in seconds.
    pub const LIFETIME_SECONDS: u64 = 30 * 24 * 60 * 60;
}

/// The file of this machine's calibration; `None` if neither `ATS_CALIBRATION`, `XDG_CACHE_HOME` nor `HOME` is set.
pub fn path() -> Option<PathBuf> {
    file::path(&Machine::this(), machine::environment)
}

/// This machine's calibration: the stored one where it is good, else a new one, which is stored.
///
/// The notices say why it was redone or could not be stored, for the caller to print.
pub fn obtain() -> (Calibration, Vec<Notice>) {
    match path() {
        Some(path) => obtain_at(&path, &ThisMachine),
        None => (ThisMachine.calibrate(), vec![Notice::NoPlace]),
    }
}

/// Measures this machine anew and stores the result, whatever is stored.
pub fn renew() -> (Calibration, Vec<Notice>) {
    match path() {
        Some(path) => {
            let (calibration, notice) = renew_at(&path, &ThisMachine);
            (calibration, notice.into_iter().collect())
        }
        None => (ThisMachine.calibrate(), vec![Notice::NoPlace]),
    }
}

/// The machine that is calibrated; the tests put scripted ones in its place.
trait Subject {
    fn machine(&self) -> Machine;
    fn unix_seconds(&self) -> u64;
    fn calibrate(&self) -> Calibration;
    /// The rates, quickly and roughly.
    fn spot_check(&self) -> Rates;
}

fn obtain_at(path: &Path, subject: &impl Subject) -> (Calibration, Vec<Notice>) {
    let why = match file::load(path).and_then(|loaded| check(path, loaded, subject)) {
        Ok(calibration) => return (calibration, Vec::new()),
        Err(why) => why,
    };
    let (calibration, not_stored) = renew_at(path, subject);
    (calibration, std::iter::once(why).chain(not_stored).collect())
}

fn renew_at(path: &Path, subject: &impl Subject) -> (Calibration, Option<Notice>) {
    let calibration = subject.calibrate();
    let notice = file::store(path, &calibration).err();
    (calibration, notice)
}

fn check(path: &Path, loaded: Calibration, subject: &impl Subject) -> Result<Calibration, Notice> {
    let (path, here, now) = (path.to_owned(), subject.machine(), subject.unix_seconds());
    if loaded.machine != here {
        return Err(Notice::Foreign { path, found: loaded.machine.into(), here: here.into() });
    }
    let stale = |reason| Err(Notice::Stale { path: path.clone(), reason });
    match now.checked_sub(loaded.measured_at_unix_seconds) {
        None => return stale("it was measured in the future".to_owned()),
        Some(age) if age > Calibration::LIFETIME_SECONDS => {
            return stale(format!("it is {} days old", age / (24 * 60 * 60)));
        }
        Some(_) => {}
    }
    let found = subject.spot_check();
    for (what, stored, found, tolerance) in [
        ("the clock's rate", loaded.rates.ticks_per_second, found.ticks_per_second, 0.001),
        ("the speed of work", loaded.rates.iterations_per_second, found.iterations_per_second, 0.3),
    ] {
        let deviation = (found / stored - 1.0).abs();
        if deviation > tolerance {
            return stale(format!("{what} deviates by {:.1} % from a spot check", 100.0 * deviation));
        }
    }
    Ok(loaded)
}

struct ThisMachine;

impl Subject for ThisMachine {
    fn machine(&self) -> Machine {
        Machine::this()
    }

    fn unix_seconds(&self) -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
    }

    fn calibrate(&self) -> Calibration {
        let rates = Rates {
            iterations_per_second: measure::iterations_per_second(0.01, 11),
            ticks_per_second: measure::ticks_per_second(0.1),
        };
        let overshoot = measure::sleep_overshoots_seconds(100e-6, 300);
        Calibration {
            schema: Calibration::SCHEMA.to_owned(),
            machine: self.machine(),
            measured_at_unix_seconds: self.unix_seconds(),
            rates,
            timer_resolution_seconds: measure::timer_resolution_seconds(&rates),
            sleep_overshoot_median_seconds: quantile(&overshoot, 0.5),
            sleep_overshoot_p99_seconds: quantile(&overshoot, 0.99),
        }
    }

    fn spot_check(&self) -> Rates {
        Rates {
            iterations_per_second: measure::iterations_per_second(0.002, 5),
            ticks_per_second: measure::ticks_per_second(0.005),
        }
    }
}

#[cfg(test)]
mod tests;
