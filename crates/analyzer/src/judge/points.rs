//! Sync points: meetings of locations at their stops, for the search of root causes. `docs/delays.md` defines them.

use std::{
    ops::Deref,
    sync::{Arc, OnceLock},
};

use ats_model::{
    WaitState,
    delay::{Delay, Extent},
};
use serde::{Deserialize, Serialize};

use crate::records::{Arrival, MpiCall};

/// The place of a point in a stop: a call starts messages before it waits, and waits for messages before operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) enum Stage {
    Start,
    End,
    /// The part of a completing call that is beyond its wait for messages.
    Rest,
}

/// A sync point of a location, by the number of its stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct At {
    pub(crate) location: u32,
    pub(crate) stop: u32,
    pub(crate) stage: Stage,
}

impl Arrival {
    /// The point of a stage of its stop.
    pub(crate) fn point(&self, stage: Stage) -> At {
        At { location: self.location, stop: self.stop, stage }
    }
}

/// The locations that a location met at a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Partners {
    One(u32),
    /// The members of a group, perhaps the location itself among them.
    Group(Arc<GroupMembers>),
}

/// The members of a group, by rising location.
#[derive(Debug)]
pub(crate) struct GroupMembers {
    locations: Box<[u32]>,
    /// The number of the group among those of the tape. Each member's point asks for it, and to find it takes a look at
    /// all members.
    number: OnceLock<u32>,
}

impl GroupMembers {
    /// The members in a list, by rising location.
    pub(crate) fn new(locations: Vec<u32>) -> Arc<Self> {
        Arc::new(GroupMembers { locations: locations.into(), number: OnceLock::new() })
    }

    /// The number of the group; `find` it if it is asked for the first time.
    pub(crate) fn number(&self, find: impl FnOnce(&[u32]) -> u32) -> u32 {
        *self.number.get_or_init(|| find(&self.locations))
    }
}

impl Deref for GroupMembers {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        &self.locations
    }
}

impl PartialEq for GroupMembers {
    fn eq(&self, other: &Self) -> bool {
        self.locations == other.locations
    }
}

impl Eq for GroupMembers {}

/// A location met others.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) at: At,
    pub(crate) state: WaitState,
    /// Ticks that it waited.
    pub(crate) wait: u64,
    /// The begin of a collective operation, which may be later than the enter of its call; else 0.
    pub(crate) begin: u64,
    /// Ticks that it left late.
    pub(crate) completion: u64,
    /// Ticks from the fork to its entry into a parallel region; or, at a join, those that a partner was in no team.
    pub(crate) since_fork: u64,
    pub(crate) partners: Partners,
    /// The point of the one that was waited for, or that the critical path continues from.
    pub(crate) led_by: Option<At>,
}

impl Point {
    /// The point of a location that met one other.
    pub(crate) fn with_partner(
        at: At,
        state: WaitState,
        wait: u64,
        partner: u32,
        led_by: Option<At>,
    ) -> Self {
        let partners = Partners::One(partner);
        Point { at, state, wait, begin: 0, completion: 0, since_fork: 0, partners, led_by }
    }
}

/// A wait turned out to be one of wrong order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WrongOrder {
    pub(crate) location: u32,
    pub(crate) stop: u32,
    pub(crate) state: WaitState,
    /// Ticks that another order would have saved.
    pub(crate) saved: u64,
}

/// The points of a process, or nothing if the caller does not ask for causes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Points {
    extent: Option<Extent>,
    pub(crate) all: Vec<Point>,
    pub(crate) wrong_order: Vec<WrongOrder>,
}

impl Points {
    /// No points yet; they are kept if the causes of some waits are asked for.
    pub(crate) fn new(extent: Option<Extent>) -> Self {
        Points { extent, ..Points::default() }
    }

    /// Whether points are kept.
    pub(crate) fn are_kept(&self) -> bool {
        self.extent.is_some()
    }

    /// The waits whose causes are asked for.
    pub(crate) fn extent(&self) -> Option<Extent> {
        self.extent
    }

    /// Keeps a point, if points are kept.
    pub(crate) fn add(&mut self, point: Point) {
        if self.are_kept() {
            self.all.push(point);
        }
    }

    /// A call waited for a message whose other end another call started `late`.
    pub(crate) fn message(&mut self, state: WaitState, waits: &MpiCall, late: &MpiCall, wait: u64) {
        if !self.are_kept() {
            return;
        }
        let at = |call: &MpiCall, stage| At { location: call.place.location, stop: call.stop, stage };
        let point = |at, wait, completion, partner: &MpiCall, led_by| Point {
            completion,
            ..Point::with_partner(at, state, wait, partner.place.location, led_by)
        };
        // A wait for a receiver ends with the transfer, which is none of the sender's doing.
        let left_late =
            if state == WaitState::LateReceiver { 0 } else { waits.leave.saturating_sub(late.leave) };
        let (waiting, starting) = (at(waits, Stage::End), at(late, Stage::Start));
        self.all.push(point(waiting, wait, left_late, late, Some(starting)));
        self.all.push(point(starting, 0, late.leave.saturating_sub(waits.leave), waits, None));
    }

    /// A call waited for an operation that another call started `late`, beyond its wait for messages.
    pub(crate) fn operation(&mut self, state: WaitState, waits: &MpiCall, late: Arrival, wait: u64) {
        if self.extent != Some(Extent::All) || wait == 0 || Delay::from_wait_state(state).is_none() {
            return;
        }
        let location = waits.place.location;
        let (waiting, starting) =
            (At { location, stop: waits.stop, stage: Stage::Rest }, late.point(Stage::Start));
        self.all.push(Point::with_partner(waiting, state, wait, late.location, Some(starting)));
        self.all.push(Point::with_partner(starting, state, 0, location, None));
    }

    /// A wait in a call turned out to be one of wrong order. For Scalasca, the order is no cause.
    pub(crate) fn reorder(&mut self, wrong: WrongOrder) {
        if let Some(extent) = self.extent {
            let saved = if extent == Extent::All { wrong.saved } else { 0 };
            self.wrong_order.push(WrongOrder { saved, ..wrong });
        }
    }
}
