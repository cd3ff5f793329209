//! The meeting of the members of a collective operation, for the search of root causes.

use std::{cmp::Reverse, sync::Arc};

use ats_model::{WaitState, delay::Extent};

use crate::{
    judge::points::{At, GroupMembers, Partners, Point, Stage},
    records::Collective,
    words::flow::Flow,
};

/// The meetings in an operation.
#[derive(Debug, Default)]
pub(super) enum Meetings {
    /// No member can wait in it.
    #[default]
    None,
    One(Meeting),
    /// Those of a prefix operation: for each member its own.
    Prefix(Box<[Option<Arc<Meeting>>]>),
}

impl Meetings {
    /// The meetings in an operation. Its parts come with their ranks in the communicator, which rise; `root` is the
    /// location of its root. The members of the communicator are in `whole`, by rising location; all have parts if it
    /// `is_whole`.
    pub(super) fn new<'p>(
        flow: Flow,
        parts: impl Iterator<Item = (usize, &'p Collective)> + Clone,
        root: Option<u32>,
        whole: &Arc<GroupMembers>,
        is_whole: bool,
        extent: Extent,
    ) -> Self {
        if flow == Flow::Prefix {
            return match extent {
                Extent::All => Meetings::Prefix(prefix(parts, whole)),
                Extent::Scalasca => Meetings::None,
            };
        }
        let parts = parts.map(|(_, part)| part);
        Meeting::new(flow, parts, root, whole, is_whole, extent).map_or(Meetings::None, Meetings::One)
    }

    /// The sync point of a part, if it meets others.
    pub(super) fn point(&self, own: usize, part: &Collective) -> Option<Point> {
        let meeting = match self {
            Meetings::None => return None,
            Meetings::One(meeting) => meeting,
            Meetings::Prefix(meetings) => meetings.get(own)?.as_ref()?,
        };
        meeting.point(part)
    }
}

/// The meetings in a prefix operation: each member meets the last sender of its rank or a lower one, if that is later.
fn prefix<'p>(
    parts: impl Iterator<Item = (usize, &'p Collective)>,
    whole: &Arc<GroupMembers>,
) -> Box<[Option<Arc<Meeting>>]> {
    let mut meetings = Vec::new();
    let mut waiting: Vec<(usize, &Collective)> = Vec::new();
    let mut late: Option<(usize, &Collective)> = None;
    let mut meet = |waiting: &mut Vec<(usize, &'p Collective)>, late: Option<(usize, &'p Collective)>| {
        let Some((of_late, late)) = late.filter(|_| !waiting.is_empty()) else { return };
        let those = waiting.iter().map(|&(_, part)| part);
        let meeting = Arc::new(Meeting::of_root(WaitState::EarlyScan, those, late, whole));
        let last = waiting.last().map_or(of_late, |&(own, _)| own.max(of_late));
        meetings.resize(meetings.len().max(last + 1), None);
        for (own, _) in waiting.drain(..).chain([(of_late, late)]) {
            meetings[own] = Some(Arc::clone(&meeting));
        }
    };
    for (own, part) in parts {
        match late {
            Some((_, late)) if part.begin < late.begin => waiting.push((own, part)),
            Some((_, late)) if part.begin == late.begin => {}
            _ if part.sends => {
                meet(&mut waiting, late);
                late = Some((own, part));
            }
            _ => {}
        }
    }
    meet(&mut waiting, late);
    meetings.into()
}

/// The members of an operation that meet, and the one that the others wait for.
#[derive(Debug)]
pub(super) struct Meeting {
    state: WaitState,
    /// The members that meet, by rising location.
    members: Arc<GroupMembers>,
    late: At,
    /// The begin of the late one.
    begin: u64,
    /// The time when the first of the others, or of all if it is not a root, has left.
    earliest_end: u64,
    /// Whether the members meet the late one alone, as they do a root.
    is_rooted: bool,
}

