//! The events of a location: one pass over its chunks, nothing allocated.

use std::ops::ControlFlow;

use ats_model::attribute::{AttributeType, AttributeValue};
use ats_model::event::{
    AttributeRef, Bytes, CallingContextRef, CollectiveOperation, CommunicatorRef, InterruptGeneratorRef,
    MeasurementMode, MetricRef, ProgramRef, Record, RegionRef, Root, TaskId, TeamRef, Time,
};
use ats_model::metric::{MetricValue, ValueType};
use ats_model::record::{Common, Form, Rare, ReadField, RecordReader};
use ats_model::{Definitions, Event};

use super::chunks::{self, Part};
use super::clock::ClockCorrection;
use super::cursor::{BodyEnd, Cause, Cursor, Fault};
use super::references::{IdTable, Reference};
use crate::format::{FIRST_EVENT, PARADIGM_OPENMP, token};

/// The definitions that the ids in a location's events refer to.
pub(super) struct References<'a> {
    pub(super) regions: &'a IdTable<'a>,
    pub(super) communicators: &'a IdTable<'a>,
    pub(super) teams: &'a IdTable<'a>,
    pub(super) strings: &'a IdTable<'a>,
    pub(super) metrics: Metrics<'a>,
    pub(super) attributes: &'a IdTable<'a>,
    pub(super) calling_contexts: &'a IdTable<'a>,
    pub(super) interrupt_generators: &'a IdTable<'a>,
    pub(super) definitions: &'a Definitions,
}

impl References<'_> {
    /// The region that is entered: that of the call whose calling context is noted, if it is a call of this function.
    #[cold]
    #[inline(never)]
    fn entered_region(&self, function: RegionRef, context: u64) -> RegionRef {
        let context = usize::try_from(context).ok().and_then(|at| self.definitions.calling_contexts.get(at));
        let call = context.map(|context| context.function);
        call.filter(|call| self.definitions.calls.get(call) == Some(&function)).unwrap_or(function)
    }
}

/// The metrics that an id refers to: one or several.
pub(super) struct Metrics<'a> {
    /// From an id to an index into `of`.
    pub(super) ids: &'a IdTable<'a>,
    /// The first and how many: metrics of an id follow each other.
    pub(super) of: &'a [(u32, u32)],
}

impl Metrics<'_> {
    /// The metric of the value at this position in a record; `None` if it is not defined.
    fn get(&self, id: u32, position: u32) -> Option<MetricRef> {
        let Reference::To(index) = self.ids.get(id) else { return None };
        let (first, count) = *self.of.get(index as usize)?;
        (position < count).then(|| MetricRef(first + position))
    }
}

/// Hands every event of a part of an event file to `visit`; breaks at the mark of the file's end.
pub(super) fn read(
    part: Part<'_>,
    chunk_size: usize,
    references: &References<'_>,
    clock: &mut ClockCorrection,
    visit: &mut impl FnMut(u64, Event),
) -> Result<ControlFlow<()>, Fault> {
    chunks::for_each_of_part(part, chunk_size, |chunk| {
        // Two copies of the decoder, each with the byte order built in.
        if chunk.big_endian {
            decode(Cursor::new(chunk.records, chunk.base, true), references, clock, visit)
        } else {
            decode(Cursor::new(chunk.records, chunk.base, false), references, clock, visit)
        }
    })
}

