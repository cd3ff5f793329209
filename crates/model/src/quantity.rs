//! Quantities: an amount and its unit.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The metric of visits, as Score-P names it.
pub const VISITS: &str = "visits";

/// The metric of the seconds in a region, as Score-P names it.
pub const TIME: &str = "time";

/// The metric of the time of a region over that of another one.
pub const TIME_RATIO: &str = "time_ratio";

/// A division of a document's seconds; sums stay inside one view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the words are the field's")]
pub enum View {
    #[default]
    Wait,
    Delay,
    Propagation,
    CriticalPath,
    Idle,
    Count,
    Time,
    Ratio,
    Explanation,
}

impl View {
    /// The unit of the amounts in it; `metric` is Score-P's name of a count.
    pub fn unit(self, metric: Option<&str>) -> Unit<'_> {
        match (self, metric) {
            (View::Count, None | Some(VISITS)) => Unit::Visits,
            (View::Count, Some(metric)) if metric.starts_with("bytes") => Unit::Bytes(metric),
            (View::Count, Some(metric)) => Unit::Count(metric),
            (View::Time, metric) => Unit::Inclusive(metric.unwrap_or(TIME)),
            (View::Ratio, metric) => Unit::Ratio(metric.unwrap_or("ratio")),
            _ => Unit::Seconds,
        }
    }
}

/// The unit of an amount; anything but time has a name of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit<'a> {
    /// Waiting or idle time, over all locations.
    Seconds,
    /// Seconds in a region and all that it calls, over all locations, by the metric (`time`).
    Inclusive(&'a str),
    /// Calls made, or entries into a construct.
    Visits,
    /// Bytes, by the direction (`bytes_sent`, or `bytes` of any kind).
    Bytes(&'a str),
    /// Whatever is counted in whole numbers, by its name (`comms_send`).
    Count(&'a str),
    /// A quotient of two amounts, by its name.
    Ratio(&'a str),
}

impl<'a> Unit<'a> {
    /// Whether it is waiting or idle time. Regions include each other, so their time is none of the parts of a whole.
    pub fn is_time(self) -> bool {
        self == Unit::Seconds
    }

    /// Whether amounts are whole numbers, and either right or wrong.
    pub fn is_whole(self) -> bool {
        !matches!(self, Unit::Seconds | Unit::Inclusive(_) | Unit::Ratio(_))
    }

    /// The metric that is counted or measured, or the name of the ratio; `None` for waiting, which has many kinds.
    pub fn metric(self) -> Option<&'a str> {
        match self {
            Unit::Seconds => None,
            Unit::Visits => Some(VISITS),
            Unit::Inclusive(name) | Unit::Bytes(name) | Unit::Count(name) | Unit::Ratio(name) => Some(name),
        }
    }

    /// So much of it.
    pub fn quantity(self, value: f64) -> Quantity<'a> {
        Quantity { value, unit: self }
    }
}

/// An amount with its unit, shown as `0.1250 s`, `800 visits`, `4096 bytes`, `12 comms_send` or `1.500`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Quantity<'a> {
    /// The amount.
    pub value: f64,
    /// Its unit.
    pub unit: Unit<'a>,
}

impl fmt::Display for Quantity<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value;
        match self.unit {
            Unit::Seconds | Unit::Inclusive(_) => write!(f, "{value:.4} s"),
            Unit::Visits => write!(f, "{value} {VISITS}"),
            Unit::Bytes(_) => write!(f, "{value} bytes"),
            Unit::Count(name) => write!(f, "{value} {name}"),
            Unit::Ratio(_) => write!(f, "{value:.3}"),
        }
    }
}

/// A measured value agrees if it is off by at most `absolute` + `relative` × the known value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tolerance {
    /// The absolute difference, in seconds or the amount's own unit.
    pub absolute: f64,
    /// A share of the known value.
    pub relative: f64,
}

impl Tolerance {
    /// No tolerance, for what is either right or wrong.
    pub const EXACT: Tolerance = Tolerance { absolute: 0.0, relative: 0.0 };

    /// Whether `measured` agrees with `known`, both in the same unit.
    pub fn agrees(&self, known: f64, measured: f64) -> bool {
        (measured - known).abs() <= self.absolute + self.relative * known.abs()
    }
}

#[cfg(test)]
mod tests {
    use super::{Unit, View};

    #[test]
    fn a_metric_names_the_thing_counted() {
        for (view, metric, unit, shown) in [
            (View::Wait, Some("mpi_latesender"), Unit::Seconds, "12.0000 s"),
            (View::Idle, None, Unit::Seconds, "12.0000 s"),
            (View::Count, None, Unit::Visits, "12 visits"),
            (View::Count, Some("visits"), Unit::Visits, "12 visits"),
            (View::Count, Some("bytes_sent"), Unit::Bytes("bytes_sent"), "12 bytes"),
            (View::Count, Some("comms_send"), Unit::Count("comms_send"), "12 comms_send"),
            (View::Time, None, Unit::Inclusive("time"), "12.0000 s"),
            (View::Ratio, Some("stride"), Unit::Ratio("stride"), "12.000"),
        ] {
            assert_eq!(view.unit(metric), unit);
            assert_eq!(unit.quantity(12.0).to_string(), shown);
        }
    }
}
