//! Wait at explicit and at implicit OpenMP barriers: until the last thread of the team enters, less what the waiting
//! thread did for tasks meanwhile.

use ats_model::WaitState;

use crate::{
    damage::{Damage, Damages},
    ledger::Ledger,
    teams::ThreadedProcess,
};

/// A barrier of an instance of a team.
#[derive(Clone, Copy, Default)]
struct Meeting {
    latest: u64,
    came: u32,
    explicit: u32,
}

pub(super) fn judge(process: &ThreadedProcess, ledger: &mut Ledger, damages: &mut Damages) {
    let mut first = Vec::with_capacity(process.instances.len());
    let mut count = 0;
    for instance in &process.instances {
        first.push(count);
        count += instance.barriers as usize;
    }
    let mut meetings = vec![Meeting::default(); count];
    let all = || {
        process.threads.iter().enumerate().flat_map(|(thread, threads)| {
            threads.barriers.iter().map(move |barrier| {
                let instance = process.instance_of[thread][barrier.membership as usize] as usize;
                (barrier, instance)
            })
        })
    };
    for (barrier, instance) in all() {
        let meeting = &mut meetings[first[instance] + barrier.number as usize];
        meeting.latest = meeting.latest.max(barrier.enter);
        meeting.came += 1;
        meeting.explicit += u32::from(barrier.is_explicit);
    }
    for (barrier, instance) in all() {
        let meeting = &mut meetings[first[instance] + barrier.number as usize];
        let location = barrier.place.location as usize;
        if meeting.explicit > 0 && meeting.explicit < meeting.came {
            damages.add(Damage::OmpBarriersDiffer, location, barrier.enter);
            continue;
        }
        if meeting.came < process.instances[instance].members {
            damages.add(Damage::OmpBarrierMemberMissing, location, barrier.enter);
        }
        let state = if barrier.is_explicit {
            WaitState::WaitAtExplicitOmpBarrier
        } else {
            WaitState::WaitAtImplicitOmpBarrier
        };
        let wait = (meeting.latest - barrier.enter).saturating_sub(barrier.in_tasks);
        if wait > 0 {
            ledger.waits.keep(state, barrier.place, barrier.enter, meeting.latest);
        }
        ledger.add(state, barrier.place, wait, None);
    }
}
