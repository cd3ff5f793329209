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

/// The most waits in a visit whose work is told apart: what is kept of a visit does not grow with it.
const MOST_WAITS: usize = 1 << 10;

/// A visit of a location, in picoseconds.
#[derive(Clone, Debug)]
pub(crate) struct Visit {
    pub(crate) begin: u64,
    pub(crate) place: Place,
    /// The work before each wait, and behind the last.
    work: Vec<u64>,
}

impl Visit {
    pub(crate) fn new(begin: u64, place: Place) -> Self {
        Visit { begin, place, work: vec![0] }
    }

    /// The location works.
    pub(crate) fn work(&mut self, picoseconds: u64) {
        if let Some(last) = self.work.last_mut() {
            *last = last.saturating_add(picoseconds);
        }
    }

    /// The location comes to a wait.
    pub(crate) fn wait(&mut self) {
        if self.work.len() <= MOST_WAITS {
            self.work.push(0);
        }
    }

    fn all_work(&self) -> u64 {
        self.work.iter().copied().fold(0, u64::saturating_add)
    }
}

/// The even part of the work in a gap between two waits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EvenGap {
    /// The share of its own work that the location does.
    share: f64,
    /// If it has none, the picoseconds in its place.
    beside: u64,
}

/// The even part of a visit's work, from where the location is: by gap, or one for all that follows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct EvenPart<'p> {
    gaps: &'p [EvenGap],
    /// Whether the work in the place of what the location does not have in this gap is done.
    is_done: bool,
}

impl EvenPart<'_> {
    /// The share of its own work that the location does now.
    pub(crate) fn share(&self) -> f64 {
        self.gaps.first().map_or(1.0, |gap| gap.share)
    }

    /// Comes to a call, which may be a wait; returns the picoseconds of work before it.
    pub(crate) fn call(&mut self, waits: bool) -> u64 {
        let [gap, rest @ ..] = self.gaps else { return 0 };
        if rest.is_empty() {
            return 0;
        }
        let is_done = std::mem::replace(&mut self.is_done, !waits);
        if waits {
            self.gaps = rest;
        }
        if is_done { 0 } else { gap.beside }
    }

    /// Comes to the end; returns the picoseconds of work before it.
    pub(crate) fn end(&mut self) -> u64 {
        let EvenPart { gaps, is_done } = std::mem::take(self);
        gaps.iter().skip(usize::from(is_done)).map(|gap| gap.beside).sum()
    }
}

/// The even parts of the visits of a location.
#[derive(Debug, Default)]
struct EvenParts {
    gaps: Vec<EvenGap>,
    /// By visit: the end of its gaps.
    ends: Vec<usize>,
}

/// The even parts of all visits to a balanced region, by location.
#[derive(Debug, Default)]
pub(crate) struct Visits {
    locations: Vec<EvenParts>,
    /// The work of visits that have none of their own, in picoseconds, if nothing tells where in them it is done.
    pub(crate) unplaced: u64,
}

/// Visits that are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Joint {
    /// The n-th visit of processes with these communicators.
    Processes(Option<CommunicatorRef>, usize),
    Team(TeamRef, u32, u32),
}

/// The work of a joint visit.
#[derive(Debug, Default)]
struct JointWork {
    members: u32,
    all: u64,
    /// The work in each gap, if each member makes one visit with as many of them.
    gaps: Option<Vec<u64>>,
}

impl JointWork {
    /// A member makes a visit, its first if it `is_new`.
    fn add(&mut self, visit: &Visit, is_new: bool) {
        self.all = self.all.saturating_add(visit.all_work());
        self.gaps = match self.gaps.take() {
            None if self.members == 0 => Some(visit.work.clone()),
            Some(mut gaps) if is_new && gaps.len() == visit.work.len() => {
                gaps.iter_mut().zip(&visit.work).for_each(|(all, own)| *all = all.saturating_add(*own));
                Some(gaps)
            }
            _ => None,
        };
        self.members += u32::from(is_new);
    }

    /// The even parts of a visit of a member; `own` is the work of all its visits.
    fn even_gaps(&self, visit: &Visit, own: u64) -> Vec<EvenGap> {
        let even = |work: u64| work as f64 / f64::from(self.members.max(1));
        let even_gap = |(&all, &own): (&u64, &u64)| match own {
            0 => EvenGap { share: 1.0, beside: even(all).round() as u64 },
            own => EvenGap { share: even(all) / own as f64, beside: 0 },
        };
        match (&self.gaps, own) {
            (Some(gaps), _) => gaps.iter().zip(&visit.work).map(even_gap).collect(),
            (None, 0) => {
                // An equal part before each wait.
                let mut gaps = vec![EvenGap { share: 1.0, beside: 0 }; visit.work.len()];
                let waits = (gaps.len() - 1).max(1);
                let part = (even(self.all) / waits as f64).round() as u64;
                gaps.iter_mut().take(waits).for_each(|gap| gap.beside = part);
                gaps
            }
            (None, own) => vec![EvenGap { share: even(self.all) / own as f64, beside: 0 }],
        }
    }
}

impl Visits {
    /// Shares the work of visits, given by location. Tasks can be cut: all members of a team share them.
    pub(crate) fn new(
        visits: &[Vec<Visit>],
        used: &UsedTogether,
        has_tasks: bool,
        definitions: &Definitions,
    ) -> Self {
        let joints = joints(visits, used, definitions);
        let mut all: FxHashMap<Joint, JointWork> = FxHashMap::default();
        let mut own: Vec<FxHashMap<Joint, u64>> = vec![FxHashMap::default(); visits.len()];
        for ((visits, joints), own) in visits.iter().zip(&joints).zip(&mut own) {
            for (visit, &joint) in visits.iter().zip(joints) {
                all.entry(joint).or_default().add(visit, !own.contains_key(&joint));
                let own = own.entry(joint).or_default();
                *own = own.saturating_add(visit.all_work());
            }
        }
        for (joint, work) in all.iter_mut().filter(|_| has_tasks) {
            if let Joint::Team(team, ..) = joint {
                let members = definitions.teams.get(team.0 as usize).map_or(0, |team| team.members.len());
                work.members = work.members.max(members as u32);
                work.gaps = None;
            }
        }
        let mut even = Visits::default();
        for ((visits, joints), own) in visits.iter().zip(&joints).zip(&own) {
            let mut parts = EvenParts::default();
            for (visit, joint) in visits.iter().zip(joints) {
                let (work, own) = (&all[joint], own[joint]);
                let gaps = work.even_gaps(visit, own);
                if work.gaps.is_none() && own == 0 {
                    even.unplaced += gaps.iter().map(|gap| gap.beside).sum::<u64>();
                }
                parts.gaps.extend(gaps);
                parts.ends.push(parts.gaps.len());
            }
            even.locations.push(parts);
        }
        even
    }

    /// The even part of the n-th visit of a location.
    pub(crate) fn even_part(&self, location: usize, visit: usize) -> EvenPart<'_> {
        let gaps = self.locations.get(location).and_then(|parts| {
            let begin = visit.checked_sub(1).map_or(Some(0), |before| parts.ends.get(before).copied())?;
            parts.gaps.get(begin..*parts.ends.get(visit)?)
        });
        EvenPart { gaps: gaps.unwrap_or_default(), is_done: false }
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