impl Meeting {
    /// The meeting in an operation of one meeting, if a member can wait in it.
    fn new<'p>(
        flow: Flow,
        parts: impl Iterator<Item = &'p Collective> + Clone,
        root: Option<u32>,
        whole: &Arc<GroupMembers>,
        is_whole: bool,
        extent: Extent,
    ) -> Option<Self> {
        let latest = |parts: &mut dyn Iterator<Item = &'p Collective>| {
            parts.max_by_key(|part| (part.begin, Reverse(part.place.location)))
        };
        let carries = parts.clone().any(|part| part.sends || part.receives);
        let is_root = |part: &&Collective| Some(part.place.location) == root;
        let senders = || parts.clone().filter(|part| part.sends);
        let before = |late: &'p Collective| parts.clone().filter(move |part| part.begin < late.begin);
        let all = |state| {
            let late = latest(&mut parts.clone())?;
            Some(Meeting::for_latest(state, parts.clone(), late, whole))
        };
        let some = |state, late: &'p Collective, others: &mut dyn Iterator<Item = &'p Collective>| {
            let mut those: Vec<&Collective> = others.collect();
            if those.is_empty() {
                return None;
            }
            those.push(late);
            Some(Meeting::for_latest(state, those.into_iter(), late, whole))
        };
        match flow {
            Flow::Barrier => all(WaitState::WaitAtBarrier),
            Flow::AllToAll if carries => {
                let late = latest(&mut parts.clone())?;
                // A member that is missing may have left before the last one came.
                if is_whole && parts.clone().all(|part| part.end > late.begin) {
                    return all(WaitState::WaitAtNxN);
                }
                let late = latest(&mut senders())?;
                some(WaitState::WaitAtNxN, late, &mut before(late).filter(|part| part.receives))
            }
            Flow::OneToAll if carries => {
                let root = parts.clone().find(is_root)?;
                let waiting: Vec<&Collective> = before(root).filter(|part| part.receives).collect();
                let those = waiting.iter().copied();
                (!waiting.is_empty()).then(|| Meeting::of_root(WaitState::LateBroadcast, those, root, whole))
            }
            Flow::AllToOne if carries => {
                let late = latest(&mut senders().filter(|part| !is_root(part)))?;
                some(WaitState::EarlyReduce, late, &mut before(late).filter(is_root))
            }
            Flow::Irregular if carries && extent == Extent::All => {
                let late = latest(&mut parts.clone())?;
                let mut waiting = before(late).filter(|part| part.sends || part.receives);
                some(WaitState::WaitAtIrregularNxN, late, &mut waiting)
            }
            Flow::Management if extent == Extent::All => {
                let late = latest(&mut parts.clone())?;
                let is_held = |part: &&Collective| part.makes() || part.end >= late.begin;
                some(WaitState::WaitAtCommunicatorManagement, late, &mut before(late).filter(is_held))
            }
            _ => None,
        }
    }

    /// These meet, and wait for the latest of them.
    fn for_latest<'p>(
        state: WaitState,
        those: impl Iterator<Item = &'p Collective> + Clone,
        late: &Collective,
        whole: &Arc<GroupMembers>,
    ) -> Self {
        let mut members: Vec<u32> = those.clone().map(|part| part.place.location).collect();
        members.sort_unstable();
        Meeting {
            state,
            members: if members[..] == whole[..] { Arc::clone(whole) } else { GroupMembers::new(members) },
            late: end_point(late),
            begin: late.begin,
            earliest_end: those.map(|part| part.end).min().unwrap_or(u64::MAX),
            is_rooted: false,
        }
    }

    /// These wait for a late one, which alone each of them meets.
    fn of_root<'p>(
        state: WaitState,
        waiting: impl Iterator<Item = &'p Collective> + Clone,
        late: &'p Collective,
        whole: &Arc<GroupMembers>,
    ) -> Self {
        let earliest_end = waiting.clone().map(|part| part.end).min().unwrap_or(u64::MAX);
        let meeting = Meeting::for_latest(state, waiting.chain([late]), late, whole);
        Meeting { earliest_end, is_rooted: true, ..meeting }
    }

    /// The sync point of a part, if it is in the meeting.
    fn point(&self, part: &Collective) -> Option<Point> {
        let (at, location) = (end_point(part), part.place.location);
        self.members.binary_search(&location).ok()?;
        let is_late = location == self.late.location;
        let begun = self.begin.min(part.end);
        let wait = begun.saturating_sub(part.begin);
        let partners = match self.is_rooted && !is_late {
            true => Partners::One(self.late.location),
            false => Partners::Group(Arc::clone(&self.members)),
        };
        Some(Point {
            at,
            state: self.state,
            wait,
            begin: part.begin,
            completion: part.end.saturating_sub(self.earliest_end.max(begun)),
            since_fork: 0,
            partners,
            led_by: (wait > 0).then_some(self.late),
        })
    }
}

fn end_point(part: &Collective) -> At {
    At { location: part.place.location, stop: part.stop, stage: Stage::End }
}
