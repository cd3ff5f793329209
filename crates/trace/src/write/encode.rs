//! Putting numbers and records into bytes, always little-endian.

use ats_model::attribute::{AttributeType, AttributeValue};
use ats_model::event::{
    AttributeRef, Bytes, CallingContextRef, CollectiveOperation, CommunicatorRef, InterruptGeneratorRef,
    MeasurementMode, MetricRef, ProgramRef, RegionRef, Root, TaskId, TeamRef, Time,
};
use ats_model::metric::MetricValue;
use ats_model::record::{Form, RecordWriter, Row, WriteField};

use crate::format::{LONG_LENGTH, PARADIGM_OPENMP, TEAM_IDS, UNDEFINED, token};

/// Most bytes of an event: its time stamp, and a record of id, length and the fields of `MPI_IRECV`.
pub(super) const MAX_EVENT_BYTES: usize = 64;

/// A place for one event, filled from the front.
pub(super) struct Room<'a> {
    bytes: &'a mut [u8; MAX_EVENT_BYTES],
    at: usize,
}

impl<'a> Room<'a> {
    #[inline(always)]
    pub(super) fn new(bytes: &'a mut [u8; MAX_EVENT_BYTES]) -> Self {
        Room { bytes, at: 0 }
    }

    /// The number of filled bytes.
    #[inline(always)]
    pub(super) fn filled(&self) -> usize {
        self.at
    }

    #[inline(always)]
    pub(super) fn u8(&mut self, value: u8) {
        self.bytes[self.at] = value;
        self.at += 1;
    }

    #[inline(always)]
    pub(super) fn time_stamp(&mut self, time: u64) {
        self.byte_and_u64(token::TIMESTAMP, time);
        self.at += 9;
    }

    /// Both in one look at how much room there is.
    #[inline(always)]
    fn byte_and_u64(&mut self, byte: u8, value: u64) {
        let place = &mut self.bytes[self.at..self.at + 9];
        place[0] = byte;
        place[1..].copy_from_slice(&value.to_le_bytes());
    }

    #[inline(always)]
    pub(super) fn u32(&mut self, value: u32) {
        if value == u32::MAX { self.u8(UNDEFINED) } else { self.sized(u64::from(value)) }
    }

    #[inline(always)]
    pub(super) fn u64(&mut self, value: u64) {
        if value == u64::MAX { self.u8(UNDEFINED) } else { self.sized(value) }
    }

    /// The lowest `size` bytes.
    fn full(&mut self, value: u64, size: usize) {
        self.bytes[self.at..self.at + size].copy_from_slice(&value.to_le_bytes()[..size]);
        self.at += size;
    }

    /// Writes eight bytes for any size; the next field overwrites the excess.
    #[inline(always)]
    fn sized(&mut self, value: u64) {
        let size = byte_count(value);
        self.byte_and_u64(size as u8, value);
        self.at += 1 + size;
    }
}

impl RecordWriter for Room<'_> {
    /// The position of the length, if there is one.
    type Body = Option<usize>;

    #[inline(always)]
    fn begin(&mut self, row: Row) -> Option<usize> {
        self.u8(row.record.0);
        let length = self.at;
        match row.form {
            Form::Lone => return None,
            Form::Sized => self.u8(0),
            Form::OfOpenMp => {
                self.u8(0);
                self.u8(PARADIGM_OPENMP);
            }
        }
        Some(length)
    }

    #[inline(always)]
    fn end(&mut self, length: Option<usize>) {
        if let Some(length) = length {
            self.bytes[length] = (self.at - length - 1) as u8;
        }
    }
}

