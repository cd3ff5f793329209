//! Meanings of a trace's definitions to a replay.

use ats_model::Definitions;
use ats_model::definitions::{Members, Paradigm, Region, RegionRole};
use ats_model::event::{CommunicatorRef, RegionRef, TeamRef};
use ats_model::mpi::{Form, Function, Kind};
use ats_model::openmp::Construct;
use ats_model::regions::ALIGN_REGION;
use ats_virtual::CommunicatorGroup;

/// The meaning of a region to a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegionKind {
    /// Nothing but a name on the call path.
    Plain,
    /// A call of MPI.
    Mpi(Function),
    /// A barrier of a team.
    Barrier,
    /// A wait for tasks.
    TaskWait,
    /// The body of an ordered construct.
    OrderedBlock,
    /// The alignment of all processes by a harness: each waits for all.
    Alignment,
}

impl RegionKind {
    /// Whether it only starts what a later call waits for.
    pub(crate) fn is_start(self) -> bool {
        match self {
            RegionKind::Mpi(function) => {
                matches!(function.form(), Form::Nonblocking | Form::Persistent)
                    || function.kind() == Kind::Start
            }
            _ => false,
        }
    }

    fn new(region: &Region) -> Self {
        if let Some(function) = Function::of_spelling(&region.name) {
            return RegionKind::Mpi(function);
        }
        if region.name == ALIGN_REGION {
            return RegionKind::Alignment;
        }
        let by_role = if region.paradigm == Paradigm::OpenMp { region.role } else { RegionRole::Unknown };
        let role = Construct::of_region(region.name.trim_end_matches('_')).map_or(by_role, Construct::role);
        match role {
            RegionRole::Barrier | RegionRole::ImplicitBarrier => RegionKind::Barrier,
            RegionRole::TaskWait => RegionKind::TaskWait,
            RegionRole::OrderedSblock => RegionKind::OrderedBlock,
            _ => RegionKind::Plain,
        }
    }
}

/// The tables of a trace.
pub(crate) struct Tables<'a> {
    pub(crate) definitions: &'a Definitions,
    /// By region.
    kinds: Vec<RegionKind>,
    /// The number of processes.
    pub(crate) ranks: usize,
    /// By rank, the location of the master; `None` if the trace has none.
    pub(crate) masters: Vec<Option<usize>>,
    /// The number of the first communicator of one process.
    first_self: usize,
}

impl<'a> Tables<'a> {
    pub(crate) fn new(definitions: &'a Definitions) -> Self {
        let ranks =
            definitions.locations.iter().map(|location| location.rank as usize + 1).max().unwrap_or(0);
        let mut masters: Vec<Option<usize>> = vec![None; ranks];
        for (at, location) in definitions.locations.iter().enumerate() {
            let master = &mut masters[location.rank as usize];
            let is_first = master.is_none_or(|other| location.thread < definitions.locations[other].thread);
            if is_first {
                *master = Some(at);
            }
        }
        let kinds = definitions.regions.iter().map(RegionKind::new).collect();
        let first_self = definitions.communicators.len() + 1;
        Tables { definitions, kinds, ranks, masters, first_self }
    }

    /// The meaning of a region; plain if it is not defined.
    pub(crate) fn kind(&self, region: RegionRef) -> RegionKind {
        self.kinds.get(region.0 as usize).copied().unwrap_or(RegionKind::Plain)
    }

    /// The communicators, in the order of their numbers from 1.
    pub(crate) fn groups(&self) -> Vec<CommunicatorGroup> {
        let known = |members: &[u32]| members.iter().all(|&member| (member as usize) < self.ranks);
        let defined = (0..).zip(&self.definitions.communicators).map(|(number, communicator)| {
            let members = match &communicator.members {
                Members::Ranks(ranks) if known(ranks) => ranks.clone(),
                Members::Ranks(_) | Members::SelfOnly => Vec::new(),
            };
            let neighbors =
                |rank: &u32| self.definitions.neighbors.get(&(*rank, CommunicatorRef(number))).cloned();
            let neighbors = members.iter().map(neighbors).collect();
            CommunicatorGroup { name: communicator.name.clone(), members, neighbors }
        });
        let alone = |rank: usize| CommunicatorGroup {
            name: "MPI_COMM_SELF".to_owned(),
            members: vec![rank as u32],
            neighbors: None,
        };
        let has_self = self.definitions.communicators.iter().any(|it| it.members == Members::SelfOnly);
        let alone = (0..self.ranks).filter(|_| has_self).map(alone);
        defined.chain(alone).collect()
    }

    /// The number of a communicator as a process sees it.
    pub(crate) fn number(&self, communicator: CommunicatorRef, rank: u32) -> usize {
        match self.definitions.communicator(communicator).map(|it| &it.members) {
            Some(Members::SelfOnly) => self.first_self + rank as usize,
            _ => communicator.0 as usize + 1,
        }
    }

    /// The locations of a team's members.
    pub(crate) fn members(&self, team: TeamRef) -> &'a [u32] {
        self.definitions.teams.get(team.0 as usize).map_or(&[], |team| &team.members)
    }
}
