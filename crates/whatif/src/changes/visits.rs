//! Visits to balanced regions: the locations that make one together, and the even part of each.
//!
//! In a team, the threads of one visit are found by their counting: how often the team was started, and the visits
//! since. Processes count, too; but groups of them may come to a region of one name at times of their own, and such
//! visits are not one. Processes that communicate in their visits are told apart by that: communicators that are used in
//! one visit belong together, and a visit is the n-th of its process among those with such communicators. A process
//! that communicates with none in a visit, as one at the border may, belongs to the communicators where its own visits
//! are fewer than those of other members; to those whose visit of that number began next to its own, if there are
//! several. Where none communicates, all processes are one group.

use ats_model::Definitions;
use ats_model::definitions::Members;
use ats_model::event::{CommunicatorRef, TeamRef};
use rustc_hash::{FxHashMap, FxHashSet};

/// The place of a visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Outside of teams, with a communicator that is used in it.
    Process(Option<CommunicatorRef>),
    /// In a team when it works for the n-th time: the n-th visit there. All tasks are one visit.
    Team(TeamRef, u32, u32),
}

/// A visit of a location, in picoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit {
    pub(crate) begin: u64,
    pub(crate) work: u64,
    pub(crate) place: Place,
}

/// The even part of a visit's work: the share of the location's own work that it takes, and the picoseconds in its place
/// if that has none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EvenPart {
    pub(crate) share: f64,
    pub(crate) beside: u64,
}

/// The even parts of all visits to a balanced region, by location and number of the visit.
#[derive(Debug, Default)]
pub(crate) struct Visits(Vec<Vec<EvenPart>>);

/// Visits that are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Joint {
    /// The n-th visit of processes with these communicators.
    Processes(Option<CommunicatorRef>, usize),
    Team(TeamRef, u32, u32),
}

impl Visits {
    /// Shares the work of visits, given by location.
    pub(crate) fn new(visits: &[Vec<Visit>], used: &UsedTogether, definitions: &Definitions) -> Self {
        let joints = joints(visits, used, definitions);
        let mut all: FxHashMap<Joint, (u64, u32)> = FxHashMap::default();
        let mut own: Vec<FxHashMap<Joint, u64>> = vec![FxHashMap::default(); visits.len()];
        for ((visits, joints), own) in visits.iter().zip(&joints).zip(&mut own) {
            for (visit, &joint) in visits.iter().zip(joints) {
                let (work, members) = all.entry(joint).or_default();
                *work = work.saturating_add(visit.work);
                let own = own.entry(joint).or_insert_with(|| {
                    *members += 1;
                    0
                });
                *own = own.saturating_add(visit.work);
            }
        }
        let even_part = |own: &mut FxHashMap<Joint, u64>, joint: &Joint| {
            let (work, members) = all.get(joint).copied().unwrap_or_default();
            let even = work as f64 / f64::from(members.max(1));
            match own.get(joint) {
                Some(&own) if own > 0 => EvenPart { share: even / own as f64, beside: 0 },
                // The first of several tasks takes what is in the place of all.
                own_work => {
                    let beside = own_work.map_or(0, |_| even.round() as u64);
                    own.remove(joint);
                    EvenPart { share: 1.0, beside }
                }
            }
        };
        let parts = joints.iter().zip(&mut own);
        Visits(parts.map(|(joints, own)| joints.iter().map(|it| even_part(own, it)).collect()).collect())
    }

    /// The even part of the n-th visit of a location.
    pub(crate) fn even_part(&self, location: usize, visit: usize) -> EvenPart {
        let parts = self.0.get(location).and_then(|parts| parts.get(visit));
        parts.copied().unwrap_or(EvenPart { share: 1.0, beside: 0 })
    }
}

/// Communicators that are used in one visit.
#[derive(Debug, Default)]
pub(crate) struct UsedTogether {
    /// Another communicator of the same set, if there is one: the way to the one that stands for all.
    other: FxHashMap<CommunicatorRef, CommunicatorRef>,
}

impl UsedTogether {
    /// The communicator that stands for all that are used together with it.
    fn representative(&self, communicator: CommunicatorRef) -> CommunicatorRef {
        std::iter::successors(Some(communicator), |it| self.other.get(it).copied())
            .last()
            .unwrap_or(communicator)
    }

    /// Two communicators are used in one visit.
    pub(crate) fn join(&mut self, one: CommunicatorRef, another: CommunicatorRef) {
        let (one, another) = (self.representative(one), self.representative(another));
        if one != another {
            self.other.insert(another, one);
        }
    }
}

/// The processes that use a set of communicators.
#[derive(Debug, Default)]
struct Users {
    ranks: FxHashSet<u32>,
    /// The begins of the visits of the location that makes most of them.
    begins: Vec<u64>,
}

/// The visits that are one, by location and number of the visit.
fn joints(visits: &[Vec<Visit>], used: &UsedTogether, definitions: &Definitions) -> Vec<Vec<Joint>> {
    let set_of = |visit: &Visit| match visit.place {
        Place::Process(Some(communicator)) => Some(used.representative(communicator)),
        _ => None,
    };
    let mut users: FxHashMap<CommunicatorRef, Users> = FxHashMap::default();
    for visits in visits {
        let mut begins: FxHashMap<CommunicatorRef, Vec<u64>> = FxHashMap::default();
        for visit in visits {
            if let Some(set) = set_of(visit) {
                begins.entry(set).or_default().push(visit.begin);
            }
        }
        for (set, begins) in begins {
            let users = users.entry(set).or_default();
            if users.begins.len() < begins.len() {
                users.begins = begins;
            }
        }
    }
    for (reference, communicator) in (0..).map(CommunicatorRef).zip(&definitions.communicators) {
        if let (Some(users), Members::Ranks(ranks)) =
            (users.get_mut(&used.representative(reference)), &communicator.members)
        {
            users.ranks.extend(ranks);
        }
    }
    let of_location = |(visits, location): (&Vec<Visit>, &ats_model::definitions::LocationDefinition)| {
        let mut missing: FxHashMap<CommunicatorRef, usize> = users
            .iter()
            .filter(|(_, users)| users.ranks.contains(&location.rank))
            .map(|(set, users)| (*set, users.begins.len()))
            .collect();
        for set in visits.iter().filter_map(set_of) {
            missing.entry(set).and_modify(|missing| *missing = missing.saturating_sub(1));
        }
        let mut made: FxHashMap<Option<CommunicatorRef>, usize> = FxHashMap::default();
        let joint = |visit: &Visit| {
            if let Place::Team(team, started, number) = visit.place {
                return Joint::Team(team, started, number);
            }
            let away = |set: &CommunicatorRef| {
                let number = made.get(&Some(*set)).copied().unwrap_or(0);
                users[set].begins.get(number).map_or(u64::MAX, |begin| begin.abs_diff(visit.begin))
            };
            let lacking = missing.iter().filter(|(_, missing)| **missing > 0).map(|(set, _)| *set);
            let set = set_of(visit).or_else(|| lacking.min_by_key(|set| (away(set), set.0)));
            if set_of(visit).is_none()
                && let Some(set) = set
            {
                missing.entry(set).and_modify(|missing| *missing -= 1);
            }
            let made = made.entry(set).or_default();
            *made += 1;
            Joint::Processes(set, *made - 1)
        };
        visits.iter().map(joint).collect()
    };
    visits.iter().zip(&definitions.locations).map(of_location).collect()
}