/// Implements the writing of fields of these types.
macro_rules! fields {
    ($($type:ty: |$room:ident, $value:ident| $write:expr;)*) => {$(
        impl WriteField<$type> for Room<'_> {
            #[inline(always)]
            fn write_field(&mut self, $value: $type) {
                let $room = self;
                $write;
            }
        }
    )*};
}
fields! {
    u32: |room, value| room.u32(value);
    u64: |room, value| room.u64(value);
    i64: |room, value| room.u64(value as u64);
    ProgramRef: |room, program| {
        room.u32(program.0);
        room.u32(0);
    };
    MeasurementMode: |room, mode| room.u8(mode as u8);
    // A record of one value.
    MetricRef: |room, metric| {
        room.u32(metric.0);
        room.u8(1);
    };
    MetricValue: |room, value| {
        room.u8(value.of.to_otf2());
        room.u64(value.bits);
    };
    // A list of one.
    AttributeRef: |room, attribute| {
        room.u32(1);
        room.u32(attribute.0);
    };
    AttributeValue: |room, value| {
        room.u8(value.of as u8);
        match value.of {
            AttributeType::Uint8 | AttributeType::Int8 => room.full(value.bits, 1),
            AttributeType::Uint16 | AttributeType::Int16 => room.full(value.bits, 2),
            AttributeType::Float => room.full(value.bits, 4),
            AttributeType::Double => room.full(value.bits, 8),
            AttributeType::Uint64 | AttributeType::Int64 => room.u64(value.bits),
            AttributeType::Uint32
            | AttributeType::Int32
            | AttributeType::String
            | AttributeType::Region
            | AttributeType::Comm
            | AttributeType::CallingContext => room.u32(value.bits as u32),
        }
    };
    Time: |room, time| room.full(time.0, 8);
    Option<u32>: |room, value| room.u32(value.unwrap_or(u32::MAX));
    Root: |room, root| room.u32(root.rank().unwrap_or(u32::MAX));
    Bytes: |room, bytes| room.u64(bytes.into());
    RegionRef: |room, region| room.u32(region.0);
    CallingContextRef: |room, context| room.u32(context.0);
    InterruptGeneratorRef: |room, generator| room.u32(generator.0);
    CommunicatorRef: |room, communicator| room.u32(communicator.0);
    TeamRef: |room, team| room.u32(TEAM_IDS | team.0);
    CollectiveOperation: |room, operation| room.u8(operation as u8);
    TaskId: |room, task| {
        room.u32(task.creator);
        room.u32(task.generation);
    };
}

#[inline(always)]
fn byte_count(value: u64) -> usize {
    (71 - value.leading_zeros() as usize) / 8
}

/// The body of a definition record, which may be of any length.
#[derive(Default)]
pub(super) struct Body(Vec<u8>);

impl Body {
    pub(super) fn u8(mut self, value: u8) -> Self {
        self.0.push(value);
        self
    }

    pub(super) fn full_u64(mut self, value: u64) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub(super) fn u32(self, value: u32) -> Self {
        if value == u32::MAX { self.u8(UNDEFINED) } else { self.sized(u64::from(value)) }
    }

    pub(super) fn u64(self, value: u64) -> Self {
        if value == u64::MAX { self.u8(UNDEFINED) } else { self.sized(value) }
    }

    fn sized(mut self, value: u64) -> Self {
        let size = byte_count(value);
        self.0.push(size as u8);
        self.0.extend(&value.to_le_bytes()[..size]);
        self
    }

    /// A string up to its first zero byte, with a final zero.
    pub(super) fn string(mut self, text: &str) -> Self {
        self.0.extend(text.bytes().take_while(|&byte| byte != 0));
        self.u8(0)
    }

    /// The whole record.
    pub(super) fn record(self, id: u8) -> Vec<u8> {
        let mut record = vec![id];
        match u8::try_from(self.0.len()) {
            Ok(length) if length != LONG_LENGTH => record.push(length),
            _ => {
                record.push(LONG_LENGTH);
                record.extend((self.0.len() as u64).to_le_bytes());
            }
        }
        record.extend(self.0);
        record
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::IN_A_FILE;
    use ats_model::event::Record;
    use ats_model::record::Whole;

    #[test]
    fn integers_take_as_many_bytes_as_they_need() {
        let bytes = Body::default().u64(0).u64(1).u64(255).u64(256).u64(u64::MAX - 1).u64(u64::MAX).0;
        let expected: &[&[u8]] =
            &[&[0], &[1, 1], &[1, 255], &[2, 0, 1], &[8, 254, 255, 255, 255, 255, 255, 255, 255], &[255]];
        assert_eq!(bytes, expected.concat());
    }

    #[test]
    fn a_room_and_a_body_encode_alike() {
        for value in [0, 1, 0xff, 0x100, 0xffff, 0x10000, 0xff_ffff, 0x0100_0000, u32::MAX - 1, u32::MAX] {
            let mut bytes = [0; MAX_EVENT_BYTES];
            let mut room = Room::new(&mut bytes);
            let body = room.begin(Row { record: Record(7), form: Form::Sized, number: 0 });
            room.u32(value);
            room.u64(u64::from(value) << 32);
            room.end(body);
            let filled = room.filled();
            assert_eq!(bytes[..filled], Body::default().u32(value).u64(u64::from(value) << 32).record(7));
        }
    }

    #[test]
    fn a_row_is_all_that_an_event_needs() {
        for (event, expected) in IN_A_FILE {
            let mut bytes = [0; MAX_EVENT_BYTES];
            let mut room = Room::new(&mut bytes);
            event.write::<Whole, _>(&mut room);
            let filled = room.filled();
            assert_eq!(&bytes[..filled], expected);
        }
    }

    #[test]
    fn a_long_body_has_a_long_length() {
        let record = Body::default().string(&"x".repeat(254)).record(10);
        assert_eq!(record[..10], [10, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(record.len(), 10 + 255);
    }
}
