//! Flights of messages: the time from when both ends have begun until a message is there, by channel and size; and
//! the sizes that a library sends before their receives begin.
//!
//! A trace has millions of messages, so flights are counted in classes: four for each power of two of bytes, and as many
//! for each power of two of ticks.

use rustc_hash::FxHashMap;

use crate::words::place::{BasesByLocation, Place};

/// The flights of the messages that a process receives, and the sizes of those that it sends; or nothing if the caller
/// does not ask for them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flights(Option<Box<Known>>);

#[derive(Clone, Debug, Default)]
struct Known {
    flights: FxHashMap<Kind, Sum>,
    sizes: Sizes,
    held: FxHashMap<Sent<Place>, Number>,
    eager: FxHashMap<Sent<u8>, Number>,
}

/// Sends of a call, or of a size, that stay on a node or do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sent<Of> {
    pub(crate) of: Of,
    /// Whether they go to another node, as far as nodes are known.
    pub(crate) leave_node: bool,
}

/// The number of some sends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Number {
    pub(crate) number: u64,
    /// The bytes of the largest.
    pub(crate) bytes: u32,
}

impl Number {
    pub(crate) fn absorb(&mut self, more: Number) {
        self.number += more.number;
        self.bytes = self.bytes.max(more.bytes);
    }
}

/// Messages of about the same flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Kind {
    /// The call that receives them.
    pub(crate) receiver: Place,
    /// The location that sends them.
    pub(crate) sender: u32,
    /// The class of their size.
    pub(crate) size: u8,
    /// The class of their flight.
    pub(crate) flight: u8,
}

/// Flights of some messages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sum {
    pub(crate) number: u64,
    pub(crate) ticks: u64,
    /// The bytes of the largest.
    pub(crate) bytes: u32,
}

impl Sum {
    pub(crate) fn absorb(&mut self, more: Sum) {
        self.number += more.number;
        self.ticks = self.ticks.saturating_add(more.ticks);
        self.bytes = self.bytes.max(more.bytes);
    }
}

/// Sizes of messages in standard mode, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sizes {
    /// The largest that was sent before its receive began.
    pub(crate) largest_eager: Option<u32>,
    /// The smallest that waited for its receive.
    pub(crate) smallest_held: Option<u32>,
}

impl Sizes {
    pub(crate) fn absorb(&mut self, more: Sizes) {
        self.largest_eager = self.largest_eager.max(more.largest_eager);
        self.smallest_held = [self.smallest_held, more.smallest_held].into_iter().flatten().min();
    }
}

/// The class of an amount: 0 for nothing, then four for each power of two.
pub(crate) fn class(amount: u64) -> u8 {
    let Some(power) = amount.checked_ilog2() else { return 0 };
    let quarter = (amount << (63 - power)) >> 61 & 3;
    (1 + 4 * u64::from(power) + quarter).min(u8::MAX.into()) as u8
}

impl Flights {
    /// Keeps them, or does not.
    pub(crate) fn new(are_asked_for: bool) -> Self {
        Flights(are_asked_for.then(Box::default))
    }

    /// Counts a message of `bytes` that is received at a place, `ticks` after both ends have begun.
    pub(crate) fn received(&mut self, receiver: Place, sender: u32, bytes: u32, ticks: u64) {
        if let Some(known) = &mut self.0 {
            let kind = Kind { receiver, sender, size: class(bytes.into()), flight: class(ticks) };
            known.flights.entry(kind).or_default().absorb(Sum { number: 1, ticks, bytes });
        }
    }

    /// Counts a message of `bytes` in standard mode whose receive begins after the call that completes the send: this is
    /// held up until then, or over before.
    pub(crate) fn sent(&mut self, call: Sent<Place>, bytes: u32, was_held: bool) {
        let Some(known) = &mut self.0 else { return };
        let size = |is_it: bool| is_it.then_some(bytes);
        known.sizes.absorb(Sizes { largest_eager: size(!was_held), smallest_held: size(was_held) });
        let one = Number { number: 1, bytes };
        match was_held {
            true => known.held.entry(call).or_default().absorb(one),
            false => {
                let size = Sent { of: class(bytes.into()), leave_node: call.leave_node };
                known.eager.entry(size).or_default().absorb(one);
            }
        }
    }

    /// Counts a message in another mode that was held up in a call: its size does not matter.
    pub(crate) fn count_held(&mut self, call: Sent<Place>) {
        if let Some(known) = &mut self.0 {
            known.held.entry(call).or_default().absorb(Number { number: 1, bytes: u32::MAX });
        }
    }

    /// Gives places the bases that are known by now.
    pub(crate) fn renumber(&mut self, known: &BasesByLocation) {
        let Some(of) = &mut self.0 else { return };
        let is_open = |kind: &Kind| kind.receiver.base.membership().is_some();
        let open: Vec<_> = of.flights.extract_if(|kind, _| is_open(kind)).collect();
        for (mut kind, sum) in open {
            kind.receiver.renumber(known);
            of.flights.entry(kind).or_default().absorb(sum);
        }
        let is_open = |sent: &Sent<Place>| sent.of.base.membership().is_some();
        let open: Vec<_> = of.held.extract_if(|sent, _| is_open(sent)).collect();
        for (mut sent, number) in open {
            sent.of.renumber(known);
            of.held.entry(sent).or_default().absorb(number);
        }
    }

    /// The sends that were held up, by call, and those that were over before their receives, by class of size.
    pub(crate) fn sends(
        &self,
    ) -> (impl Iterator<Item = (Sent<Place>, Number)>, impl Iterator<Item = (Sent<u8>, Number)>) {
        let held = self.0.iter().flat_map(|known| &known.held).map(|(&sent, &number)| (sent, number));
        let eager = self.0.iter().flat_map(|known| &known.eager).map(|(&sent, &number)| (sent, number));
        (held, eager)
    }

    /// All flights, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Kind, Sum)> {
        self.0.iter().flat_map(|known| known.flights.iter().map(|(&kind, &sum)| (kind, sum)))
    }

    /// The sizes of what is sent.
    pub(crate) fn sizes(&self) -> Sizes {
        self.0.as_ref().map_or_else(Sizes::default, |known| known.sizes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_four_classes_for_each_power_of_two() {
        let classes: Vec<u8> = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 16].map(class).to_vec();
        assert_eq!(classes, [0, 1, 5, 7, 9, 10, 11, 12, 13, 14, 17]);
        let mut last = 0;
        for power in 0..64 {
            for amount in [1 << power, (1 << power) + (1_u64 << power) / 2] {
                assert!(class(amount) >= last, "{amount}");
                last = class(amount);
            }
        }
    }
}
