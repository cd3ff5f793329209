//! Links of a process's part in a collective operation with the others'.

use ats_model::event::CommunicatorRef;

use super::instance::{Instance, Part};
use crate::words::flow::Flow;

/// The link of a process's part in an operation with the others': no taker is done before every giver has begun.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) instance: (CommunicatorRef, usize),
    pub(crate) begin: u64,
    pub(crate) end: u64,
    pub(crate) gives: bool,
    pub(crate) takes: bool,
    pub(crate) leaves: Leaves,
}

impl Link {
    pub(super) fn new(part: &Part<'_>, instance: &Instance) -> Self {
        let (gives, takes) = instance.roles(part);
        let leaves = match instance.flow {
            _ if part.is_requested => Leaves::Alone,
            Flow::Barrier | Flow::AllToAll if gives && takes => Leaves::WithAll,
            Flow::OneToAll if gives => Leaves::AsRoot,
            Flow::OneToAll if takes => Leaves::AfterRoot,
            _ => Leaves::Alone,
        };
        let instance = (part.communicator, part.number);
        Link { instance, begin: part.begin, end: part.end, gives, takes, leaves }
    }

    /// The duration, in ticks.
    pub(crate) fn duration(&self) -> u64 {
        self.end.saturating_sub(self.begin)
    }
}

/// The members whose ends are likely to be at about the end of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaves {
    /// All members.
    WithAll,
    /// The part is the root's; others end with it if they have waited for it.
    AsRoot,
    /// The root's, if the part has waited for it.
    AfterRoot,
    /// No other member.
    Alone,
}
