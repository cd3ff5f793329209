//! Teams of threads: who is in them, and when they end.
//!
//! Every parallel region makes a team; its events bear the number of that team. Who its members are is known when all
//! have begun. When events are written, teams of equal members become one.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

use ats_model::event::TeamRef;
use rustc_hash::FxHashMap;

use crate::lock::lock;

static MADE: AtomicU32 = AtomicU32::new(0);

/// The team of one parallel region.
#[derive(Debug)]
pub(crate) struct Team {
    /// Counts the teams of the process.
    pub(crate) number: TeamRef,
    /// The address of the parallel construct.
    pub(crate) place: usize,
    /// Whether it is an outermost team of the first thread, whose members are numbered by their places in it.
    pub(crate) of_first_thread: bool,
    /// The number of the call that starts it, with the calls that lead to it; none if it has no stack.
    pub(crate) call: Option<u32>,
    /// Numbers of the threads, by their places in the team.
    members: OnceLock<Box<[AtomicU32]>>,
    begun: AtomicU32,
    /// Ticks; 0 until then.
    end: AtomicU64,
}

impl Team {
    pub(crate) fn new(place: usize, of_first_thread: bool, call: Option<u32>) -> Self {
        Team {
            number: TeamRef(MADE.fetch_add(1, Ordering::Relaxed)),
            place,
            of_first_thread,
            call,
            members: OnceLock::new(),
            begun: AtomicU32::new(0),
            end: AtomicU64::new(0),
        }
    }

    /// Notes that a thread begins to work as member `index` of `size`.
    pub(crate) fn begins(&self, index: u32, size: u32, thread: u32) {
        let members = self.members.get_or_init(|| (0..size).map(|_| AtomicU32::new(0)).collect());
        if let Some(member) = members.get(index as usize) {
            member.store(thread, Ordering::Relaxed);
            if self.begun.fetch_add(1, Ordering::AcqRel) + 1 == members.len() as u32 {
                define(self.number, members.iter().map(|member| member.load(Ordering::Relaxed)).collect());
            }
        }
    }

    /// Notes that all members have arrived at the end.
    pub(crate) fn ends(&self, ticks: u64) {
        self.end.store(ticks, Ordering::Release);
    }

    /// When all members had arrived at the end; nothing until then.
    pub(crate) fn end(&self) -> Option<u64> {
        Some(self.end.load(Ordering::Acquire)).filter(|&end| end > 0)
    }
}

#[derive(Default)]
struct Table {
    /// By members.
    definitions: FxHashMap<Box<[u32]>, u32>,
    /// By the number of the team.
    of_team: Vec<u32>,
}

const UNDEFINED: u32 = u32::MAX;

static TABLE: Mutex<Option<Table>> = Mutex::new(None);

fn define(team: TeamRef, members: Box<[u32]>) {
    let mut table = lock(&TABLE);
    let Table { definitions, of_team } = table.get_or_insert_default();
    let next = definitions.len() as u32;
    let definition = *definitions.entry(members).or_insert(next);
    let number = team.0 as usize;
    if of_team.len() <= number {
        of_team.resize(number + 1, UNDEFINED);
    }
    of_team[number] = definition;
}

/// Definitions by the numbers of teams, at one moment.
pub(crate) struct Definitions(Vec<u32>);

impl Definitions {
    pub(crate) fn now() -> Self {
        Definitions(lock(&TABLE).as_ref().map(|table| table.of_team.clone()).unwrap_or_default())
    }

    /// The definition of a team; none as long as a member has not begun.
    pub(crate) fn get(&self, team: TeamRef) -> Option<TeamRef> {
        self.0.get(team.0 as usize).copied().filter(|&definition| definition != UNDEFINED).map(TeamRef)
    }
}

/// Definitions by the numbers of teams, if there is one without: whose members had not all begun.
pub(crate) fn unless_all_are_defined() -> Option<Definitions> {
    let now = Definitions::now();
    let defined = now.0.iter().filter(|&&definition| definition != UNDEFINED).count();
    (defined < MADE.load(Ordering::Relaxed) as usize).then_some(now)
}

/// The members of each definition, as numbers of threads.
pub(crate) fn definitions() -> Vec<Vec<u32>> {
    let table = lock(&TABLE);
    let Some(table) = table.as_ref() else { return Vec::new() };
    let mut all = vec![Vec::new(); table.definitions.len()];
    for (members, &definition) in &table.definitions {
        all[definition as usize] = members.to_vec();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn teams_of_equal_members_are_one_definition_once_all_have_begun() {
        let teams: Vec<Team> = (0..3).map(|place| Team::new(place, false, None)).collect();
        for (team, threads) in teams.iter().zip([[901, 902], [901, 903], [901, 902]]) {
            for (index, thread) in (0..).zip(threads) {
                assert_eq!(Definitions::now().get(team.number), None);
                team.begins(index, 2, thread);
            }
        }
        let now = Definitions::now();
        let [first, second, third] =
            [0, 1, 2].map(|team: usize| now.get(teams[team].number).expect("defined"));
        assert_eq!(first, third);
        assert_ne!(first, second);
        assert_eq!(definitions()[second.0 as usize], [901, 903]);
    }

    #[test]
    fn a_team_has_no_end_until_it_is_said() {
        let team = Team::new(0, false, None);
        assert_eq!(team.end(), None);
        team.ends(5);
        assert_eq!(team.end(), Some(5));
    }
}
