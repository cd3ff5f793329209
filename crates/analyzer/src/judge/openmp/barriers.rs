//! Wait at explicit and at implicit OpenMP barriers: until the last thread of the team enters, less the time of the
//! waiting thread in tasks meanwhile.

use std::{cmp::Reverse, sync::Arc};

use ats_model::WaitState;

use crate::{
    judge::{
        ledger::Ledger,
        points::{At, GroupMembers, Partners, Point, Stage},
    },
    records::{
        Arrival,
        teams::{Instance, ThreadedProcess},
        threads::Barrier,
    },
    words::damage::{Damage, Damages},
};

/// A barrier of an instance of a team.
#[derive(Clone, Copy, Default)]
struct Meeting {
    latest: Arrival,
    /// The stop of the one that came last, of several the lowest.
    late: Option<(u64, Reverse<u32>, u32)>,
    came: u32,
    explicit: u32,
    /// Whether a thread is still in it.
    is_open: bool,
}

/// The barriers of all instances that are not forgotten.
struct Meetings {
    /// For each instance, the number of its first barrier and its place in `all`.
    first: Vec<(u32, usize)>,
    all: Vec<Meeting>,
}

impl Meetings {
    fn new(process: &ThreadedProcess<'_>) -> Self {
        let mut lowest = vec![u32::MAX; process.instances.len()];
        for (threads, instance_of) in process.threads.iter().zip(&process.instance_of) {
            for barrier in &threads.barriers {
                let lowest = &mut lowest[instance_of[barrier.membership as usize] as usize];
                *lowest = barrier.number.min(*lowest);
            }
        }
        let mut count = 0;
        let place = |(lowest, instance): (u32, &Instance)| {
            let place = count;
            count += instance.barriers.saturating_sub(lowest) as usize;
            (lowest, place)
        };
        let first = lowest.into_iter().zip(&process.instances).map(place).collect();
        Meetings { first, all: vec![Meeting::default(); count] }
    }

    fn meeting(&mut self, instance: u32, barrier: &Barrier) -> &mut Meeting {
        let (lowest, place) = self.first[instance as usize];
        &mut self.all[place + (barrier.number - lowest) as usize]
    }
}

/// Judges the barriers that no thread can enter any more and all have left; also returns, by thread, those that are
/// not.
pub(super) fn judge(
    process: &ThreadedProcess<'_>,
    members: &[Arc<GroupMembers>],
    ledger: &mut Ledger,
    damages: &mut Damages,
) -> Vec<Vec<bool>> {
    let mut meetings = Meetings::new(process);
    for ((threads, instance_of), open) in
        process.threads.iter().zip(&process.instance_of).zip(&process.progress.open)
    {
        for barrier in &threads.barriers {
            let meeting = meetings.meeting(instance_of[barrier.membership as usize], barrier);
            let (time, location, stop) = (barrier.enter, barrier.place.location, barrier.stop);
            meeting.latest = meeting.latest.max(Arrival { time, location, stop });
            meeting.late = meeting.late.max(Some((time, Reverse(location), stop)));
            meeting.came += 1;
            meeting.explicit += u32::from(barrier.is_explicit);
        }
        for barrier in open.barriers.iter().map(|&barrier| &threads.barriers[barrier as usize]) {
            meetings.meeting(instance_of[barrier.membership as usize], barrier).is_open = true;
        }
    }
    let mut kept = Vec::with_capacity(process.threads.len());
    for (threads, instance_of) in process.threads.iter().zip(&process.instance_of) {
        let is_kept = |barrier: &Barrier| {
            let number = instance_of[barrier.membership as usize];
            let (instance, meeting) =
                (&process.instances[number as usize], *meetings.meeting(number, barrier));
            let is_whole = instance.is_complete && meeting.came == instance.members && !meeting.is_open;
            if !(is_whole || instance.is_over) {
                return true;
            }
            let wait = judge_part(barrier, meeting, instance.members, ledger, damages);
            if let (Some(wait), Some(members)) = (wait, members.get(number as usize)) {
                ledger.points.add(point(barrier, meeting, wait, members));
            }
            false
        };
        kept.push(threads.barriers.iter().map(is_kept).collect());
    }
    kept
}

/// Books the wait of a thread, which is returned, unless threads meet at different kinds of barriers.
fn judge_part(
    barrier: &Barrier,
    meeting: Meeting,
    members: u32,
    ledger: &mut Ledger,
    damages: &mut Damages,
) -> Option<u64> {
    let location = barrier.place.location as usize;
    if meeting.explicit > 0 && meeting.explicit < meeting.came {
        damages.add(Damage::OmpBarriersDiffer, location, barrier.enter);
        return None;
    }
    if meeting.came < members {
        damages.add(Damage::OmpBarrierMemberMissing, location, barrier.enter);
    }
    let state = state(barrier);
    let wait = (meeting.latest.time - barrier.enter).saturating_sub(barrier.in_tasks);
    if wait > 0 {
        let Arrival { time, location, .. } = meeting.latest;
        ledger.waits.keep(state, barrier.place, (barrier.enter, time), Some(location));
    }
    ledger.add(state, barrier.place, wait, None);
    Some(wait)
}

fn state(barrier: &Barrier) -> WaitState {
    match barrier.is_explicit {
        true => WaitState::WaitAtExplicitOmpBarrier,
        false => WaitState::WaitAtImplicitOmpBarrier,
    }
}

/// The sync point of a thread in a barrier; the critical path continues on the one that came last.
fn point(barrier: &Barrier, meeting: Meeting, wait: u64, members: &Arc<GroupMembers>) -> Point {
    let at = |location, stop| At { location, stop, stage: Stage::End };
    let late = meeting.late.map(|(_, Reverse(location), stop)| at(location, stop));
    Point {
        at: at(barrier.place.location, barrier.stop),
        state: state(barrier),
        wait,
        begin: 0,
        completion: 0,
        since_fork: 0,
        partners: Partners::Group(Arc::clone(members)),
        led_by: late,
    }
}
