//! A record that OTF2 does not have, and events of all kinds of fields: that a row of a table is all that the forms of events
//! need.
#![allow(unreachable_pub, reason = "tables of events are public elsewhere")]

use std::convert::Infallible;

use ats_model::Event;
use ats_model::attribute::{AttributeType, AttributeValue};
use ats_model::event::{
    AttributeRef, Bytes, CallingContextRef, CollectiveOperation, CommunicatorRef, InterruptGeneratorRef,
    MeasurementMode, MetricRef, ProgramRef, Record, RegionRef, Root, TaskId, TeamRef, Time,
};
use ats_model::metric::{MetricValue, ValueType};
use ats_model::record::{Form, ReadField, RecordReader, Whole};

ats_model::events! {
    /// Events of a table of its own.
    pub enum MadeUp {
        /// A step of an algorithm.
        200 MADE_UP_STEP Step: Metric, Sized {
            /// The communicator of its members.
            communicator: CommunicatorRef,
            /// The distance that it came.
            distance: u64,
        }
        /// Something that happens to threads.
        201 MADE_UP_PAUSE Pause: Thread, OfOpenMp
    }
    former {
        199 MADE_UP_FORMER Step: Metric, Sized { communicator: CommunicatorRef, distance: u64, }
    }
}

/// Both events, and their bytes in a file.
pub(crate) const IN_A_FILE: [(MadeUp, &[u8]); 2] = [
    (MadeUp::Step { communicator: CommunicatorRef(0), distance: 300 }, &[200, 4, 0, 2, 44, 1]),
    (MadeUp::Pause, &[201, 1, 3]),
];

/// Makes up fields: numbers of all lengths, one after the other.
struct Fields(u32);

impl Fields {
    fn number(&mut self) -> u64 {
        self.0 = (self.0 + 7) % 65;
        u64::MAX.checked_shr(64 - self.0).unwrap_or(0)
    }
}

impl RecordReader for Fields {
    type Error = Infallible;
    type Body = ();

    fn begin(&mut self, _form: Form) -> Result<(), Infallible> {
        Ok(())
    }

    fn end(&mut self, (): ()) -> Result<bool, Infallible> {
        Ok(true)
    }

    fn skip(&mut self, record: Record) -> Result<(), Infallible> {
        unreachable!("{record} is no event")
    }
}

macro_rules! fields {
    ($($type:ty: $of:expr;)*) => {$(
        impl ReadField<$type> for Fields {
            fn read_field(&mut self) -> Result<$type, Infallible> {
                let of: fn(u64) -> $type = $of;
                Ok(of(self.number()))
            }
        }
    )*};
}
fields! {
    u32: |number| number as u32;
    u64: |number| number;
    i64: |number| number as i64;
    CallingContextRef: |number| CallingContextRef(number as u32 % 4);
    InterruptGeneratorRef: |number| InterruptGeneratorRef(number as u32 % 4);
    ProgramRef: |number| ProgramRef(number as u32 % 4);
    MetricRef: |number| MetricRef(number as u32 % 4);
    AttributeRef: |number| AttributeRef(number as u32 % 4);
    AttributeValue: |number| AttributeValue { of: AttributeType::Uint64, bits: number };
    MetricValue: |number| MetricValue { of: ValueType::Int64, bits: number };
    Time: |number| Time(number);
    MeasurementMode: |number| if number % 2 == 0 { MeasurementMode::On } else { MeasurementMode::Off };
    Option<u32>: |number| (number as u32).checked_sub(1);
    Root: |number| (number as u32).checked_sub(1).into();
    Bytes: |number| number.into();
    RegionRef: |number| RegionRef(number as u32 % 4);
    CommunicatorRef: |number| CommunicatorRef(number as u32 % 4);
    TeamRef: |number| TeamRef(number as u32 % 4);
    CollectiveOperation: |number| CollectiveOperation::from_otf2(number as u8 % 23);
    TaskId: |number| TaskId { creator: number as u32, generation: !number as u32 };
}

/// Events of every row of the table, with fields of all lengths; references are below 4.
pub(crate) fn events_of_all_rows() -> Vec<Event> {
    let mut fields = Fields(0);
    let rows = (0..65).flat_map(|_| Event::RECORDS);
    rows.map(|&record| {
        let Ok(event) = Event::read::<Whole, _>(record, &mut fields);
        event
    })
    .collect()
}
