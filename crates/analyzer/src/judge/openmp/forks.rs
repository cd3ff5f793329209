//! Forks: where the members of a team meet first.

use std::sync::Arc;

use ats_model::WaitState;

use crate::{
    judge::{
        ledger::Ledger,
        points::{At, GroupMembers, Partners, Point, Stage},
    },
    records::teams::{Instance, ThreadedProcess},
};

/// The locations of each instance's members, by rising number.
pub(super) fn members(process: &ThreadedProcess<'_>) -> Vec<Arc<GroupMembers>> {
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); process.instances.len()];
    for (location, instance_of) in process.locations.iter().zip(&process.instance_of) {
        instance_of.iter().for_each(|&instance| members[instance as usize].push(*location as u32));
    }
    members.into_iter().map(GroupMembers::new).collect()
}

/// Adds the sync points of the teams whose members have all entered the parallel region, or that are over.
pub(super) fn meet(process: &mut ThreadedProcess<'_>, members: &[Arc<GroupMembers>], ledger: &mut Ledger) {
    let mut meetings = vec![Meeting::default(); process.instances.len()];
    for (threads, instance_of) in process.threads.iter().zip(&process.instance_of) {
        for (membership, &instance) in threads.memberships.iter().zip(instance_of) {
            let meeting = &mut meetings[instance as usize];
            meeting.has_met |= membership.has_met;
            if let Some(parallel) = membership.parallel {
                meeting.came += 1;
                meeting.earliest = meeting.earliest.min(parallel.enter);
            }
        }
    }
    for (index, meeting) in meetings.iter_mut().enumerate() {
        let instance = process.instances[index];
        let are_all = instance.is_complete && meeting.came == instance.members;
        meeting.is_known = !meeting.has_met && (are_all || instance.is_over);
        meeting.fork = process.fork(&instance).map(|fork| fork.time);
        meeting.master = master(process, &instance);
    }
    let threads = process.threads.iter_mut().zip(&process.instance_of).zip(process.locations);
    for ((threads, instance_of), &location) in threads {
        for (membership, &instance) in threads.memberships.iter_mut().zip(instance_of) {
            let meeting = &meetings[instance as usize];
            let Some(parallel) = membership.parallel.filter(|_| meeting.is_known) else { continue };
            membership.has_met = true;
            ledger.points.add(Point {
                at: At { location: location as u32, stop: parallel.stop, stage: Stage::Start },
                state: WaitState::OmpManagement,
                wait: 0,
                begin: 0,
                completion: parallel.enter.saturating_sub(meeting.earliest),
                since_fork: meeting.fork.map_or(0, |fork| parallel.enter.saturating_sub(fork)),
                partners: Partners::Group(Arc::clone(&members[instance as usize])),
                led_by: meeting.master,
            });
        }
    }
}

/// The members of a team at its fork.
#[derive(Clone)]
struct Meeting {
    earliest: u64,
    came: u32,
    fork: Option<u64>,
    master: Option<At>,
    has_met: bool,
    is_known: bool,
}

impl Default for Meeting {
    fn default() -> Self {
        Meeting { earliest: u64::MAX, came: 0, fork: None, master: None, has_met: false, is_known: false }
    }
}

fn master(process: &ThreadedProcess<'_>, instance: &Instance) -> Option<At> {
    let (thread, membership) = instance.master?;
    let parallel = process.membership((thread, membership)).parallel?;
    Some(At { location: process.locations[thread] as u32, stop: parallel.stop, stage: Stage::Start })
}
