//! The things that a thread has begun and not ended, and their events.

use ats_model::Event;
use ats_model::event::{ProgramRef, RegionRef, TeamRef};
use ats_model::openmp::Construct;

use crate::buffer::{self, Frame};

pub(crate) type Buffer = buffer::Buffer<Open>;

/// A thing that has begun and not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    /// The program, on the first thread.
    Program,
    /// A region that the program marks.
    Region(RegionRef),
    /// A function that the compiler has instrumented.
    Function(RegionRef),
    /// A call of MPI.
    Call(RegionRef),
    Construct(Construct, RegionRef),
    /// A barrier of OpenMP, and what comes after it.
    Barrier(RegionRef, After),
    Fork,
    Team(TeamRef),
}

/// The step after a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    Nothing,
    /// The end of the construct that it belongs to.
    Leave,
    /// The construct that it belongs to may have further barriers.
    MayLeave,
    /// The end of the team.
    TeamEnd,
}

impl Frame for Open {
    #[inline]
    fn begin(self, record: impl FnOnce(Event)) {
        match self {
            Open::Region(region)
            | Open::Function(region)
            | Open::Call(region)
            | Open::Construct(_, region)
            | Open::Barrier(region, _) => {
                record(Event::Enter { region });
            }
            Open::Team(team) => record(Event::ThreadTeamBegin { team }),
            Open::Program => record(Event::ProgramBegin { program: ProgramRef(0) }),
            // Its event says how many threads are asked for.
            Open::Fork => {}
        }
    }

    #[inline]
    fn end(self, record: impl FnOnce(Event)) {
        match self {
            Open::Region(region)
            | Open::Function(region)
            | Open::Call(region)
            | Open::Construct(_, region)
            | Open::Barrier(region, _) => {
                record(Event::Leave { region });
            }
            Open::Team(team) => record(Event::ThreadTeamEnd { team }),
            Open::Fork => record(Event::ThreadJoin),
            // Its exit status is not known.
            Open::Program => record(Event::ProgramEnd { status: i64::MIN }),
        }
    }

    /// Whether it is a task, or a team.
    #[inline]
    fn is_border(self) -> bool {
        matches!(self, Open::Team(_) | Open::Construct(Construct::Task, _))
    }
}
