//! Messages of a run: those that were slow, and the sizes that the MPI library sends before their receives begin.

use serde::{Deserialize, Serialize};

use ats_model::CallSite;
use ats_model::locations::Location;

/// Messages of a run, as far as their flights are known.
///
/// The flight of a message lasts from when both ends have begun until it is there. It is known if the receiver is in the
/// call before the sender's call returns; of several messages that a call completes, for the one that was sent last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Messages {
    /// Messages whose flight took more than twice the median of all messages of about their size, by falling seconds.
    pub slow: Vec<SlowMessages>,
    /// The largest message in standard mode that was sent before its receive began, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub largest_eager: Option<u64>,
    /// The smallest one that waited for its receive, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smallest_held: Option<u64>,
    /// Calls whose sends waited for their receives, though all of them are of sizes that others, on the same node or not
    /// as they, were sent in before their receives began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held_by_chance: Vec<Held>,
    /// Locations that send several messages to one receiver without receiving anything in between, so that they could
    /// send one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeated: Vec<Repeated>,
}

/// A call whose sends waited for their receives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Held {
    /// Its call path.
    pub call_path: Vec<String>,
    /// Its call site, if the trace has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_site: Option<CallSite>,
}

/// Messages that a location sends after others to the same receiver.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Repeated {
    /// The location.
    pub sender: Location,
    /// Their number: those that follow another to the same receiver, without a receive of any message and without an
    /// operation of all in between.
    pub number: u64,
    /// The number of all messages that it sends.
    pub of: u64,
}

/// Slow messages of about one size, from one location to a call path of another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SlowMessages {
    /// The call path that receives them.
    pub call_path: Vec<String>,
    /// Its call site, if the trace has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_site: Option<CallSite>,
    /// The location that sends them.
    pub sender: Location,
    /// The location that receives them.
    pub receiver: Location,
    /// The size of the largest, in bytes; 4 GiB − 1 if it is larger.
    pub bytes: u64,
    /// The number of messages of this size between the two, slow or not.
    pub of: u64,
    /// The number of slow ones.
    pub number: u64,
    /// The mean flight of the slow ones, in seconds.
    pub mean: f64,
    /// The median of all messages of about this size, in seconds.
    pub usual: f64,
    /// The seconds that the slow ones took beyond that, together.
    pub seconds: f64,
}
