//! Probes whose messages are not received yet.
//!
//! A recorder notes the message that a probe has found; its receive is the next one of such a message. Otherwise it is
//! the receive that the thread makes next, if there is no other call for messages in between.

use std::collections::VecDeque;

use ats_model::{
    attribute::{AttributeDefinition, AttributeValue},
    event::{AttributeRef, CommunicatorRef},
    messages::Envelope,
    own_attribute::Own,
};

use crate::words::{
    place::{Base, Place},
    regions::CallKind,
};

/// The most messages that a thread may have found and not received; it forgets the oldest.
pub(super) const MOST: usize = 16;

/// A probe whose message is not received yet.
#[derive(Clone, Copy)]
pub(super) struct Probe {
    pub(super) enter: u64,
    pub(super) leave: u64,
    pub(super) place: Place,
    pub(super) kind: CallKind,
    /// The number of requests started before it.
    pub(super) started: u64,
    /// The message, if the recorder has noted it.
    pub(super) envelope: Option<Envelope>,
}

/// The probes of a location.
#[derive(Default)]
pub(super) struct Probes {
    pub(super) open: VecDeque<Probe>,
    /// The meaning of each attribute of the trace.
    attributes: Vec<Option<Own>>,
    /// The message that the innermost probe has found, as far as it is noted.
    source: Option<u32>,
    tag: Option<u32>,
    communicator: Option<CommunicatorRef>,
}

impl Probes {
    /// None yet, in a trace with these attributes.
    pub(super) fn new(attributes: &[AttributeDefinition]) -> Self {
        Probes { attributes: attributes.iter().map(Own::from_definition).collect(), ..Probes::default() }
    }

    pub(super) fn are_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Gives the places the bases that are known by now.
    pub(super) fn renumber(&mut self, bases: &[Base]) {
        self.open.iter_mut().for_each(|probe| probe.place.base = probe.place.base.renumbered(bases));
    }

    /// The meaning of an attribute, if it is one of the suite's own.
    pub(super) fn meaning(&self, attribute: AttributeRef) -> Option<Own> {
        self.attributes.get(attribute.0 as usize).copied().flatten()
    }

    /// Takes an attribute of the event that leaves a probe.
    pub(super) fn note(&mut self, attribute: AttributeRef, AttributeValue { bits, .. }: AttributeValue) {
        let number = u32::try_from(bits).ok();
        match self.meaning(attribute) {
            Some(Own::ProbedSource) => self.source = number,
            Some(Own::ProbedTag) => self.tag = number,
            Some(Own::ProbedCommunicator) => self.communicator = number.map(CommunicatorRef),
            _ => {}
        }
    }

    /// The message that is noted.
    pub(super) fn take_envelope(&mut self) -> Option<Envelope> {
        let (source, tag, communicator) = (self.source.take(), self.tag.take(), self.communicator.take());
        Some(Envelope { communicator: communicator?, peer: source?, tag: tag? })
    }

    /// Takes the first probe that the receive of a message may belong to: it is posted in a call of a `kind`, when
    /// `started` many requests have been started. A matched receive is that of the first matched probe, and of others
    /// before that.
    pub(super) fn take(&mut self, kind: CallKind, started: u64, envelope: Option<Envelope>) -> Option<Probe> {
        let takes_matched = kind == CallKind::MatchedReceive;
        let at = self.open.iter().position(|probe| {
            let is_matched = probe.kind == CallKind::MatchedProbe;
            (takes_matched || !is_matched) && probe.started <= started && probe.envelope == envelope
        })?;
        self.open.remove(at)
    }
}
