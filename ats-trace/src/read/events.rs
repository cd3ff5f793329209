//! The events of a location: one pass over its chunks, nothing allocated.

use std::ops::ControlFlow;

use ats_model::Event;
use ats_model::event::{CollectiveOperation, CommunicatorRef, RegionRef, TaskId, TeamRef};

use super::chunks::{self, Part};
use super::clock::ClockCorrection;
use super::cursor::{Cause, Cursor, Fault};
use super::references::{IdTable, Reference};
use crate::format::{PARADIGM_OPENMP, event, token};

/// What the ids in a location's events refer to.
pub(super) struct References<'a> {
    pub(super) regions: &'a IdTable<'a>,
    pub(super) communicators: &'a IdTable<'a>,
    pub(super) teams: &'a IdTable<'a>,
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
    mut cursor: Cursor<'_>,
    references: &References<'_>,
    clock: &mut ClockCorrection,
    visit: &mut impl FnMut(u64, Event),
) -> Result<ControlFlow<()>, Fault> {
    let mut time = 0;
    loop {
        let record = cursor.u8()?;
        let event = match record {
            token::TIMESTAMP => {
                time = clock.apply(cursor.full_u64()?);
                continue;
            }
            event::ENTER => Event::Enter { region: region(&mut cursor, references)? },
            event::LEAVE => Event::Leave { region: region(&mut cursor, references)? },
            event::MPI_SEND | event::MPI_RECV | event::MPI_ISEND | event::MPI_IRECV => {
                message(&mut cursor, references, record)?
            }
            event::MPI_ISEND_COMPLETE => Event::MpiIsendComplete { request: cursor.u64()? },
            event::MPI_IRECV_REQUEST => Event::MpiIrecvRequest { request: cursor.u64()? },
            event::MPI_REQUEST_TEST => Event::MpiRequestTest { request: cursor.u64()? },
            event::MPI_REQUEST_CANCELLED => Event::MpiRequestCancelled { request: cursor.u64()? },
            event::MPI_COLLECTIVE_BEGIN => {
                let end = cursor.enter()?;
                cursor.leave(end)?;
                Event::MpiCollectiveBegin
            }
            event::MPI_COLLECTIVE_END => collective_end(&mut cursor, references)?,
            token::END_OF_CHUNK => return Ok(ControlFlow::Continue(())),
            token::END_OF_BUFFER | token::END_OF_FILE => return Ok(ControlFlow::Break(())),
            token::ATTRIBUTE_LIST => {
                let end = cursor.enter()?;
                cursor.leave(end)?;
                continue;
            }
            event::OMP_FORK..=event::OMP_TASK_COMPLETE | event::THREAD_FORK..=event::THREAD_TASK_COMPLETE => {
                let (event, after) = thread(cursor, references, record)?;
                cursor = after;
                event
            }
            event::FIRST.. => {
                let end = cursor.enter()?;
                cursor.leave(end)?;
                Event::Other { record }
            }
            _ => return Err(Fault::new(cursor.offset() - 1, Cause::NoRecord(record))),
        };
        visit(time, event);
    }
}

#[inline(always)]
fn region(cursor: &mut Cursor<'_>, references: &References<'_>) -> Result<RegionRef, Fault> {
    let id = cursor.u32()?;
    match references.regions.get(id) {
        Reference::To(index) => Ok(RegionRef(index)),
        _ => Err(Fault::new(cursor.offset(), Cause::Undefined("region", id))),
    }
}

/// The communicator; none where the model cannot express it.
#[inline(always)]
fn communicator(
    cursor: &mut Cursor<'_>,
    references: &References<'_>,
) -> Result<Option<CommunicatorRef>, Fault> {
    let id = cursor.u32()?;
    match references.communicators.get(id) {
        Reference::To(index) => Ok(Some(CommunicatorRef(index))),
        Reference::Inexpressible => Ok(None),
        Reference::Undefined => Err(Fault::new(cursor.offset(), Cause::Undefined("communicator", id))),
    }
}

