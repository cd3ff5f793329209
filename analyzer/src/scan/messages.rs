//! The part of pass 1 that follows messages from their start to their completion.

use ats_model::messages::Envelope;

use super::Scanner;
use super::open_messages::{HandedEnd, Outcome, Pending, Request};
use crate::{
    records::{Completion, Message, MessageEnd},
    scan::foresight::{Fate, Foresight},
    words::damage::Damage,
};

impl Scanner<'_> {
    /// Whether there are requests whose effect on their channels is not known.
    pub(crate) fn has_unsure_requests(&self) -> bool {
        self.messages.requests.values().any(|pending| !pending.is_sure)
    }

    /// Takes the foresight about requests.
    pub(crate) fn foresee(&mut self, foresight: Foresight) {
        self.messages.foresight = foresight;
        let mut requests = std::mem::take(&mut self.messages.requests);
        requests.values_mut().for_each(|pending| *pending = self.foreseen(*pending));
        self.messages.requests = requests;
    }

    /// A request, with the knowledge of its future.
    fn foreseen(&mut self, pending: Pending) -> Pending {
        let Some(fate) = self.messages.foresight.fate(pending.number) else { return pending };
        let request = match (pending.request, fate) {
            (Request::Receive(start), Fate::Received(envelope)) => {
                let channel = self.receiving_channel(envelope);
                Request::Foreseen(self.scan.records.receives.push(MessageEnd { start, channel }))
            }
            (Request::Send(send), Fate::Cancelled) => {
                self.scan.records.sends[send as usize].channel = None;
                pending.request
            }
            _ => pending.request,
        };
        Pending { request, is_sure: true, ..pending }
    }

    pub(super) fn complete(&mut self, call: u32, message: Message) {
        self.scan.records.completions.push(Completion { call, message });
    }

    pub(super) fn start(&mut self, time: u64, name: u64, request: Request) {
        let pending = Pending { number: self.messages.started, request, is_sure: false };
        self.messages.started += 1;
        let pending = self.foreseen(pending);
        if self.messages.requests.insert(name, pending).is_some() {
            self.damage(Damage::RequestNotCompleted, time);
        }
    }

    pub(super) fn send(&mut self, time: u64, call: u32, envelope: Envelope) -> u32 {
        let channels = &mut self.scan.records.sends.groups;
        let channel = self
            .messages
            .sent_on
            .number(channels, envelope, || envelope.sent_by(self.rank, self.definitions));
        self.end_of_message(time, channel);
        self.scan.records.sends.push(MessageEnd { start: call, channel })
    }

    pub(super) fn cancel(&mut self, time: u64, request: u64) {
        self.mark_recorded();
        match self.messages.requests.remove(&request).map(|pending| pending.request) {
            Some(Request::Send(send)) => self.scan.records.sends[send as usize].channel = None,
            Some(_) => {}
            None => self.end_of_another(time, request, Outcome::Cancelled),
        }
    }

    /// A request is complete that another thread may have started.
    fn end_of_another(&mut self, time: u64, name: u64, outcome: Outcome) {
        self.messages.handed.push(HandedEnd { name, time, outcome });
    }

    pub(super) fn send_complete(&mut self, time: u64, request: u64) {
        match self.messages.requests.remove(&request).map(|pending| pending.request) {
            Some(Request::Send(send)) => {
                let call = self.call(time);
                self.complete(call, Message::Send(send));
            }
            Some(_) => self.damage(Damage::UnknownRequest, time),
            None => {
                let call = self.call(time);
                self.end_of_another(time, request, Outcome::Sent { call });
            }
        }
    }

    /// A message has come: its receive was posted in the call `posted` and completes in the call `call`.
    pub(super) fn receive(&mut self, time: u64, posted: u32, call: u32, envelope: Envelope) -> u32 {
        let channel = self.receiving_channel(envelope);
        self.end_of_message(time, channel);
        let receive = self.scan.records.receives.push(MessageEnd { start: posted, channel });
        self.complete(call, Message::Receive(receive));
        receive
    }

    pub(super) fn receive_complete(&mut self, time: u64, request: u64, envelope: Envelope) {
        let call = self.call(time);
        let posted = match self.messages.requests.remove(&request).map(|pending| pending.request) {
            Some(Request::Foreseen(receive)) => {
                self.end_of_message(time, self.scan.records.receives[receive as usize].channel);
                self.complete(call, Message::Receive(receive));
                return;
            }
            Some(Request::Receive(posted)) => posted,
            Some(Request::Send(_)) => {
                self.damage(Damage::UnknownRequest, time);
                call
            }
            None => {
                let receive = self.receive(time, call, call, envelope);
                self.end_of_another(time, request, Outcome::Received(receive));
                return;
            }
        };
        self.receive(time, posted, call, envelope);
    }

    /// The channel of a message that is received.
    fn receiving_channel(&mut self, envelope: Envelope) -> Option<u32> {
        let channels = &mut self.scan.records.receives.groups;
        let channel = || envelope.received_by(self.rank, self.definitions);
        self.messages.received_on.number(channels, envelope, channel)
    }

    fn end_of_message(&mut self, time: u64, channel: Option<u32>) {
        if channel.is_none() {
            self.damage(Damage::UnknownPeer, time);
        }
    }
}
