//! Events as bytes: their time since the one before and their kind as one number, then their fields, as numbers of as many
//! bytes as each needs.
//!
//! The zeros that a number's first byte ends in say how many bytes follow; above them are its bits, the lowest first. So
//! neither packing nor unpacking branches on the length.

use ats_model::Event;
use ats_model::event::{CollectiveOperation, CommunicatorRef, RegionRef, TaskId, TeamRef};

/// The most that an event with its time takes, and what is written or read beyond its end.
pub(crate) const MOST: usize = 64;

/// Room for one event.
pub(crate) struct Room<'a> {
    bytes: &'a mut [u8; MOST],
    pub(crate) used: usize,
}

impl<'a> Room<'a> {
    /// The room at the beginning of `bytes`.
    #[inline]
    pub(crate) fn of(bytes: &'a mut [u8]) -> Self {
        Room { bytes: bytes.first_chunk_mut().expect("there is room"), used: 0 }
    }

    #[inline(always)]
    fn put(&mut self, bytes: [u8; 8], used: usize) {
        self.bytes[self.used..][..8].copy_from_slice(&bytes);
        self.used += used;
    }

    /// Appends a number of any length.
    #[inline(always)]
    fn long(&mut self, number: u64) {
        let bits = u64::BITS - (number | 1).leading_zeros();
        if bits <= 56 {
            // As many as there are seven bits, rounded up.
            let bytes = (bits * 9 + 64) / 64;
            self.put(((number << 1 | 1) << (bytes - 1)).to_le_bytes(), bytes as usize);
        } else {
            self.put([0; 8], 1);
            self.put(number.to_le_bytes(), 8);
        }
    }

    /// Appends a number, which is small more often than not.
    #[inline(always)]
    fn number(&mut self, number: u64) {
        if number < 1 << 7 {
            self.bytes[self.used] = (number << 1 | 1) as u8;
            self.used += 1;
        } else {
            self.long(number);
        }
    }
}

/// Packed events, from one of them on.
#[derive(Clone)]
pub(crate) struct Rest<'a>(pub(crate) &'a [u8]);

impl Rest<'_> {
    fn take(&mut self, used: usize) -> u64 {
        let (&bytes, _) = self.0.split_first_chunk().expect("there are bytes beyond the end");
        self.0 = &self.0[used..];
        u64::from_le_bytes(bytes)
    }

    /// The number that comes next.
    fn number(&mut self) -> u64 {
        match self.0[0].trailing_zeros() as usize + 1 {
            9 => {
                self.take(1);
                self.take(8)
            }
            bytes => (self.take(bytes) << (64 - 8 * bytes)) >> (64 - 7 * bytes),
        }
    }
}

/// A field of events.
trait Field {
    fn pack(self, room: &mut Room);
    fn unpack(rest: &mut Rest) -> Self;
}

macro_rules! fields {
    ($($type:ty: $pack:expr, $unpack:expr;)*) => {$(
        impl Field for $type {
            #[inline(always)]
            fn pack(self, room: &mut Room) {
                let pack: fn(Self) -> u64 = $pack;
                room.number(pack(self));
            }

            fn unpack(rest: &mut Rest) -> Self {
                let unpack: fn(u64) -> Self = $unpack;
                unpack(rest.number())
            }
        }
    )*};
}
fields! {
    u8: |number| number.into(), |number| number as u8;
    u32: |number| number.into(), |number| number as u32;
    u64: |number| number, |number| number;
    RegionRef: |region| region.0.into(), |number| RegionRef(number as u32);
    CommunicatorRef: |communicator| communicator.0.into(), |number| CommunicatorRef(number as u32);
    TeamRef: |team| team.0.into(), |number| TeamRef(number as u32);
    CollectiveOperation: |operation| operation as u64, |number| CollectiveOperation::from_otf2(number as u8);
    Option<u32>: |root| root.map_or(0, |root| u64::from(root) + 1), |number| number.checked_sub(1).map(|root| root as u32);
    TaskId:
        |task| u64::from(task.creator) << 32 | u64::from(task.generation),
        |number| TaskId { creator: (number >> 32) as u32, generation: number as u32 };
}

macro_rules! events {
    ($($kind:literal $name:ident { $($field:ident),* })*) => {
        /// Appends an event, so many ticks after the one before, or before it; less than 2⁵⁸ of them.
        #[inline]
        pub(crate) fn pack(since: i64, event: Event, room: &mut Room) {
            match event {
                $(Event::$name { $($field),* } => {
                    room.long((since << KIND_BITS | $kind) as u64);
                    $($field.pack(room);)*
                })*
            }
        }

        /// The event that comes next, and the ticks since the one before.
        pub(crate) fn unpack(rest: &mut Rest) -> (i64, Event) {
            let head = rest.number() as i64;
            let event = match head & ((1 << KIND_BITS) - 1) {
                $($kind => Event::$name { $($field: Field::unpack(rest)),* },)*
                kind => unreachable!("no event is of the kind {kind}"),
            };
            (head >> KIND_BITS, event)
        }
    };
}

const KIND_BITS: u32 = 5;

events! {
    0 Enter { region }
    1 Leave { region }
    2 MpiSend { receiver, communicator, tag, bytes }
    3 MpiIsend { receiver, communicator, tag, bytes, request }
    4 MpiIsendComplete { request }
    5 MpiIrecvRequest { request }
    6 MpiRecv { sender, communicator, tag, bytes }
    7 MpiIrecv { sender, communicator, tag, bytes, request }
    8 MpiRequestTest { request }
    9 MpiRequestCancelled { request }
    10 MpiCollectiveBegin {}
    11 MpiCollectiveEnd { operation, communicator, root, sent, received }
    12 ThreadFork { requested }
    13 ThreadJoin {}
    14 ThreadTeamBegin { team }
    15 ThreadTeamEnd { team }
    16 ThreadAcquireLock { lock, order }
    17 ThreadReleaseLock { lock, order }
    18 ThreadTaskCreate { team, task }
    19 ThreadTaskSwitch { team, task }
    20 ThreadTaskComplete { team, task }
    21 Other { record }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_lengths_come_back_and_take_a_byte_for_seven_bits() {
        let edges = (0..64).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit, (1 << bit) + 1]);
        for number in edges.chain([u64::MAX]) {
            let mut bytes = [0xff; MOST];
            let mut room = Room::of(&mut bytes);
            room.long(number);
            let used = room.used;
            let bits = (u64::BITS - number.leading_zeros()).max(1) as usize;
            assert_eq!(used, bits.div_ceil(7).min(9), "{number}");
            let mut rest = Rest(&bytes);
            assert_eq!((rest.number(), MOST - rest.0.len()), (number, used));
        }
    }
}
