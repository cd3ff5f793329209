//! Teams at work, and their members.

use std::collections::VecDeque;

use ats_model::CallPathId;
use ats_model::event::TeamRef;
use rustc_hash::FxHashMap;

use crate::kernel::profile::Spent;
use crate::openmp::barrier::Barrier;
use crate::openmp::rest::Point;
use crate::openmp::share::Worksharing;
use crate::openmp::task::{Queue, Running};

/// A location as a member of a team.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) team: u32,
    pub(crate) number: u32,
    /// The number of worksharing constructs it has encountered.
    pub(crate) encountered: u32,
    /// The task that it executes.
    pub(crate) task: Running,
    /// The number of tasks it has created.
    pub(crate) created: u32,
}

/// A team at work.
pub(crate) struct Team {
    pub(crate) definition: TeamRef,
    /// Member i is this location.
    pub(crate) members: Vec<u32>,
    /// The number of members other than the master that have not left the region.
    pub(crate) workers: u32,
    pub(crate) barrier: Barrier,
    /// The barrier at the region's end.
    pub(crate) end: Barrier,
    pub(crate) tasks: Queue,
    /// Worksharing constructs that not all members have left, and the number of the first.
    pub(crate) worksharing: VecDeque<Worksharing>,
    pub(crate) first_worksharing: u32,
    /// Whether members could have changed places since the last barrier.
    pub(crate) exchangeable: bool,
}

impl Team {
    /// A team of these members, with the master first.
    pub(crate) fn new(definition: TeamRef, members: Vec<u32>) -> Self {
        Team {
            definition,
            workers: members.len() as u32 - 1,
            members,
            barrier: Barrier::default(),
            end: Barrier::default(),
            tasks: Queue::default(),
            worksharing: VecDeque::new(),
            first_worksharing: 0,
            exchangeable: false,
        }
    }

    /// The barrier that a thread rests at.
    pub(crate) fn barrier_at(&mut self, point: Point) -> &mut Barrier {
        if point == Point::End { &mut self.end } else { &mut self.barrier }
    }

    /// A worksharing construct that not all members have left.
    pub(crate) fn worksharing(&mut self, number: u32) -> &mut Worksharing {
        &mut self.worksharing[(number - self.first_worksharing) as usize]
    }

    /// Whether only the master is in its region.
    pub(crate) fn is_left(&self) -> bool {
        self.workers == 0
    }
}

/// The outermost parallel regions of a process.
#[derive(Debug, Default)]
pub(crate) struct ParallelRegions {
    /// Call path of the one that its master is in,
    pub(crate) now: Option<CallPathId>,
    /// and the threads that have worked in teams there.
    pub(crate) members: Vec<u32>,
    pub(crate) spent: FxHashMap<CallPathId, Spent>,
}