#[inline(always)]
fn decode(
    cursor: Cursor<'_>,
    references: &References<'_>,
    clock: &mut ClockCorrection,
    visit: &mut impl FnMut(u64, Event),
) -> Result<ControlFlow<()>, Fault> {
    let mut fields = Fields { cursor, references, is_expressible: true };
    let mut time = 0;
    // The call whose calling context is noted for the next event.
    let mut call = None;
    loop {
        let record = Record(fields.cursor.u8()?);
        let event = match record {
            Record(token::TIMESTAMP) => {
                time = clock.apply(fields.cursor.full_u64()?);
                continue;
            }
            // Most events are these two; apart from the others they take a tenth less.
            Record::ENTER => {
                let region = fields.read_field()?;
                Event::Enter {
                    region: call.take().map_or(region, |call| references.entered_region(region, call)),
                }
            }
            Record::LEAVE => Event::Leave { region: fields.read_field()? },
            _ if record.is_common() => Event::read::<Common, _>(record, &mut fields)?,
            Record::METRIC => {
                let (now, visit) = (time, &mut *visit);
                fields.cursor = metrics(fields.cursor, references, &mut move |event| visit(now, event))?;
                continue;
            }
            Record(FIRST_EVENT..) => {
                let (mut event, after) = rare(fields.cursor, references, record)?;
                fields.cursor = after;
                if let Event::BufferFlush { stop } = &mut event {
                    stop.0 = clock.apply(stop.0);
                }
                event
            }
            Record(token::END_OF_CHUNK) => return Ok(ControlFlow::Continue(())),
            Record(token::END_OF_BUFFER | token::END_OF_FILE) => return Ok(ControlFlow::Break(())),
            Record(token::ATTRIBUTE_LIST) => {
                let (now, visit, call) = (time, &mut *visit, &mut call);
                let mut visit = move |event| {
                    if let Event::Attribute {
                        value: AttributeValue { of: AttributeType::CallingContext, bits },
                        ..
                    } = event
                    {
                        *call = Some(bits);
                    }
                    visit(now, event);
                };
                fields.cursor = attributes(fields.cursor, references, &mut visit)?;
                continue;
            }
            _ => return Err(Fault::new(fields.cursor.offset() - 1, Cause::NoRecord(record.0))),
        };
        visit(time, event);
    }
}

/// A rare event, apart, and the cursor behind it, which goes in and out by value, so that the decoder can keep it in
/// registers.
#[cold]
#[inline(never)]
fn rare<'a>(
    cursor: Cursor<'a>,
    references: &References<'_>,
    record: Record,
) -> Result<(Event, Cursor<'a>), Fault> {
    let mut fields = Fields { cursor, references, is_expressible: true };
    let event = Event::read::<Rare, _>(record, &mut fields)?;
    Ok((event, fields.cursor))
}

/// The values of a record of metrics, and the cursor behind it.
#[cold]
#[inline(never)]
fn metrics<'a>(
    cursor: Cursor<'a>,
    references: &References<'_>,
    visit: &mut dyn FnMut(Event),
) -> Result<Cursor<'a>, Fault> {
    let mut fields = Fields { cursor, references, is_expressible: true };
    let end = fields.cursor.enter()?;
    let (id, count) = (fields.cursor.u32()?, fields.cursor.u8()?);
    for position in 0..u32::from(count) {
        fields.is_expressible = true;
        let value = fields.read_field()?;
        visit(match references.metrics.get(id, position) {
            Some(metric) if fields.is_expressible => Event::Metric { metric, value },
            _ => Event::Other { record: Record::METRIC },
        });
    }
    fields.cursor.leave(end)?;
    Ok(fields.cursor)
}

/// The attributes of the event that follows, and the cursor behind their list. Attributes that are not defined, or
/// refer to something that the model does not have, are omitted.
#[cold]
#[inline(never)]
fn attributes<'a>(
    mut cursor: Cursor<'a>,
    references: &References<'_>,
    visit: &mut dyn FnMut(Event),
) -> Result<Cursor<'a>, Fault> {
    let mut fields = Fields { cursor: cursor.body()?, references, is_expressible: true };
    for _ in 0..fields.cursor.u32()? {
        fields.is_expressible = true;
        let (attribute, value) = (fields.attribute()?, fields.read_field()?);
        if fields.is_expressible {
            visit(Event::Attribute { attribute, value });
        }
    }
    Ok(cursor)
}

/// The fields of a record, behind the cursor.
struct Fields<'a, 'r> {
    cursor: Cursor<'a>,
    references: &'r References<'r>,
    /// Whether the model has all that they refer to.
    is_expressible: bool,
}

impl Fields<'_, '_> {
    /// The index that a reference stands for; any where the model cannot express it.
    #[inline(always)]
    fn index(&mut self, reference: Reference, id: u32) -> Result<u32, Fault> {
        match reference {
            Reference::To(index) => Ok(index),
            Reference::Inexpressible => {
                self.is_expressible = false;
                Ok(0)
            }
            Reference::Undefined => {
                Err(Fault::new(self.cursor.offset(), Cause::Undefined("communicator", id)))
            }
        }
    }
}

impl Fields<'_, '_> {
    /// The attribute of an id.
    fn attribute(&mut self) -> Result<AttributeRef, Fault> {
        let id = self.cursor.u32()?;
        Ok(AttributeRef(self.defined(self.references.attributes.get(id))))
    }

