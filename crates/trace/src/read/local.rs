//! The local definitions of a location: how its ids and its clock relate to the archive's.

use super::chunks;
use super::cursor::{Cursor, Fault};
use super::references::IdMap;
use crate::ClockOffset;
use crate::format::{definition, mapping};

/// The content of a location's own definition file; empty if it has none.
#[derive(Default)]
pub(super) struct LocalDefinitions {
    pub(super) regions: Option<IdMap>,
    pub(super) communicators: Option<IdMap>,
    pub(super) strings: Option<IdMap>,
    pub(super) metrics: Option<IdMap>,
    pub(super) attributes: Option<IdMap>,
    pub(super) calling_contexts: Option<IdMap>,
    pub(super) interrupt_generators: Option<IdMap>,
    /// In the order of the file.
    pub(super) clock_offsets: Vec<ClockOffset>,
}

impl LocalDefinitions {
    pub(super) fn parse(file: &[u8], chunk_size: usize) -> Result<Self, Fault> {
        let mut local = LocalDefinitions::default();
        chunks::for_each_definition(file, chunk_size, |record, mut body| {
            match record {
                definition::MAPPING_TABLE => local.mapping_table(&mut body)?,
                definition::CLOCK_OFFSET => local.clock_offsets.push(clock_offset(&mut body)?),
                _ => {}
            }
            Ok(())
        })?;
        Ok(local)
    }

    /// Whether they say nothing: ids and times are the archive's.
    pub(super) fn is_empty(&self) -> bool {
        let LocalDefinitions {
            regions,
            communicators,
            strings,
            metrics,
            attributes,
            calling_contexts,
            interrupt_generators,
            clock_offsets,
        } = self;
        let maps =
            [regions, communicators, strings, metrics, attributes, calling_contexts, interrupt_generators];
        clock_offsets.is_empty() && maps.iter().all(|map| map.is_none())
    }

    fn mapping_table(&mut self, body: &mut Cursor<'_>) -> Result<(), Fault> {
        let table = match body.u8()? {
            mapping::REGION => &mut self.regions,
            mapping::COMM => &mut self.communicators,
            mapping::STRING => &mut self.strings,
            mapping::METRIC => &mut self.metrics,
            mapping::ATTRIBUTE => &mut self.attributes,
            mapping::CALLING_CONTEXT => &mut self.calling_contexts,
            mapping::INTERRUPT_GENERATOR => &mut self.interrupt_generators,
            _ => return Ok(()),
        };
        let count = body.count(1)?;
        *table = Some(match body.u8()? {
            mapping::DENSE => IdMap::Dense((0..count).map(|_| id(body)).collect::<Result<_, _>>()?),
            mapping::SPARSE => {
                IdMap::Sparse((0..count).map(|_| Ok((id(body)?, id(body)?))).collect::<Result<_, _>>()?)
            }
            _ => return Err(body.bad("an id map of unknown form")),
        });
        Ok(())
    }
}

/// An id of a mapping table: 64 bits wide, though references in events have 32.
fn id(body: &mut Cursor<'_>) -> Result<u32, Fault> {
    match body.u64()? {
        u64::MAX => Ok(u32::MAX),
        id => u32::try_from(id).map_err(|_| body.bad("an id that is too large")),
    }
}

fn clock_offset(body: &mut Cursor<'_>) -> Result<ClockOffset, Fault> {
    Ok(ClockOffset {
        time: body.full_u64()?,
        offset: body.u64()? as i64,
        standard_deviation: f64::from_bits(body.full_u64()?),
    })
}