#[inline(always)]
fn message(cursor: &mut Cursor<'_>, references: &References<'_>, record: u8) -> Result<Event, Fault> {
    let end = cursor.enter()?;
    let peer = cursor.u32()?;
    let communicator = communicator(cursor, references)?;
    let tag = cursor.u32()?;
    let bytes = cursor.u64()?;
    let request = match record {
        event::MPI_ISEND | event::MPI_IRECV => cursor.u64()?,
        _ => 0,
    };
    cursor.leave(end)?;
    let Some(communicator) = communicator else { return Ok(Event::Other { record }) };
    Ok(match record {
        event::MPI_SEND => Event::MpiSend { receiver: peer, communicator, tag, bytes },
        event::MPI_RECV => Event::MpiRecv { sender: peer, communicator, tag, bytes },
        event::MPI_ISEND => Event::MpiIsend { receiver: peer, communicator, tag, bytes, request },
        _ => Event::MpiIrecv { sender: peer, communicator, tag, bytes, request },
    })
}

#[inline(always)]
fn collective_end(cursor: &mut Cursor<'_>, references: &References<'_>) -> Result<Event, Fault> {
    let end = cursor.enter()?;
    let operation = CollectiveOperation::from_otf2(cursor.u8()?);
    let communicator = communicator(cursor, references)?;
    let root = Some(cursor.u32()?).filter(|&root| root != u32::MAX);
    let (sent, received) = (cursor.u64()?, cursor.u64()?);
    cursor.leave(end)?;
    Ok(match communicator {
        Some(communicator) => Event::MpiCollectiveEnd { operation, communicator, root, sent, received },
        None => Event::Other { record: event::MPI_COLLECTIVE_END },
    })
}

/// An event of OpenMP's threads; those of other paradigms have no place in the model. The cursor goes in and out by value,
/// so that the decoder can keep it in registers.
#[cold]
#[inline(never)]
fn thread<'a>(
    mut cursor: Cursor<'a>,
    references: &References<'_>,
    record: u8,
) -> Result<(Event, Cursor<'a>), Fault> {
    let event = match record {
        event::OMP_FORK => Some(Event::ThreadFork { requested: cursor.u32()? }),
        event::OMP_TASK_CREATE..=event::OMP_TASK_COMPLETE => {
            // It names neither team nor creator.
            cursor.u64()?;
            None
        }
        _ => {
            let end = cursor.enter()?;
            let event = thread_fields(&mut cursor, references, record)?;
            cursor.leave(end)?;
            event
        }
    };
    Ok((event.unwrap_or(Event::Other { record }), cursor))
}

fn thread_fields(
    cursor: &mut Cursor<'_>,
    references: &References<'_>,
    record: u8,
) -> Result<Option<Event>, Fault> {
    let has_paradigm = matches!(
        record,
        event::THREAD_FORK | event::THREAD_JOIN | event::THREAD_ACQUIRE_LOCK | event::THREAD_RELEASE_LOCK
    );
    if has_paradigm && cursor.u8()? != PARADIGM_OPENMP {
        return Ok(None);
    }
    Ok(match record {
        event::THREAD_FORK => Some(Event::ThreadFork { requested: cursor.u32()? }),
        event::THREAD_JOIN | event::OMP_JOIN => Some(Event::ThreadJoin),
        event::THREAD_ACQUIRE_LOCK | event::OMP_ACQUIRE_LOCK => {
            Some(Event::ThreadAcquireLock { lock: cursor.u32()?, order: cursor.u32()? })
        }
        event::THREAD_RELEASE_LOCK | event::OMP_RELEASE_LOCK => {
            Some(Event::ThreadReleaseLock { lock: cursor.u32()?, order: cursor.u32()? })
        }
        event::THREAD_TEAM_BEGIN => team(cursor, references)?.map(|team| Event::ThreadTeamBegin { team }),
        event::THREAD_TEAM_END => team(cursor, references)?.map(|team| Event::ThreadTeamEnd { team }),
        _ => {
            let team = team(cursor, references)?;
            let task = TaskId { creator: cursor.u32()?, generation: cursor.u32()? };
            team.map(|team| match record {
                event::THREAD_TASK_CREATE => Event::ThreadTaskCreate { team, task },
                event::THREAD_TASK_SWITCH => Event::ThreadTaskSwitch { team, task },
                _ => Event::ThreadTaskComplete { team, task },
            })
        }
    })
}

/// The team; none where it is another paradigm's.
fn team(cursor: &mut Cursor<'_>, references: &References<'_>) -> Result<Option<TeamRef>, Fault> {
    let id = cursor.u32()?;
    match references.teams.get(id) {
        Reference::To(index) => Ok(Some(TeamRef(index))),
        Reference::Inexpressible => Ok(None),
        Reference::Undefined => Err(Fault::new(cursor.offset(), Cause::Undefined("communicator", id))),
    }
}
