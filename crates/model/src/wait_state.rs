//! The wait states that are told apart, and their established names.

use serde::{Deserialize, Deserializer, de};

use crate::mistakes::nearest;
use crate::quantity::View;

mod class;
mod table;

pub use class::Class;
pub use table::WaitState;

impl WaitState {
    /// The wait state of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// The wait state of a [metric](WaitState::metric).
    pub fn from_metric(metric: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.metric() == Some(metric))
    }

    /// The unique name that Score-P and Scalasca 2.6 use; `None` if they do not know it.
    pub fn metric(self) -> Option<&'static str> {
        self.row().metric
    }

    /// Its title in the reports of Scalasca 2.6, as Cube shows it; `None` if Scalasca does not know it.
    pub fn title(self) -> Option<&'static str> {
        self.row().title
    }

    /// The name that users of those tools know: its metric, else its name.
    pub fn label(self) -> &'static str {
        self.metric().unwrap_or(self.name())
    }

    /// Other metrics under which a tool may rightly report the same time, nearest first.
    pub fn accept(self) -> &'static [&'static str] {
        self.row().accept
    }

    /// The partner that a location waits for, in words; `None` if the operation or the runtime itself takes that long.
    pub fn awaited(self) -> Option<&'static str> {
        self.row().awaited
    }

    /// The family that it belongs to.
    pub fn class(self) -> Class {
        self.row().class
    }

    /// Its parents in the tree of all findings, outermost first.
    pub fn parents(self) -> &'static [&'static str] {
        self.row().parents
    }

    /// Whether it lies before or after the program proper: where no region is the basis, it is outside that.
    pub fn is_outside_program(self) -> bool {
        self.row().is_outside_program
    }

    /// Whether its amount depends on what the MPI library does while its members work: a library that makes progress only
    /// inside of calls lets members go later, and so they have less to wait for in the next operation.
    pub fn depends_on_progress(self) -> bool {
        self.row().depends_on_progress
    }

    /// Whether it is made of many calls that test in vain.
    pub fn is_of_tests(self) -> bool {
        self.row().is_of_tests
    }

    /// The view whose seconds it divides.
    pub fn view(self) -> View {
        self.row().view
    }
}

/// The meaning of a name under which a tool reports waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// A wait state: its name or its metric.
    State(WaitState),
    /// A metric under which several may be reported.
    Several(&'static str),
}

impl Name {
    /// The meaning of a name.
    ///
    /// # Errors
    /// It has none; in words, with the name that is most like it.
    pub fn parse(name: &str) -> Result<Self, String> {
        if let Some(state) = WaitState::from_name(name).or_else(|| WaitState::from_metric(name)) {
            return Ok(Name::State(state));
        }
        let mut accepted = WaitState::ALL.into_iter().flat_map(WaitState::accept).copied();
        accepted.find(|metric| *metric == name).map(Name::Several).ok_or_else(|| {
            let names = WaitState::ALL.into_iter().flat_map(|state| [state.name(), state.label()]);
            let accepted = WaitState::ALL.into_iter().flat_map(WaitState::accept).copied();
            let fix = nearest(name, names.chain(accepted)).map_or_else(
                || format!("there are {}", all_names().join(", ")),
                |nearest| format!("did you mean {nearest}?"),
            );
            format!("there is no wait state `{name}`; {fix}")
        })
    }
}

/// Not a part of its caller: joined where each name's length is known, optimizing (LLVM 22, one codegen unit) does not end.
#[inline(never)]
fn all_names() -> Vec<&'static str> {
    WaitState::ALL.map(WaitState::name).to_vec()
}

/// By its name, or by its metric.
impl<'de> Deserialize<'de> for WaitState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        match Name::parse(&name).map_err(de::Error::custom)? {
            Name::State(state) => Ok(state),
            Name::Several(metric) => {
                Err(de::Error::custom(format!("`{metric}` stands for several wait states; name one")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::WaitState;

    #[test]
    fn a_wait_state_is_read_by_its_name_and_by_its_metric() {
        for state in WaitState::ALL {
            for name in [state.name(), state.label()] {
                assert_eq!(serde_json::from_value::<WaitState>(name.into()).unwrap(), state);
            }
            assert_eq!(serde_json::to_value(state).unwrap(), state.name());
        }
        let error = |name: &str| serde_json::from_value::<WaitState>(name.into()).unwrap_err().to_string();
        assert_eq!(error("LateSender"), "there is no wait state `LateSender`; did you mean late_sender?");
        assert_eq!(error("mpi_waitnxn"), "there is no wait state `mpi_waitnxn`; did you mean mpi_wait_nxn?");
    }

    #[test]
    fn a_wait_state_without_a_metric_is_known_by_its_own_name() {
        let state = WaitState::WaitForRoot;
        assert_eq!((state.metric(), state.label()), (None, "wait_for_root"));
    }
}
