//! The kinds of records.

use ats_model::{
    event::{CollectiveOperation, CommunicatorRef, Root},
    groups::Groups,
    messages::Channel,
};

use super::{Due, KeptRecord, MpiCall, Numbers};
use crate::words::{place::Place, regions::CallKind};

impl KeptRecord for MpiCall {
    type Groups = ();

    fn location(&self, _calls: &[MpiCall]) -> u32 {
        self.owner
    }

    fn place_mut(&mut self) -> Option<&mut Place> {
        Some(&mut self.place)
    }

    fn times_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        [&mut self.enter, &mut self.leave, &mut self.next].into_iter()
    }

    fn order(&self, _calls: &[MpiCall]) -> (u64, u32) {
        (self.enter, self.place.location)
    }
}

/// One end of a message. MPI matches the ends on a channel in the order of their starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessageEnd {
    /// The call that sends it, or posts its receive: index into [`super::Records::calls`].
    pub(crate) start: u32,
    /// Number of its channel; `None` if it was cancelled.
    pub(crate) channel: Option<u32>,
    /// Its bytes, or [`u32::MAX`] if there are more; unknown of a receive until it is complete.
    pub(crate) bytes: u32,
}

impl MessageEnd {
    pub(crate) fn new(start: u32, channel: Option<u32>, bytes: u64) -> Self {
        MessageEnd { start, channel, bytes: saturated(bytes) }
    }

    pub(crate) fn set_bytes(&mut self, bytes: u64) {
        self.bytes = saturated(bytes);
    }
}

/// A number of bytes, or the largest that is kept.
fn saturated(bytes: u64) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

impl KeptRecord for MessageEnd {
    type Groups = Groups<Channel>;

    fn location(&self, calls: &[MpiCall]) -> u32 {
        calls[self.start as usize].owner
    }

    fn call(&self) -> Option<u32> {
        Some(self.start)
    }

    fn group_mut(&mut self) -> Option<&mut u32> {
        self.channel.as_mut()
    }

    fn order_in_group(&self) -> u32 {
        self.start
    }

    fn renumber(&mut self, numbers: &Numbers) {
        self.start = numbers.calls.new_number(self.start);
    }
}

/// The operation of a request, or of a blocking call that moves a message: an index into [`super::Records::sends`],
/// [`super::Records::receives`] or [`super::Records::requested`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Message {
    Send(u32),
    Receive(u32),
    Collective(u32),
}

/// A message end is complete, or a collective operation that has a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Completion {
    /// The completing call: index into [`super::Records::calls`].
    pub(crate) call: u32,
    pub(crate) message: Message,
}

impl KeptRecord for Completion {
    type Groups = ();

    fn location(&self, calls: &[MpiCall]) -> u32 {
        calls[self.call as usize].owner
    }

    fn call(&self) -> Option<u32> {
        Some(self.call)
    }

    fn order(&self, calls: &[MpiCall]) -> (u64, u32) {
        (calls[self.call as usize].leave, self.call)
    }

    fn renumber(&mut self, numbers: &Numbers) {
        self.call = numbers.calls.new_number(self.call);
        self.message = match self.message {
            Message::Send(send) => Message::Send(numbers.sends.new_number(send)),
            Message::Receive(receive) => Message::Receive(numbers.receives.new_number(receive)),
            Message::Collective(requested) => Message::Collective(numbers.requested.new_number(requested)),
        };
    }
}

/// A process's part in a collective operation. That of a request begins with the call that starts it, and ends in the
/// one that completes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Collective {
    pub(crate) begin: u64,
    pub(crate) end: u64,
    pub(crate) place: Place,
    /// Number of its communicator; `None` as long as it is not known.
    pub(crate) communicator: Option<u32>,
    /// The root in the communicator.
    pub(crate) root: Root,
    pub(crate) operation: CollectiveOperation,
    pub(crate) sends: bool,
    pub(crate) receives: bool,
    /// Whether it has a request.
    pub(crate) is_requested: bool,
    /// Whether the operation is one between neighbours, and not between all members.
    pub(crate) is_among_neighbors: bool,
    /// The number of its stop.
    pub(crate) stop: u32,
}

impl Collective {
    /// The duration, in ticks.
    pub(crate) fn duration(&self) -> u64 {
        self.end.saturating_sub(self.begin)
    }

    /// Whether it makes a communicator. Libraries free them without the others.
    pub(crate) fn makes(&self) -> bool {
        self.operation == CollectiveOperation::CreateHandle
    }
}

impl KeptRecord for Collective {
    type Groups = Groups<CommunicatorRef>;

    fn location(&self, _calls: &[MpiCall]) -> u32 {
        self.place.location
    }

    fn place_mut(&mut self) -> Option<&mut Place> {
        Some(&mut self.place)
    }

    fn times_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        [&mut self.begin, &mut self.end].into_iter()
    }

    fn group_mut(&mut self) -> Option<&mut u32> {
        self.communicator.as_mut()
    }

    fn order(&self, _calls: &[MpiCall]) -> (u64, u32) {
        (self.begin, 0)
    }
}

/// A collective operation that has a request, until the call that completes it is judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Requested {
    /// The call that starts it: index into [`super::Records::calls`].
    pub(crate) start: u32,
    /// The process's part in it: index into [`super::Records::collectives`]; `None` when the operation is summed up.
    pub(crate) part: Option<u32>,
    /// The wait of its completion, if there is one, when the operation is summed up.
    pub(crate) due: Option<Due>,
}

impl KeptRecord for Requested {
    type Groups = ();

    fn location(&self, calls: &[MpiCall]) -> u32 {
        calls[self.start as usize].owner
    }

    fn call(&self) -> Option<u32> {
        Some(self.start)
    }

    fn order(&self, calls: &[MpiCall]) -> (u64, u32) {
        (calls[self.start as usize].enter, self.start)
    }

    fn renumber(&mut self, numbers: &Numbers) {
        self.start = numbers.calls.new_number(self.start);
        self.part = self.part.map(|part| numbers.collectives.new_number(part));
    }
}

/// `MPI_Init` or `MPI_Finalize` of a process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// Whether it is `MPI_Init` or `MPI_Finalize`.
    pub(crate) kind: CallKind,
    pub(crate) enter: u64,
    pub(crate) leave: u64,
    pub(crate) place: Place,
    /// The number of its stop.
    pub(crate) stop: u32,
}

impl Span {
    /// The duration, in ticks.
    pub(crate) fn duration(&self) -> u64 {
        self.leave.saturating_sub(self.enter)
    }
}

impl KeptRecord for Span {
    type Groups = ();

    fn location(&self, _calls: &[MpiCall]) -> u32 {
        self.place.location
    }

    fn place_mut(&mut self) -> Option<&mut Place> {
        Some(&mut self.place)
    }

    fn times_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        [&mut self.enter, &mut self.leave].into_iter()
    }
}