    /// The index that a reference stands for, where it stands for one.
    fn defined(&mut self, reference: Reference) -> u32 {
        let Reference::To(index) = reference else {
            self.is_expressible = false;
            return 0;
        };
        index
    }

    /// The bits of an attribute's value.
    fn attribute_bits(&mut self, of: AttributeType) -> Result<u64, Fault> {
        let cursor = &mut self.cursor;
        Ok(match of {
            AttributeType::Uint8 => cursor.u8()?.into(),
            AttributeType::Uint16 => cursor.full_u16()?.into(),
            AttributeType::Uint32 => cursor.u32()?.into(),
            AttributeType::Uint64 | AttributeType::Int64 => cursor.u64()?,
            AttributeType::Int8 => i64::from(cursor.u8()? as i8) as u64,
            AttributeType::Int16 => i64::from(cursor.full_u16()? as i16) as u64,
            AttributeType::Int32 => i64::from(cursor.u32()? as i32) as u64,
            AttributeType::Float => cursor.full_u32()?.into(),
            AttributeType::Double => cursor.full_u64()?,
            AttributeType::String => {
                let id = cursor.u32()?;
                self.defined(self.references.strings.get(id)).into()
            }
            AttributeType::Region => {
                let id = cursor.u32()?;
                self.defined(self.references.regions.get(id)).into()
            }
            AttributeType::Comm => {
                let id = cursor.u32()?;
                self.defined(self.references.communicators.get(id)).into()
            }
            AttributeType::CallingContext => {
                let id = cursor.u32()?;
                self.defined(self.references.calling_contexts.get(id)).into()
            }
        })
    }
}

impl<'a> RecordReader for Fields<'a, '_> {
    type Error = Fault;
    type Body = Option<BodyEnd<'a>>;

    #[inline(always)]
    fn begin(&mut self, form: Form) -> Result<Self::Body, Fault> {
        self.is_expressible = true;
        if form == Form::Lone {
            return Ok(None);
        }
        let end = self.cursor.enter()?;
        // Threads of other paradigms have no place in the model.
        if form == Form::OfOpenMp && self.cursor.u8()? != PARADIGM_OPENMP {
            self.is_expressible = false;
        }
        Ok(Some(end))
    }

    #[inline(always)]
    fn end(&mut self, end: Self::Body) -> Result<bool, Fault> {
        if let Some(end) = end {
            self.cursor.leave(end)?;
        }
        Ok(self.is_expressible)
    }

    #[inline(always)]
    fn skip(&mut self, record: Record) -> Result<(), Fault> {
        let end = self.begin(record.form())?;
        if end.is_none() {
            self.cursor.u64()?;
        }
        self.end(end).map(drop)
    }
}

