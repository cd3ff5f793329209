//! The record that a real run keeps of itself: the document `ats-witness/1`, one file per rank.
//!
//! Times are nanoseconds of the rank's own monotonic clock; [`Clock`] aligns them. A file is written without MPI,
//! so that writing it disturbs nothing that a tool sees.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A document `ats-witness/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Witness {
    /// The schema's name, `ats-witness/1`.
    pub schema: String,
    /// The program that ran: a property's name, or its balanced twin's.
    pub program: String,
    /// Its parameters, as text.
    pub parameters: BTreeMap<String, String>,
    /// This rank.
    pub rank: u32,
    /// The number of ranks.
    pub ranks: u32,
    /// The relation of this rank's clock to rank 0's.
    pub clock: Clock,
    /// Entry into and exit from the measured region.
    pub measured: Span,
    /// Every construct that the property executed in the measured part, in order.
    pub constructs: Vec<Construct>,
    /// Every piece of work in the measured part, in order.
    pub work: Vec<Work>,
    /// The choices that the run made, by index into `constructs`: the message that each receive or probe from any
    /// source matched, the requests that a completion call took, the result of a test, the threads that executed parts
    /// of an OpenMP construct.
    pub choices: Vec<Choice>,
    /// When the master began to work in a team, for each parallel region in turn, in nanoseconds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub begins_ns: Vec<u64>,
    /// The regions of the program that its property shows a time or a number of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<MeasuredRegion>,
    /// The other threads of the process; empty if it has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub threads: Vec<ThreadWitness>,
    /// Whether a standard send of the property's size returned before its receive was posted; `None` if irrelevant.
    pub eager_held: Option<bool>,
    /// The eager limit as this run has probed it, in bytes; `None` if no parameter depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eager_limit: Option<u64>,
    /// Machine, MPI library, work kind, seed: everything needed to repeat the run.
    pub environment: BTreeMap<String, serde_json::Value>,
}

impl Witness {
    /// The value of [`Witness::schema`].
    pub const SCHEMA: &str = "ats-witness/1";

    /// The name in [`Witness::environment`] under which a program with threads says whether its constructs are pragmas.
    pub const PRAGMAS: &str = "pragmas";

    /// Whether a compiler made the constructs of OpenMP from pragmas.
    pub fn is_from_pragmas(&self) -> bool {
        self.environment.get(Self::PRAGMAS).and_then(serde_json::Value::as_bool) == Some(true)
    }

    /// The file name of a rank's witness.
    pub fn file_name(rank: u32) -> String {
        format!("witness.{rank}.json")
    }
}

/// The record of one thread other than the master, for the measured part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ThreadWitness {
    /// Its number in its team, from the outermost team to the one it worked in; without trailing zeros, because member 0
    /// is the thread that started the team.
    pub path: Vec<u32>,
    /// As [`Witness::constructs`].
    pub constructs: Vec<Construct>,
    /// As [`Witness::work`].
    pub work: Vec<Work>,
    /// As [`Witness::choices`].
    pub choices: Vec<Choice>,
    /// As [`Witness::begins_ns`].
    pub begins_ns: Vec<u64>,
    /// As [`Witness::regions`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<MeasuredRegion>,
}

/// The time of one thread in a region of the program, and what it counted there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MeasuredRegion {
    /// The region's name.
    pub region: String,
    /// Number of entries.
    pub visits: u64,
    /// Nanoseconds in it and in all that it calls.
    pub time_ns: u64,
    /// Numbers counted in it, by counter.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counts: BTreeMap<String, u64>,
}

/// A rank's clock against rank 0's: rank 0's time = own time + offset, the offset interpolated between two measurements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Clock {
    /// The measurement at the start.
    pub start: ClockOffset,
    /// The measurement at the end.
    pub end: ClockOffset,
}

/// One measurement of a clock's offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockOffset {
    /// When, on the rank's own clock, in nanoseconds.
    pub at_ns: u64,
    /// To be added to the rank's own time, in nanoseconds.
    pub offset_ns: i64,
}

impl Clock {
    /// A time of this rank on rank 0's clock, in nanoseconds.
    pub fn align(&self, own_ns: u64) -> i64 {
        let ClockOffset { at_ns: t0, offset_ns: o0 } = self.start;
        let ClockOffset { at_ns: t1, offset_ns: o1 } = self.end;
        let offset = if t1 > t0 {
            let share = (own_ns as i128 - t0 as i128) as f64 / (t1 - t0) as f64;
            o0 + ((o1 - o0) as f64 * share).round() as i64
        } else {
            o0
        };
        own_ns as i64 + offset
    }
}

/// An entry and an exit, in nanoseconds of the rank's own clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Span {
    /// Time of entry.
    pub enter_ns: u64,
    /// Time of exit.
    pub leave_ns: u64,
}

/// One call or construct; or calls in a row that looked for something, did not find it and had nothing between them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Construct {
    /// Its name (`MPI_Recv`).
    pub name: String,
    /// Its stamps: of several calls, the first's entry and the last's exit.
    #[serde(flatten)]
    pub span: Span,
    /// The number of calls that it stands for; 1 if absent.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub times: u64,
}

fn once() -> u64 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_once(times: &u64) -> bool {
    *times == 1
}

/// One piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Work {
    /// Seconds asked for; 0 for work given by amount.
    pub seconds: f64,
    /// Its stamps.
    #[serde(flatten)]
    pub span: Span,
}

/// A choice that the run made. A call that could have found something and has none found nothing.
///
/// | construct | chosen |
/// |---|---|
/// | a receive from any source, also one that is only started there; a probe from any source | the source |
/// | `MPI_Waitany`, `MPI_Waitsome`, `MPI_Testany`, `MPI_Testsome` | the index of each request that it took, in turn |
/// | `MPI_Test`, `MPI_Testall`, `MPI_Iprobe` from one source | 1 if it found what it asked for |
/// | `!$omp for`, not static | first iteration and one past the last of each chunk, in turn |
/// | `!$omp sections` | each section that this thread executed |
/// | `!$omp single` | 1 on the thread that executed it, 0 on the others |
/// | `!$omp critical`, `omp_set_lock` | how often the lock had been acquired before, in the measured part |
/// | `omp_test_lock` | 1 if it was acquired |
/// | `!$omp create task`, `!$omp task` | the task: counts the tasks of the process in the measured part |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Choice {
    /// Index into [`Witness::constructs`].
    pub construct: usize,
    /// The value chosen.
    pub chosen: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_construct_is_one_call_where_it_does_not_say() {
        let text = r#"{"name":"MPI_Test","enter_ns":1,"leave_ns":2}"#;
        let mut construct: Construct = serde_json::from_str(text).unwrap();
        assert_eq!(construct.times, 1);
        assert_eq!(serde_json::to_string(&construct).unwrap(), text);
        construct.times = 40;
        let text = serde_json::to_string(&construct).unwrap();
        assert_eq!(text, r#"{"name":"MPI_Test","enter_ns":1,"leave_ns":2,"times":40}"#);
        assert_eq!(serde_json::from_str::<Construct>(&text).unwrap(), construct);
    }
}
