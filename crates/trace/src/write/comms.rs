//! The groups and communicators of MPI, and of OpenMP, whose teams are communicators of threads.

use ats_model::Definitions;
use ats_model::definitions::Members;
use rustc_hash::FxHashMap;

use super::encode::Body;
use super::records::{Records, Strings};
use crate::format::{PARADIGM_MPI, PARADIGM_OPENMP, definition, group};

/// As `OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN`.
const THREAD_FORK_JOIN: u8 = 1;
const NONE: u32 = u32::MAX;
/// The kinds of a group, by version 1.0 of the format and by later ones.
const LOCATIONS: [u8; 2] = [group::V1_COMM_LOCATIONS, group::COMM_LOCATIONS];
const MEMBERS: [u8; 2] = [group::V1_COMM_GROUP, group::COMM_GROUP];
const SELF: [u8; 2] = [group::V1_COMM_SELF, group::COMM_SELF];

/// Communicators have their indices for ids, teams follow.
pub(super) fn write(
    definitions: &Definitions,
    masters: &[u64],
    strings: &mut Strings,
    records: &mut Records,
) {
    let unnamed = strings.id("");
    let mut mpi = Groups::new(PARADIGM_MPI, 0);
    mpi.add(unnamed, LOCATIONS, masters.iter().copied(), records);
    let self_group = mpi.add(unnamed, SELF, [].into_iter(), records);
    let mut comms: Vec<(&str, u32)> = Vec::new();
    for communicator in &definitions.communicators {
        let group = match &communicator.members {
            Members::SelfOnly => self_group,
            Members::Ranks(ranks) => mpi.of_members(unnamed, ranks, records),
        };
        comms.push((&communicator.name, group));
    }
    if !definitions.teams.is_empty() {
        let name = strings.id("OpenMP");
        records
            .push(definition::PARADIGM, Body::default().u8(PARADIGM_OPENMP).u32(name).u8(THREAD_FORK_JOIN));
        let mut openmp = Groups::new(PARADIGM_OPENMP, mpi.next);
        openmp.add(name, LOCATIONS, definitions.locations.iter().map(|location| location.id), records);
        for team in &definitions.teams {
            comms.push((&team.name, openmp.of_members(unnamed, &team.members, records)));
        }
    }
    for (id, (name, group)) in (0..).zip(comms) {
        let body = Body::default().u32(id).u32(strings.id(name)).u32(group).u32(NONE).u32(0);
        records.push(definition::COMM, body);
    }
}

/// The groups of a paradigm. Communicators with the same members, such as duplicates, share one.
struct Groups<'a> {
    paradigm: u8,
    next: u32,
    by_members: FxHashMap<&'a [u32], u32>,
}

impl<'a> Groups<'a> {
    fn new(paradigm: u8, first: u32) -> Self {
        Groups { paradigm, next: first, by_members: FxHashMap::default() }
    }

    fn add(
        &mut self,
        name: u32,
        [v1_kind, kind]: [u8; 2],
        members: impl ExactSizeIterator<Item = u64>,
        records: &mut Records,
    ) -> u32 {
        let id = self.next;
        self.next += 1;
        let body = Body::default().u32(id).u32(name).u8(v1_kind).u32(members.len() as u32);
        let body = members.fold(body, Body::u64);
        records.push(definition::GROUP, body.u8(kind).u8(self.paradigm).u32(0));
        id
    }

    fn of_members(&mut self, name: u32, members: &'a [u32], records: &mut Records) -> u32 {
        if let Some(&id) = self.by_members.get(members) {
            return id;
        }
        let id = self.add(name, MEMBERS, members.iter().copied().map(u64::from), records);
        self.by_members.insert(members, id);
        id
    }
}
