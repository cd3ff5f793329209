//! The global definitions, as the file has them: ids unresolved, in any order, perhaps twice.

use ats_model::definitions::Clock;
use rustc_hash::FxHashMap;

use super::chunks;
use super::cursor::{Cursor, Fault};
use crate::format::definition;

/// The records of a global definition file that a trace's model needs.
#[derive(Default)]
pub(super) struct GlobalDefinitions<'a> {
    pub(super) clock: Option<Clock>,
    pub(super) strings: FxHashMap<u32, &'a [u8]>,
    pub(super) location_groups: Vec<u32>,
    pub(super) locations: Vec<Location>,
    pub(super) regions: Vec<Region>,
    pub(super) groups: Vec<Group>,
    pub(super) communicators: Vec<Comm>,
    pub(super) inter_communicators: Vec<u32>,
}

pub(super) struct Location {
    pub(super) id: u64,
    pub(super) name: u32,
    /// `OTF2_LocationType`.
    pub(super) kind: u8,
    pub(super) events: u64,
    pub(super) group: u32,
}

pub(super) struct Region {
    pub(super) id: u32,
    pub(super) name: u32,
    pub(super) role: u8,
    pub(super) paradigm: u8,
    pub(super) file: u32,
    pub(super) line: u32,
}

pub(super) struct Group {
    pub(super) id: u32,
    /// `OTF2_GroupType`.
    pub(super) kind: u8,
    pub(super) paradigm: u8,
    pub(super) members: Vec<u64>,
}

pub(super) struct Comm {
    pub(super) id: u32,
    pub(super) name: u32,
    pub(super) group: u32,
}

impl<'a> GlobalDefinitions<'a> {
    pub(super) fn parse(file: &'a [u8], chunk_size: usize) -> Result<Self, Fault> {
        let mut all = GlobalDefinitions::default();
        chunks::for_each_definition(file, chunk_size, |record, body| all.record(record, body))?;
        Ok(all)
    }

    fn record(&mut self, record: u8, mut body: Cursor<'a>) -> Result<(), Fault> {
        let body = &mut body;
        match record {
            definition::CLOCK_PROPERTIES => self.clock = Some(clock(body)?),
            definition::STRING => {
                let id = body.u32()?;
                self.strings.insert(id, body.string()?);
            }
            definition::LOCATION_GROUP => self.location_groups.push(body.u32()?),
            definition::LOCATION => self.locations.push(Location {
                id: body.u64()?,
                name: body.u32()?,
                kind: body.u8()?,
                events: body.u64()?,
                group: body.u32()?,
            }),
            definition::REGION => self.regions.push(region(body)?),
            definition::GROUP => self.groups.push(group(body)?),
            definition::COMM => {
                self.communicators.push(Comm { id: body.u32()?, name: body.u32()?, group: body.u32()? });
            }
            definition::INTER_COMM => self.inter_communicators.push(body.u32()?),
            _ => {}
        }
        Ok(())
    }
}

fn clock(body: &mut Cursor<'_>) -> Result<Clock, Fault> {
    let clock = Clock { resolution: body.u64()?, offset: body.u64()?, length: body.u64()? };
    if clock.resolution == 0 {
        return Err(body.bad("a clock of no ticks per second"));
    }
    Ok(clock)
}

fn region(body: &mut Cursor<'_>) -> Result<Region, Fault> {
    let (id, name) = (body.u32()?, body.u32()?);
    let _description = body.u32()?;
    let _v1_type = body.u8()?;
    let (file, line) = (body.u32()?, body.u32()?);
    let _end_line = body.u32()?;
    // What follows came with version 1.1 of the format.
    let (role, paradigm) = if body.at_end() {
        (0, 0)
    } else {
        let _canonical_name = body.u32()?;
        (body.u8()?, body.u8()?)
    };
    Ok(Region { id, name, role, paradigm, file, line })
}

fn group(body: &mut Cursor<'_>) -> Result<Group, Fault> {
    let (id, _name) = (body.u32()?, body.u32()?);
    let _v1_type = body.u8()?;
    let count = body.count(1)?;
    let members = (0..count).map(|_| body.u64()).collect::<Result<_, _>>()?;
    // What follows came with version 1.1 of the format.
    let (kind, paradigm) = if body.at_end() { (0, 0) } else { (body.u8()?, body.u8()?) };
    Ok(Group { id, kind, paradigm, members })
}
