//! The global definitions, as the file has them: ids unresolved, in any order, perhaps twice.

use ats_model::attribute::AttributeType;
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
    pub(super) nodes: Vec<Node>,
    pub(super) location_groups: Vec<LocationGroup>,
    pub(super) location_group_properties: Vec<Property>,
    pub(super) locations: Vec<Location>,
    pub(super) regions: Vec<Region>,
    pub(super) groups: Vec<Group>,
    pub(super) communicators: Vec<Comm>,
    pub(super) inter_communicators: Vec<u32>,
    pub(super) attributes: Vec<Attribute>,
    pub(super) source_code_locations: Vec<SourceCodeLocation>,
    pub(super) calling_contexts: Vec<CallingContext>,
    pub(super) calling_context_properties: Vec<CallingContextProperty>,
    pub(super) interrupt_generators: Vec<InterruptGenerator>,
    pub(super) metric_members: Vec<MetricMember>,
    pub(super) metric_classes: Vec<MetricClass>,
    pub(super) metric_instances: Vec<MetricInstance>,
}

pub(super) struct Node {
    pub(super) id: u32,
    pub(super) name: u32,
    pub(super) class: u32,
    pub(super) parent: u32,
}

pub(super) struct LocationGroup {
    pub(super) id: u32,
    /// The node that it is on.
    pub(super) node: u32,
}

/// A property of a location group, whose value is a string.
pub(super) struct Property {
    pub(super) group: u32,
    pub(super) name: u32,
    pub(super) value: u32,
}

pub(super) struct Attribute {
    pub(super) id: u32,
    pub(super) name: u32,
    pub(super) description: u32,
    /// The number of an `OTF2_Type`.
    pub(super) value_type: u8,
}

pub(super) struct SourceCodeLocation {
    pub(super) id: u32,
    pub(super) file: u32,
    pub(super) line: u32,
}

pub(super) struct CallingContext {
    pub(super) id: u32,
    pub(super) region: u32,
    pub(super) source_code_location: u32,
    pub(super) parent: u32,
}

pub(super) struct CallingContextProperty {
    pub(super) context: u32,
    pub(super) name: u32,
    pub(super) value: PropertyValue,
}

/// A value of a type that properties of the suite's own have.
pub(super) enum PropertyValue {
    Uint8(u8),
    String(u32),
}

pub(super) struct InterruptGenerator {
    pub(super) id: u32,
    pub(super) name: u32,
    /// The number of an `OTF2_InterruptGeneratorMode`.
    pub(super) mode: u8,
    /// The number of an `OTF2_Base`.
    pub(super) base: u8,
    pub(super) exponent: i64,
    pub(super) period: u64,
}

pub(super) struct MetricMember {
    pub(super) id: u32,
    pub(super) name: u32,
    /// The number of an `OTF2_MetricMode`.
    pub(super) mode: u8,
    /// The number of an `OTF2_Type`.
    pub(super) value_type: u8,
    /// The number of an `OTF2_Base`.
    pub(super) base: u8,
    pub(super) exponent: i64,
    pub(super) unit: u32,
}

pub(super) struct MetricClass {
    pub(super) id: u32,
    pub(super) members: Vec<u32>,
}

/// A class that another scope than a location measures.
pub(super) struct MetricInstance {
    pub(super) id: u32,
    pub(super) class: u32,
}

pub(super) struct Location {
    pub(super) id: u64,
    pub(super) name: u32,
    /// The number of an `OTF2_LocationType`.
    pub(super) kind: u8,
    pub(super) events: u64,
    pub(super) group: u32,
}

pub(super) struct Region {
    pub(super) id: u32,
    pub(super) name: u32,
    pub(super) description: u32,
    pub(super) role: u8,
    pub(super) paradigm: u8,
    pub(super) file: u32,
    pub(super) line: u32,
    pub(super) last_line: u32,
}

