//! The kinds of work that take a given time.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The way in which `do_work(seconds)` passes its time.
///
/// All but [`Kind::Sleep`] and [`Kind::None`] do the work that the report describes, random reads and writes in two
/// arrays; they differ in the way they decide when to stop, and in their activity meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Works in small chunks until a deadline on the time-stamp counter.
    ///
    /// The most precise. Right where every location has a core of its own; where it has not, a location that is
    /// taken off its core finds its deadline passed and works less.
    Spin,
    /// Sleeps until shortly before the deadline and spins the rest.
    ///
    /// Precise with any number of locations per core. But most of this work is idle: a tool that samples or reads
    /// hardware counters will not see it.
    Hybrid,
    /// Spins, and gives its core away every 20 µs.
    ///
    /// For more locations than cores where the work must be seen by samplers and counters.
    Yield,
    /// Sleeps until the deadline. Late by the time that the system takes to wake a thread, some 10 µs and more.
    Sleep,
    /// Works until the thread has used that much processor time.
    ///
    /// For tools that measure processor time; on a shared core it takes longer on the wall clock.
    Cpu,
    /// Works a number of iterations known from calibration, without looking at a clock: the report's own scheme.
    ///
    /// For dedicated machines. Its time varies with the processor's frequency and with other load.
    Counted,
    /// Passes no time at all. For runs whose only purpose is the result: computed and communicated data is the same.
    None,
}

impl Kind {
    /// Every kind, the preferred first.
    pub const ALL: [Kind; 7] =
        [Kind::Spin, Kind::Hybrid, Kind::Yield, Kind::Sleep, Kind::Cpu, Kind::Counted, Kind::None];

    /// The kind to use for `locations` (ranks × threads of one machine) on `cores`: spin where they fit, else hybrid.
    pub fn default_for(locations: usize, cores: usize) -> Kind {
        if locations <= cores { Kind::Spin } else { Kind::Hybrid }
    }

    /// The kinds that take the time that they are asked to take.
    pub fn timed() -> impl Iterator<Item = Kind> {
        Kind::ALL.into_iter().filter(|kind| *kind != Kind::None)
    }

    /// The name as it is written on command lines.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Spin => "spin",
            Kind::Hybrid => "hybrid",
            Kind::Yield => "yield",
            Kind::Sleep => "sleep",
            Kind::Cpu => "cpu",
            Kind::Counted => "counted",
            Kind::None => "none",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Kind::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| UnknownKind(text.to_owned()))
    }
}

/// A text that names no kind of work.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("there is no kind of work `{0}`; use one of {names}", names = Kind::ALL.map(Kind::name).join(", "))]
pub struct UnknownKind(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for kind in Kind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{kind}\""));
        }
        assert_eq!(
            "spn".parse::<Kind>().unwrap_err().to_string(),
            "there is no kind of work `spn`; use one of spin, hybrid, yield, sleep, cpu, counted, none"
        );
    }

    #[test]
    fn spins_only_where_every_location_has_a_core() {
        assert_eq!(Kind::default_for(1, 1), Kind::Spin);
        assert_eq!(Kind::default_for(8, 8), Kind::Spin);
        assert_eq!(Kind::default_for(9, 8), Kind::Hybrid);
    }
}
