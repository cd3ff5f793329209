//! The times that a record may have: the meanings of their names, their units, and the locations that spent them.
//!
//! Until version 2.9 Caliper's clock ticked in microseconds, and until 2.3 it wrote these by default: every time was a
//! whole number of them. Times in seconds have digits after the point. Nanoseconds, since 2.10, are in the name. A file
//! may name the unit of an attribute: the clock's since 2016 (`time.unit`), that of any since 2020 (`attribute.unit`).
//!
//! From the history of Caliper's services `timestamp` and `timer`, and of its queries.

/// Attributes of an attribute, or of a column, that name its unit. The first is that of the value itself.
pub(crate) const UNIT_ATTRIBUTES: [&str; 2] = ["attribute.unit", "time.unit"];

/// The units of times, in seconds.
const UNITS: [(&str, f64); 4] = [("sec", 1.0), ("msec", 1e-3), ("usec", MICROSECOND), ("nsec", NANOSECOND)];

/// A tick of Caliper's clock until 2.9.
pub(crate) const MICROSECOND: f64 = 1e-6;
const NANOSECOND: f64 = 1e-9;

/// A time that a record may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Time {
    /// The name of the attribute or column.
    pub(crate) name: &'static str,
    /// Whether the time of the paths below is contained in it.
    pub(crate) is_inclusive: bool,
}

const fn inclusive(name: &'static str) -> Time {
    Time { name, is_inclusive: true }
}

const fn exclusive(name: &'static str) -> Time {
    Time { name, is_inclusive: false }
}

/// Every time that is read, the best first.
pub(crate) const TIMES: [Time; 16] = [
    inclusive("time (inc)"),
    inclusive("inclusive#sum#time.duration"),
    inclusive("sum#inclusive#sum#time.duration"),
    inclusive("iscale#sum#time.duration.ns"),
    inclusive("inclusive#sum#time.duration.ns"),
    inclusive("sum#time.inclusive.duration"),
    exclusive("time"),
    exclusive("sum#sum#time.duration"),
    exclusive("sum#time.duration"),
    exclusive("time.duration"),
    exclusive("scale#sum#time.duration.ns"),
    exclusive("sum#scale#sum#time.duration.ns"),
    exclusive("sum#sum#time.duration.ns"),
    exclusive("sum#time.duration.ns"),
    exclusive("time.duration.ns"),
    exclusive("time (exc)"),
];

/// Prefixes of the name of a value with one per rank, in the columns that a query writes about all these values besides
/// their sum.
pub(crate) const PARTS: [&str; 4] = ["avg.count#", "min#", "max#", "avg#"];

impl Time {
    /// The length of its unit in seconds, by the name in the file, or by the time's own name and whether all values are
    /// whole numbers.
    ///
    /// # Errors
    /// If it is not a unit of time.
    pub(crate) fn unit(self, named: Option<&str>, are_whole: bool) -> Result<f64, String> {
        let is_scaled = self.name.contains("scale#");
        match named {
            Some(named) => {
                let unit = UNITS.iter().find(|(name, _)| *name == named);
                unit.map(|(_, seconds)| *seconds).ok_or_else(|| {
                    format!("has {} in the unknown unit {:?}", self.name, crate::names::shortened(named))
                })
            }
            None if self.name.ends_with(".ns") && !is_scaled => Ok(NANOSECOND),
            None if are_whole => Ok(MICROSECOND),
            None => Ok(1.0),
        }
    }

    /// The name of the values that this is the sum of, if each rank has one of them.
    pub(crate) fn summed(self) -> Option<&'static str> {
        self.name.strip_prefix("sum#").filter(|value| value.contains('#'))
    }
}

/// Whether a sum is one of several ranks, as far as its [`PARTS`] show it.
pub(crate) fn is_of_several(sum: f64, [count, others @ ..]: [Option<f64>; PARTS.len()]) -> bool {
    count.is_some_and(|count| count > 1.0) || others.into_iter().flatten().any(|other| other != sum)
}