pub(super) struct Group {
    pub(super) id: u32,
    /// The number of an `OTF2_GroupType`.
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
            definition::SYSTEM_TREE_NODE => self.nodes.push(Node {
                id: body.u32()?,
                name: body.u32()?,
                class: body.u32()?,
                parent: body.u32()?,
            }),
            definition::LOCATION_GROUP => self.location_groups.push(location_group(body)?),
            definition::LOCATION_GROUP_PROPERTY => self.location_group_properties.push(Property {
                group: body.u32()?,
                name: body.u32()?,
                value: body.u32()?,
            }),
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
            definition::ATTRIBUTE => self.attributes.push(attribute(body)?),
            definition::SOURCE_CODE_LOCATION => self.source_code_locations.push(SourceCodeLocation {
                id: body.u32()?,
                file: body.u32()?,
                line: body.u32()?,
            }),
            definition::CALLING_CONTEXT => self.calling_contexts.push(CallingContext {
                id: body.u32()?,
                region: body.u32()?,
                source_code_location: body.u32()?,
                parent: body.u32()?,
            }),
            definition::CALLING_CONTEXT_PROPERTY => {
                self.calling_context_properties.extend(calling_context_property(body)?);
            }
            definition::INTERRUPT_GENERATOR => self.interrupt_generators.push(InterruptGenerator {
                id: body.u32()?,
                name: body.u32()?,
                mode: body.u8()?,
                base: body.u8()?,
                exponent: body.u64()? as i64,
                period: body.u64()?,
            }),
            definition::METRIC_MEMBER => self.metric_members.push(metric_member(body)?),
            definition::METRIC_CLASS => self.metric_classes.push(metric_class(body)?),
            definition::METRIC_INSTANCE => {
                self.metric_instances.push(MetricInstance { id: body.u32()?, class: body.u32()? });
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
    let description = body.u32()?;
    let _v1_type = body.u8()?;
    let (file, line) = (body.u32()?, body.u32()?);
    let last_line = body.u32()?;
    // What follows came with version 1.1 of the format.
    let (role, paradigm) = if body.at_end() {
        (0, 0)
    } else {
        let _canonical_name = body.u32()?;
        (body.u8()?, body.u8()?)
    };
    Ok(Region { id, name, description, role, paradigm, file, line, last_line })
}

fn location_group(body: &mut Cursor<'_>) -> Result<LocationGroup, Fault> {
    let (id, _name, _kind) = (body.u32()?, body.u32()?, body.u8()?);
    Ok(LocationGroup { id, node: body.u32()? })
}

fn attribute(body: &mut Cursor<'_>) -> Result<Attribute, Fault> {
    let (id, name, value_type) = (body.u32()?, body.u32()?, body.u8()?);
    // What follows came with version 1.4 of the format.
    let description = if body.at_end() { u32::MAX } else { body.u32()? };
    Ok(Attribute { id, name, description, value_type })
}

/// A property; none of a type that is not known.
fn calling_context_property(body: &mut Cursor<'_>) -> Result<Option<CallingContextProperty>, Fault> {
    let (context, name) = (body.u32()?, body.u32()?);
    let value = match AttributeType::from_otf2(body.u8()?) {
        Some(AttributeType::Uint8) => PropertyValue::Uint8(body.u8()?),
        Some(AttributeType::String) => PropertyValue::String(body.u32()?),
        _ => return Ok(None),
    };
    Ok(Some(CallingContextProperty { context, name, value }))
}

fn metric_member(body: &mut Cursor<'_>) -> Result<MetricMember, Fault> {
    let (id, name) = (body.u32()?, body.u32()?);
    let (_description, _type) = (body.u32()?, body.u8()?);
    let (mode, value_type) = (body.u8()?, body.u8()?);
    let (base, exponent, unit) = (body.u8()?, body.u64()? as i64, body.u32()?);
    Ok(MetricMember { id, name, mode, value_type, base, exponent, unit })
}

fn metric_class(body: &mut Cursor<'_>) -> Result<MetricClass, Fault> {
    let (id, count) = (body.u32()?, body.u8()?);
    let members = (0..count).map(|_| body.u32()).collect::<Result<_, _>>()?;
    Ok(MetricClass { id, members })
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
