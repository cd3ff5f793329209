//! Attributes of events in traces of the suite's own.

use crate::attribute::{
    AttributeDefinition, AttributeType, AttributeValue, FAILED_TESTS, PROBED_SOURCE, PROBED_TAG,
};
use crate::event::{AttributeRef, Event};
use crate::listed;

listed! {
    /// Attributes in traces of the suite's own, for facts that OTF2 has no record of; in the order of their references.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Own {
        /// The number of calls that tested a request in vain, at the event of its completion. Only the first of them has
        /// an [`MPI_REQUEST_TEST`](crate::Event::MpiRequestTest).
        FailedTests,
        /// The communicator of a neighbourhood collective, at the event that leaves its call, or that starts its request.
        Neighborhood,
        /// The rank in the communicator that has sent the message of a probe that blocks, at the event that leaves it.
        ProbedSource,
        /// The tag of that message, at the same event.
        ProbedTag,
        /// The communicator of that message, at the same event.
        ProbedCommunicator,
        /// The place of a call and those that lead to it, at the event that enters it.
        CallingContext,
    }
}

impl Own {
    /// The reference that it has in such traces.
    pub const fn reference(self) -> AttributeRef {
        AttributeRef(self as u32)
    }

    /// Its definition.
    pub fn definition(self) -> AttributeDefinition {
        let (name, description) = match self {
            Own::FailedTests => (FAILED_TESTS, "calls that found the request not complete"),
            Own::Neighborhood => ("ATS::NEIGHBORHOOD", "communicator of an operation between neighbours"),
            Own::ProbedSource => (PROBED_SOURCE, "sender of the message that a probe has found"),
            Own::ProbedTag => (PROBED_TAG, "tag of the message that a probe has found"),
            Own::ProbedCommunicator => {
                ("ATS::PROBED_COMMUNICATOR", "communicator of the message that a probe has found")
            }
            Own::CallingContext => ("ATS::CALLING_CONTEXT", "calls that lead to this one"),
        };
        AttributeDefinition {
            name: name.to_owned(),
            description: description.to_owned(),
            value_type: Some(self.value_type()),
        }
    }

    /// The one that an attribute of a trace is, by its name.
    ///
    /// ```
    /// use ats_model::own_attribute::Own;
    /// assert_eq!(Own::from_definition(&Own::ProbedTag.definition()), Some(Own::ProbedTag));
    /// assert_eq!(Own::from_definition(&Default::default()), None);
    /// ```
    pub fn from_definition(attribute: &AttributeDefinition) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.definition().name == attribute.name)
    }

    /// The event that notes a value: a number, or a reference.
    pub const fn noted(self, bits: u64) -> Event {
        Event::Attribute {
            attribute: self.reference(),
            value: AttributeValue { of: self.value_type(), bits },
        }
    }

    const fn value_type(self) -> AttributeType {
        match self {
            Own::FailedTests => AttributeType::Uint64,
            Own::ProbedSource | Own::ProbedTag => AttributeType::Uint32,
            Own::Neighborhood | Own::ProbedCommunicator => AttributeType::Comm,
            Own::CallingContext => AttributeType::CallingContext,
        }
    }
}
