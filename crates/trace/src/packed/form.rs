//! Events as bytes: their time since the one before and their kind as one number, then their fields, as numbers of as many
//! bytes as each needs.
//!
//! The zeros that a number's first byte ends in say how many bytes follow; above them are its bits, the lowest first. So
//! neither packing nor unpacking branches on the length.

use std::convert::Infallible;

use ats_model::Event;
use ats_model::attribute::{AttributeType, AttributeValue};
use ats_model::event::{
    AttributeRef, Bytes, CallingContextRef, CollectiveOperation, CommunicatorRef, InterruptGeneratorRef,
    MeasurementMode, MetricRef, ProgramRef, Record, RegionRef, Root, TaskId, TeamRef, Time,
};
use ats_model::metric::{MetricValue, ValueType};
use ats_model::record::{Form, ReadField, RecordReader, RecordWriter, Row, Whole, WriteField};

/// The most bytes that an event with its time takes, and that are written or read beyond its end.
pub(crate) const MOST: usize = 64;

/// Room for one event.
pub(crate) struct Room<'a> {
    bytes: &'a mut [u8; MOST],
    pub(crate) used: usize,
}

impl<'a> Room<'a> {
    /// The room at the beginning of `bytes`.
    #[inline]
    pub(crate) fn new(bytes: &'a mut [u8]) -> Self {
        Room { bytes: bytes.first_chunk_mut().expect("there is room"), used: 0 }
    }

    #[inline(always)]
    fn put(&mut self, bytes: [u8; 8], used: usize) {
        self.bytes[self.used..][..8].copy_from_slice(&bytes);
        self.used += used;
    }

    /// Appends a number of any length.
    #[inline(always)]
    pub(crate) fn long(&mut self, number: u64) {
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
    /// The number that comes next.
    #[inline(always)]
    pub(crate) fn number(&mut self) -> u64 {
        let (&bytes, _) = self.0.split_first_chunk().expect("there are bytes beyond the end");
        let number = u64::from_le_bytes(bytes);
        match number.trailing_zeros() as usize + 1 {
            bytes @ ..=8 => {
                self.0 = &self.0[bytes..];
                (number << (64 - 8 * bytes)) >> (64 - 7 * bytes)
            }
            _ => self.whole(),
        }
    }

    /// A number of eight bytes, behind one that is zero.
    #[cold]
    fn whole(&mut self) -> u64 {
        let (&bytes, rest) = self.0[1..].split_first_chunk().expect("there are bytes beyond the end");
        self.0 = rest;
        u64::from_le_bytes(bytes)
    }
}

/// Bits of the number of an event's kind.
const KIND_BITS: u32 = 5;
/// The kind of [`Event::Other`]; its record follows.
const OTHER: u8 = 30;
/// The kind of events that have no kind of their own; their record follows.
const FURTHER: u8 = 31;

/// Appends an event, `since` ticks after the one before, or before it; less than 2⁵⁸ of them.
#[inline]
pub(crate) fn pack(since: i64, event: Event, room: &mut Room<'_>) {
    let mut packing = Packing { room, since };
    match event {
        Event::Other { record } => packing.head(OTHER, Some(record)),
        event => event.write::<Whole, _>(&mut packing),
    }
}

/// The event that comes next, and the ticks since the one before.
#[inline]
pub(crate) fn unpack(rest: &mut Rest<'_>) -> (i64, Event) {
    let (since, kind, record) = head(rest, Event::RECORDS);
    let event = if kind == OTHER { Event::Other { record } } else { read(rest, record) };
    (since, event)
}

#[inline(always)]
fn read(rest: &mut Rest<'_>, record: Record) -> Event {
    let Ok(event) = Event::read::<Whole, _>(record, rest);
    event
}

/// The beginning of an event: the ticks since the one before, its kind and its record.
#[inline(always)]
fn head(rest: &mut Rest<'_>, records: &[Record]) -> (i64, u8, Record) {
    let head = rest.number() as i64;
    let kind = (head & ((1 << KIND_BITS) - 1)) as u8;
    let record = match kind {
        OTHER | FURTHER => Record(rest.number() as u8),
        kind => records[usize::from(kind)],
    };
    (head >> KIND_BITS, kind, record)
}

/// Room for an event, with the ticks since the one before.
struct Packing<'a, 'b> {
    room: &'a mut Room<'b>,
    since: i64,
}

impl Packing<'_, '_> {
    #[inline(always)]
    fn head(&mut self, kind: u8, record: Option<Record>) {
        self.room.long((self.since << KIND_BITS | i64::from(kind)) as u64);
        if let Some(record) = record {
            self.room.number(record.0.into());
        }
    }
}

impl RecordWriter for Packing<'_, '_> {
    type Body = ();

    #[inline(always)]
    fn begin(&mut self, row: Row) {
        if row.number < OTHER {
            self.head(row.number, None);
        } else {
            self.head(FURTHER, Some(row.record));
        }
    }

    #[inline(always)]
    fn end(&mut self, (): ()) {}
}

impl RecordReader for Rest<'_> {
    type Error = Infallible;
    type Body = ();

    fn begin(&mut self, _form: Form) -> Result<(), Infallible> {
        Ok(())
    }

    fn end(&mut self, (): ()) -> Result<bool, Infallible> {
        Ok(true)
    }

