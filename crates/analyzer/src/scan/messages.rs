//! The part of pass 1 that follows messages from their start to their completion.

use ats_model::messages::Envelope;

use super::Scanner;
use super::open_messages::{HandedEnd, Outcome, Pending, Request};
use crate::{
    records::{Completion, Message, MessageEnd},
    scan::lookahead::{Fate, Lookahead},
    words::damage::Damage,
};

impl Scanner<'_> {
    /// Whether there are requests whose effect on their channels is not known.
    pub(crate) fn has_unsure_requests(&self) -> bool {
        self.messages.requests.values().any(|pending| !pending.is_sure)
    }

    /// Takes the lookahead about requests.
    pub(crate) fn foresee(&mut self, lookahead: Lookahead) {
        self.messages.lookahead = lookahead;
        let mut requests = std::mem::take(&mut self.messages.requests);
        requests.values_mut().for_each(|pending| *pending = self.foreseen(*pending));
        self.messages.requests = requests;
    }

    /// A request, with the knowledge of its future.
    fn foreseen(&mut self, pending: Pending) -> Pending {
        let Some(fate) = self.messages.lookahead.fate(pending.number) else { return pending };
        let request = match (pending.request, fate) {
            (Request::Receive(start), Fate::Received(envelope)) => {
                let channel = self.receiving_channel(envelope);
                Request::Foreseen(self.scan.records.receives.push(MessageEnd::new(start, channel, u64::MAX)))
            }
            (Request::Send(send), Fate::Cancelled) => {
                self.scan.records.sends[send as usize].channel = None;
                pending.request
            }
            (Request::Collective(requested), Fate::Collective(ended)) => {
                self.know_end(requested, &ended);
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
        if !matches!(request, Request::Collective(_)) {
            let call = request.start(&self.scan.records);
            self.scan.records.calls[call as usize].awaits_next = true;
            self.messages.unacted.push(call);
        }
        let number = self.messages.started;
        let pending = Pending { number, request, is_sure: false, poll: None, probe: None };
        self.messages.started += 1;
        let pending = self.foreseen(pending);
        if let Some(before) = self.messages.requests.insert(name, pending) {
            self.leave_unfinished(&before);
            self.damage(Damage::RequestNotCompleted, time);
        }
    }

    /// A receive is posted in a call.
    pub(super) fn post(&mut self, time: u64, name: u64, call: u32) {
        let probe = if self.messages.probes.are_open() { self.probe_before(call) } else { None };
        self.start(time, name, Request::Receive(call));
        if let Some(pending) = self.messages.requests.get_mut(&name) {
            pending.probe = probe;
        }
    }

    /// The location enters a call in which it acts on the messages that it has started.
    #[cold]
    pub(super) fn act(&mut self, time: u64) {
        for call in self.messages.unacted.drain(..) {
            let call = &mut self.scan.records.calls[call as usize];
            (call.next, call.awaits_next) = (time, false);
        }
    }

    /// The location has entered such a call, at a time that is lost.
    #[cold]
    pub(super) fn act_unseen(&mut self) {
        for call in self.messages.unacted.drain(..) {
            self.scan.records.calls[call as usize].awaits_next = false;
        }
    }

    pub(super) fn send(&mut self, time: u64, call: u32, envelope: Envelope, bytes: u64) -> u32 {
        let channels = &mut self.scan.records.sends.groups;
        let channel = self
            .messages
            .sent_on
            .number(channels, envelope, || envelope.sent_by(self.rank, self.definitions));
        self.end_of_message(time, channel);
        self.scan.records.sends.push(MessageEnd::new(call, channel, bytes))
    }

    pub(super) fn cancel(&mut self, time: u64, request: u64) {
        self.mark_recorded();
        let pending = self.messages.requests.remove(&request);
        pending.into_iter().for_each(|pending| self.end_poll(time, pending.poll, None));
        match pending.map(|pending| pending.request) {
            Some(Request::Send(send)) => self.scan.records.sends[send as usize].channel = None,
            Some(_) => {}
            None => self.end_of_another(time, request, Outcome::Cancelled),
        }
    }

    /// A request is complete that another thread may have started.
    pub(super) fn end_of_another(&mut self, time: u64, name: u64, outcome: Outcome) {
        let enter = self.innermost().map_or(time, |frame| frame.enter);
        self.messages.handed.push(HandedEnd { name, enter, time, outcome });
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

    /// A message has come in the call that posts its receive.
    pub(super) fn receive_now(&mut self, time: u64, envelope: Envelope, bytes: u64) {
        let call = self.call(time);
        let receive = self.receive(time, [call, call], envelope, bytes);
        if self.messages.probes.are_open() {
            let before = self.probe_before(call);
            self.receive_found(receive, self.messages.started, envelope, before);
        }
    }

    /// A message has come: its receive was posted in the call `posted` and completes in the call `call`.
    pub(super) fn receive(
        &mut self,
        time: u64,
        [posted, call]: [u32; 2],
        envelope: Envelope,
        bytes: u64,
    ) -> u32 {
        let channel = self.receiving_channel(envelope);
        self.end_of_message(time, channel);
        let receive = self.scan.records.receives.push(MessageEnd::new(posted, channel, bytes));
        self.complete(call, Message::Receive(receive));
        receive
    }

    /// A message has come for a request; its size is known now.
    pub(super) fn receive_complete(&mut self, time: u64, (request, bytes): (u64, u64), envelope: Envelope) {
        let call = self.call(time);
        let Some(pending) = self.messages.requests.remove(&request) else {
            let receive = self.receive(time, [call, call], envelope, bytes);
            self.end_of_another(time, request, Outcome::Received(receive));
            return;
        };
        let receive = match pending.request {
            Request::Foreseen(receive) => {
                let end = &mut self.scan.records.receives[receive as usize];
                end.set_bytes(bytes);
                let channel = end.channel;
                self.end_of_message(time, channel);
                self.complete(call, Message::Receive(receive));
                receive
            }
            Request::Receive(posted) => self.receive(time, [posted, call], envelope, bytes),
            Request::Send(_) | Request::Collective(_) => {
                self.damage(Damage::UnknownRequest, time);
                self.receive(time, [call, call], envelope, bytes)
            }
        };
        self.end_poll(time, pending.poll, Some(receive));
        if pending.probe.is_some() || self.messages.probes.are_open() {
            self.receive_found(receive, pending.number, envelope, pending.probe);
        }
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