/// Implements the reading of fields of these types.
macro_rules! fields {
    ($($type:ty: |$fields:ident| $read:expr;)*) => {$(
        impl ReadField<$type> for Fields<'_, '_> {
            #[inline(always)]
            fn read_field(&mut self) -> Result<$type, Fault> {
                let $fields = self;
                Ok($read)
            }
        }
    )*};
}
fields! {
    u32: |fields| fields.cursor.u32()?;
    u64: |fields| fields.cursor.u64()?;
    i64: |fields| fields.cursor.u64()? as i64;
    Option<u32>: |fields| Some(fields.cursor.u32()?).filter(|&root| root != u32::MAX);
    Root: |fields| Root::from(Some(fields.cursor.u32()?));
    Bytes: |fields| fields.cursor.u64()?.into();
    RegionRef: |fields| {
        let id = fields.cursor.u32()?;
        match fields.references.regions.get(id) {
            Reference::To(index) => RegionRef(index),
            _ => return Err(Fault::new(fields.cursor.offset(), Cause::Undefined("region", id))),
        }
    };
    CommunicatorRef: |fields| {
        let id = fields.cursor.u32()?;
        CommunicatorRef(fields.index(fields.references.communicators.get(id), id)?)
    };
    TeamRef: |fields| {
        let id = fields.cursor.u32()?;
        TeamRef(fields.index(fields.references.teams.get(id), id)?)
    };
    ProgramRef: |fields| {
        let id = fields.cursor.u32()?;
        ProgramRef(fields.defined(fields.references.strings.get(id)))
    };
    CallingContextRef: |fields| {
        let id = fields.cursor.u32()?;
        CallingContextRef(fields.defined(fields.references.calling_contexts.get(id)))
    };
    InterruptGeneratorRef: |fields| {
        let id = fields.cursor.u32()?;
        InterruptGeneratorRef(fields.defined(fields.references.interrupt_generators.get(id)))
    };
    Time: |fields| Time(fields.cursor.full_u64()?);
    MeasurementMode: |fields| match fields.cursor.u8()? {
        1 => MeasurementMode::On,
        2 => MeasurementMode::Off,
        _ => return Err(fields.cursor.bad("a measurement that is neither on nor off")),
    };
    // A record of one value; `metrics` reads those of several.
    MetricRef: |fields| {
        let (id, count) = (fields.cursor.u32()?, fields.cursor.u8()?);
        let metric = fields.references.metrics.get(id, 0).filter(|_| count == 1);
        fields.is_expressible &= metric.is_some();
        metric.unwrap_or(MetricRef(0))
    };
    MetricValue: |fields| {
        let (of, bits) = (ValueType::from_otf2(fields.cursor.u8()?), fields.cursor.u64()?);
        fields.is_expressible &= of.is_some();
        MetricValue { of: of.unwrap_or_default(), bits }
    };
    // A list of one; `attributes` reads those of several.
    AttributeRef: |fields| {
        fields.is_expressible &= fields.cursor.u32()? == 1;
        fields.attribute()?
    };
    AttributeValue: |fields| {
        let Some(of) = AttributeType::from_otf2(fields.cursor.u8()?) else {
            // Types to come are references, too, as OTF2 has promised.
            fields.is_expressible = false;
            return Ok(AttributeValue { of: AttributeType::Uint64, bits: fields.cursor.u64()? });
        };
        AttributeValue { of, bits: fields.attribute_bits(of)? }
    };
    CollectiveOperation: |fields| CollectiveOperation::from_otf2(fields.cursor.u8()?);
    TaskId: |fields| TaskId { creator: fields.cursor.u32()?, generation: fields.cursor.u32()? };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::{IN_A_FILE, MadeUp, events_of_all_rows};
    use crate::write::encoded;
    use ats_model::record::Whole;

    /// Hands over fields that refer to one of four regions, communicators or teams.
    fn with_fields<T>(bytes: &[u8], read: impl FnOnce(&mut Fields<'_, '_>) -> T) -> (T, bool) {
        let ids = IdTable::new(&[0, 1, 2, 3], &[]);
        let teams = IdTable::new(&[0, 1, 2, 3].map(|team| crate::format::TEAM_IDS | team), &[]);
        let metrics = Metrics { ids: &ids, of: &[(0, 1), (1, 1), (2, 1), (3, 1)] };
        let references = References {
            regions: &ids,
            communicators: &ids,
            teams: &teams,
            strings: &ids,
            metrics,
            attributes: &ids,
            calling_contexts: &ids,
            interrupt_generators: &ids,
            definitions: &Definitions::default(),
        };
        let mut fields =
            Fields { cursor: Cursor::new(bytes, 0, false), references: &references, is_expressible: true };
        (read(&mut fields), fields.cursor.at_end())
    }

    #[test]
    fn a_row_is_all_that_an_event_needs() {
        for (event, bytes) in IN_A_FILE {
            let read =
                |record| with_fields(&bytes[1..], |fields| MadeUp::read::<Whole, _>(record, fields).ok());
            assert_eq!(read(event.record()), (Some(event), true));
        }
        let (step, bytes) = IN_A_FILE[0];
        let (read, _) = with_fields(&bytes[1..], |fields| MadeUp::read::<Whole, _>(Record(199), fields).ok());
        assert_eq!(read, Some(step), "it was another record formerly");
    }

    #[test]
    fn every_row_is_read_as_it_is_written() {
        for event in events_of_all_rows() {
            let bytes = encoded(&event);
            assert_eq!(bytes[0], event.record().0);
            let (read, at_end) = with_fields(&bytes[1..], |fields| {
                let record = event.record();
                if record.is_common() {
                    return Event::read::<Common, _>(record, fields).ok();
                }
                let (read, after) = rare(fields.cursor, fields.references, record).ok()?;
                fields.cursor = after;
                Some(read)
            });
            assert_eq!((read, at_end), (Some(event), true));
        }
    }
}