    fn skip(&mut self, record: Record) -> Result<(), Infallible> {
        unreachable!("{record} was packed, but is no event")
    }
}

/// Conversion of fields of these types into numbers, and back.
macro_rules! fields {
    ($($type:ty: $pack:expr, $unpack:expr;)*) => {$(
        impl WriteField<$type> for Packing<'_, '_> {
            #[inline(always)]
            fn write_field(&mut self, value: $type) {
                let pack: fn($type) -> u64 = $pack;
                self.room.number(pack(value));
            }
        }

        impl ReadField<$type> for Rest<'_> {
            #[inline(always)]
            fn read_field(&mut self) -> Result<$type, Infallible> {
                let unpack: fn(u64) -> $type = $unpack;
                Ok(unpack(self.number()))
            }
        }
    )*};
}
fields! {
    u32: |number| number.into(), |number| number as u32;
    u64: |number| number, |number| number;
    i64: |number| number as u64, |number| number as i64;
    ProgramRef: |string| string.0.into(), |number| ProgramRef(number as u32);
    MetricRef: |metric| metric.0.into(), |number| MetricRef(number as u32);
    AttributeRef: |attribute| attribute.0.into(), |number| AttributeRef(number as u32);
    RegionRef: |region| region.0.into(), |number| RegionRef(number as u32);
    CallingContextRef: |context| context.0.into(), |number| CallingContextRef(number as u32);
    InterruptGeneratorRef:
        |generator| generator.0.into(), |number| InterruptGeneratorRef(number as u32);
    CommunicatorRef: |communicator| communicator.0.into(), |number| CommunicatorRef(number as u32);
    TeamRef: |team| team.0.into(), |number| TeamRef(number as u32);
    Time: |time| time.0, Time;
    MeasurementMode:
        |mode| mode as u64,
        |number| if number == MeasurementMode::On as u64 { MeasurementMode::On } else { MeasurementMode::Off };
    CollectiveOperation: |operation| operation as u64, |number| CollectiveOperation::from_otf2(number as u8);
    Option<u32>: |root| root.map_or(0, |root| u64::from(root) + 1), |number| number.checked_sub(1).map(|root| root as u32);
    Root: |root| root.rank().map_or(0, |root| u64::from(root) + 1), |number| number.checked_sub(1).map(|root| root as u32).into();
    Bytes: |bytes| bytes.into(), |number| number.into();
    TaskId:
        |task| u64::from(task.creator) << 32 | u64::from(task.generation),
        |number| TaskId { creator: (number >> 32) as u32, generation: number as u32 };
}

/// Two numbers.
impl WriteField<MetricValue> for Packing<'_, '_> {
    fn write_field(&mut self, value: MetricValue) {
        self.room.number(value.of.to_otf2().into());
        self.room.number(value.bits);
    }
}

impl ReadField<MetricValue> for Rest<'_> {
    fn read_field(&mut self) -> Result<MetricValue, Infallible> {
        let of = ValueType::from_otf2(self.number() as u8).unwrap_or_default();
        Ok(MetricValue { of, bits: self.number() })
    }
}

/// Two numbers.
impl WriteField<AttributeValue> for Packing<'_, '_> {
    fn write_field(&mut self, value: AttributeValue) {
        self.room.number(value.of as u64);
        self.room.number(value.bits);
    }
}

impl ReadField<AttributeValue> for Rest<'_> {
    fn read_field(&mut self) -> Result<AttributeValue, Infallible> {
        let of = AttributeType::from_otf2(self.number() as u8).unwrap_or(AttributeType::Uint64);
        Ok(AttributeValue { of, bits: self.number() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::{IN_A_FILE, MadeUp};

    #[test]
    fn numbers_of_all_lengths_come_back_and_take_a_byte_for_seven_bits() {
        let edges = (0..64).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit, (1 << bit) + 1]);
        for number in edges.chain([u64::MAX]) {
            let mut bytes = [0xff; MOST];
            let mut room = Room::new(&mut bytes);
            room.long(number);
            let used = room.used;
            let bits = (u64::BITS - number.leading_zeros()).max(1) as usize;
            assert_eq!(used, bits.div_ceil(7).min(9), "{number}");
            let mut rest = Rest(&bytes);
            assert_eq!((rest.number(), MOST - rest.0.len()), (number, used));
        }
    }

    #[test]
    fn a_row_is_all_that_an_event_needs() {
        for (number, (event, _)) in (0..).zip(IN_A_FILE) {
            let mut bytes = [0; 2 * MOST];
            let mut packing = Packing { room: &mut Room::new(&mut bytes), since: -5 };
            event.write::<Whole, _>(&mut packing);
            let mut rest = Rest(&bytes);
            assert_eq!(head(&mut rest, MadeUp::RECORDS), (-5, number, event.record()));
            assert_eq!(MadeUp::read::<Whole, _>(event.record(), &mut rest), Ok(event));
        }
    }

    #[test]
    fn there_is_room_for_more_kinds() {
        for number in [OTHER, FURTHER, u8::MAX] {
            let mut bytes = [0; 2 * MOST];
            let mut packing = Packing { room: &mut Room::new(&mut bytes), since: 100 };
            packing.begin(Row { record: Record(201), form: Form::Sized, number });
            assert_eq!(packing.room.used, 4);
            assert_eq!(head(&mut Rest(&bytes), Event::RECORDS), (100, FURTHER, Record(201)));
        }
    }
}
