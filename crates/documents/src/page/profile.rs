//! The profile of a program, and the source files of its regions.

use serde::{Deserialize, Serialize, Serializer};

use super::Locations;

/// Amounts by call path and location.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Profile {
    /// The locations that are shown. All others share the number behind the last.
    pub units: Locations,
    /// The number of locations that are not shown.
    pub omitted: u64,
    /// The regions of call paths and lines.
    pub regions: Vec<Region>,
    /// The call paths.
    pub paths: CallPaths,
    /// The metrics that have values.
    pub metrics: Vec<Metric>,
    /// The source files of the regions.
    pub files: Vec<File>,
}

/// A function or construct.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Region {
    /// Its name, with the place of the call if that is known.
    pub label: String,
    /// Its source file, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its first and last line there, if they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<[u32; 2]>,
}

/// A table of call paths; a parent comes before its children.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CallPaths {
    /// The path one level up: an index into this table; null for an outermost one.
    pub parent: Vec<Option<u32>>,
    /// Its last region: an index into `regions`; null for all small call paths below the parent together.
    pub region: Vec<Option<u32>>,
}

/// A metric and its values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Metric {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The group that it is listed in; empty for those that stand before all groups.
    pub group: String,
    /// Its unit: `s`, `occ`, `bytes`, or the recorder's own.
    pub unit: String,
    /// The factor that turns a value into `unit`: times are whole multiples of it.
    pub scale: f64,
    /// The values of each call path alone, without those inside it. Paths without values are omitted.
    pub values: Vec<PathValues>,
}

/// The values of a call path by location, as an array: of the shortest kind for them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum PathValues {
    /// A call path, and the value that all shown locations have.
    Same(u32, Number),
    /// A call path, and the values of all locations, by number; those at the end may be omitted, and are 0.
    Each(u32, Vec<Number>),
    /// A call path, the numbers of the locations that have a value other than 0, and these values.
    Few(u32, Vec<u32>, Vec<Number>),
}

/// A number without superfluous digits: one that is whole is written as an integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Number(pub f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Number(value) = *self;
        if value.fract() == 0.0 && value.abs() < 9e15 {
            serializer.serialize_i64(value as i64)
        } else {
            serializer.serialize_f64(value)
        }
    }
}

/// A source file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct File {
    /// Its name in the trace.
    pub name: String,
    /// The regions that it has.
    pub lines: Lines,
    /// The file that was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The text of this file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The reason why there is no text, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A table of regions with known lines, and their amounts over all locations and call paths; null if the profile has
/// none of the kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lines {
    /// The first line, from 1.
    pub first: Vec<u32>,
    /// The last line.
    pub last: Vec<u32>,
    /// An index into `regions`.
    pub region: Vec<u32>,
    /// The number of visits.
    pub visits: Vec<Option<u64>>,
    /// Seconds in the region alone.
    pub exclusive: Vec<Option<f64>>,
    /// Seconds in the region and all that is inside it.
    pub inclusive: Vec<Option<f64>>,
    /// Seconds of waiting in the region and all that is inside it.
    pub waiting: Vec<Option<f64>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_each_kind_are_written_shortly_and_read_again() {
        let values = vec![
            PathValues::Same(7, Number(3.0)),
            PathValues::Each(8, vec![Number(0.5), Number(-1.0)]),
            PathValues::Few(9, vec![4], vec![Number(1e300)]),
        ];
        let text = serde_json::to_string(&values).unwrap();
        assert_eq!(text, "[[7,3],[8,[0.5,-1]],[9,[4],[1e+300]]]");
        assert_eq!(serde_json::from_str::<Vec<PathValues>>(&text).unwrap(), values);
    }
}
