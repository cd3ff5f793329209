//! Messages that lost their places, since a record before them is missing.
//!
//! The *k*-th send of a channel belongs to the *k*-th receive. Where a record is missing in the middle, each message after
//! it gets an end of its successor or predecessor, and so waits that there were not. The numbers of sends and receives
//! tell that one is missing. If that is the last one, as in a trace that ends early, it does no harm. If it is not, messages
//! are over before they begin, as far as clocks can be compared.

use ats_model::messages::Channel;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    judge::violations::Violations,
    records::{Message, MpiCall, process::Process, processes::Processes},
    words::regions::CallKind,
};

/// The channels whose messages have no known places. Times of their processes have to be comparable.
pub(crate) fn channels(processes: &Processes) -> FxHashSet<Channel> {
    let mut completing = FxHashMap::default();
    let mut misplaced = FxHashSet::default();
    for receiver in processes.list() {
        for (channel, receives) in receiver.receives.groups.iter() {
            let Some(sender) = processes.of_rank(channel.from) else { continue };
            let sends = sender.sends.groups.members(channel);
            let lacks_none = sends.len() == receives.len() || sends.is_empty() || receives.is_empty();
            if lacks_none || sender.has_gaps() || receiver.has_gaps() {
                continue;
            }
            for process in [sender, receiver] {
                completing.entry(process.rank).or_insert_with(|| Completing::new(process));
            }
            let [completing_sends, completing_receives] =
                [&completing[&sender.rank], &completing[&receiver.rank]];
            let mut violations = Violations::default();
            for (&send, &receive) in sends.iter().zip(receives) {
                let sending = sender.calls[sender.sends[send as usize].start as usize];
                let posting = receiver.calls[receiver.receives[receive as usize].start as usize];
                if let Some(call) = completing_receives.call(receiver, Message::Receive(receive)) {
                    violations.check(call.enter, call.leave, sending.enter);
                }
                if sending.kind == CallKind::Synchronous
                    && let Some(call) = completing_sends.call(sender, Message::Send(send))
                {
                    violations.check(call.enter, call.leave, posting.enter);
                }
            }
            if violations.contradict() {
                misplaced.insert(channel);
            }
        }
    }
    misplaced
}

/// The calls of a process that complete its messages: indices, by message.
struct Completing(FxHashMap<Message, u32>);

impl Completing {
    fn new(process: &Process) -> Self {
        Completing(process.completions.iter().map(|it| (it.message, it.call)).collect())
    }

    fn call(&self, process: &Process, message: Message) -> Option<MpiCall> {
        self.0.get(&message).map(|&call| process.calls[call as usize])
    }
}
