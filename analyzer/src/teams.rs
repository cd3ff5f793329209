//! The instances of a process's teams: which fork, which members, and where their call paths go on.
//!
//! Teams of equal members may share a definition. The instances of one are told apart by order: the k-th begin of a
//! team on one location and the k-th on another are the same.

use ats_model::{CallPathId, Definitions, event::TeamRef};
use rustc_hash::FxHashMap;

use crate::{
    damage::{Damage, Damages},
    groups::Interner,
    process::Place,
    threads::{Fork, Membership, Threads},
};

/// A location's membership: its number in [`Team::threads`] and an index into its memberships.
pub(crate) type Member = (usize, usize);

/// A process with threads.
pub(crate) struct ThreadedProcess {
    /// Indices into the trace's locations; the main thread is the first.
    pub(crate) locations: Vec<usize>,
    pub(crate) threads: Vec<Threads>,
    pub(crate) instances: Vec<Instance>,
    /// By thread and membership: index into `instances`.
    pub(crate) instance_of: Vec<Vec<u32>>,
    /// By thread, what its paths continue.
    pub(crate) bases: Vec<Interner<Place>>,
}

/// An instance of a team.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instance {
    pub(crate) team: TeamRef,
    /// How many locations take part.
    pub(crate) members: u32,
    pub(crate) first: Member,
    pub(crate) master: Option<Member>,
    /// The instance that the master was in when it started this one.
    pub(crate) outer: Option<u32>,
    /// The most barriers that a member has entered.
    pub(crate) barriers: u32,
}

/// What the bases of pass 1 are called when all locations are known.
pub(crate) type Renumbering = Vec<u32>;

impl ThreadedProcess {
    /// Finds the instances and where they were started. The places in `threads` and, by the renumbering of each thread, all
    /// other places of its location get bases that hold for the whole process.
    pub(crate) fn new(
        definitions: &Definitions,
        locations: Vec<usize>,
        threads: Vec<Threads>,
        damages: &mut Damages,
    ) -> (Self, Vec<Renumbering>) {
        let bases = threads.iter().map(|_| Interner::default()).collect();
        let (instances, instance_of) = instances(&threads);
        let mut process = ThreadedProcess { locations, threads, instances, instance_of, bases };
        process.find_outer_instances();
        process.note_missing(definitions, damages);
        let renumberings = process.resolve_bases(damages);
        (process, renumberings)
    }

    pub(crate) fn membership(&self, (thread, membership): Member) -> &Membership {
        &self.threads[thread].memberships[membership]
    }

    pub(crate) fn fork(&self, instance: &Instance) -> Option<&Fork> {
        let master = instance.master?;
        let fork = self.membership(master).fork?;
        Some(&self.threads[master.0].forks[fork as usize])
    }

    /// The place on a thread where nothing is but what `place` is the path of.
    pub(crate) fn elsewhere(&mut self, thread: usize, place: Place) -> Place {
        let base = self.bases[thread].number(place) + 1;
        Place { location: self.locations[thread] as u32, path: CallPathId::ROOT, base }
    }

    fn find_outer_instances(&mut self) {
        for index in 0..self.instances.len() {
            let Some(master) = self.instances[index].master else { continue };
            let outer = self.membership(master).outer;
            self.instances[index].outer = outer.map(|outer| self.instance_of[master.0][outer as usize]);
        }
    }

    fn note_missing(&self, definitions: &Definitions, damages: &mut Damages) {
        for instance in &self.instances {
            let (thread, membership) = instance.master.unwrap_or(instance.first);
            let location = self.locations[thread];
            let begin = self.membership((thread, membership)).begin;
            let defined =
                definitions.teams.get(instance.team.0 as usize).map_or(0, |team| team.members.len());
            if (instance.members as usize) < defined {
                damages.add(Damage::TeamMemberMissing, location, begin);
            }
            match self.fork(instance) {
                None => damages.add(Damage::TeamWithoutFork, location, begin),
                Some(fork) if fork.join.is_none() => damages.add(Damage::JoinMissing, location, fork.time),
                _ => {}
            }
        }
    }

    /// Gives every place a base that holds for the whole process, from the outermost teams inwards.
    fn resolve_bases(&mut self, damages: &mut Damages) -> Vec<Renumbering> {
        let mut origins = vec![Origin::Unknown; self.instances.len()];
        for instance in 0..self.instances.len() {
            self.find_origin(instance, &mut origins, damages);
        }
        let renumberings: Vec<Renumbering> = (0..self.threads.len())
            .map(|thread| {
                let memberships = self.threads[thread].memberships.len() as u32;
                (0..=memberships).map(|base| self.renumbered(thread, base, &origins)).collect()
            })
            .collect();
        for (threads, renumbering) in self.threads.iter_mut().zip(&renumberings) {
            threads.places_mut().for_each(|place| place.base = renumbering[place.base as usize]);
        }
        renumberings
    }

    /// Finds where an instance was started, and before that where those around it were. Instances around each other, as
    /// only a damaged trace has them, were started nowhere.
    fn find_origin(&mut self, instance: usize, origins: &mut [Origin], damages: &mut Damages) {
        let mut chain = vec![instance];
        while let Some(&innermost) = chain.last() {
            let Some(master) = self.instances[innermost].master else {
                origins[innermost] = Origin::Nowhere;
                chain.pop();
                continue;
            };
            let place = self.membership(master).place;
            let around =
                place.base.checked_sub(1).map(|outer| self.instance_of[master.0][outer as usize] as usize);
            if let (Some(around), Origin::Unknown) = (around, origins[innermost]) {
                origins[innermost] = Origin::Asked;
                if matches!(origins[around], Origin::Unknown) {
                    chain.push(around);
                    continue;
                }
            }
            origins[innermost] = match around.map(|around| origins[around]) {
                Some(Origin::Asked) => {
                    let begin = self.membership(master).begin;
                    damages.add(Damage::TeamsAroundEachOther, self.locations[master.0], begin);
                    Origin::Nowhere
                }
                _ => Origin::At(Place { base: self.renumbered(master.0, place.base, origins), ..place }),
            };
            chain.pop();
        }
    }

    /// The base of pass 1 as one that holds for the whole process.
    fn renumbered(&mut self, thread: usize, base: u32, origins: &[Origin]) -> u32 {
        let Some(membership) = base.checked_sub(1) else { return 0 };
        match origins[self.instance_of[thread][membership as usize] as usize] {
            Origin::At(place) => self.bases[thread].number(place) + 1,
            _ => 0,
        }
    }
}

/// Where an instance was started.
#[derive(Clone, Copy)]
enum Origin {
    Unknown,
    /// It is being looked for.
    Asked,
    Nowhere,
    At(Place),
}

fn instances(threads: &[Threads]) -> (Vec<Instance>, Vec<Vec<u32>>) {
    let mut instances: Vec<Instance> = Vec::new();
    let mut of_team: FxHashMap<TeamRef, Vec<u32>> = FxHashMap::default();
    let mut instance_of = Vec::new();
    for (thread, threads) in threads.iter().enumerate() {
        let mut begun: FxHashMap<TeamRef, usize> = FxHashMap::default();
        let number = |(index, membership): (usize, &Membership)| {
            let of_team = of_team.entry(membership.team).or_default();
            let order = begun.entry(membership.team).or_default();
            if *order == of_team.len() {
                of_team.push(instances.len() as u32);
                instances.push(Instance {
                    team: membership.team,
                    members: 0,
                    first: (thread, index),
                    master: None,
                    outer: None,
                    barriers: 0,
                });
            }
            let number = of_team[*order];
            *order += 1;
            let instance = &mut instances[number as usize];
            instance.members += 1;
            instance.barriers = instance.barriers.max(membership.barriers);
            if membership.is_master && (instance.master.is_none() || membership.fork.is_some()) {
                instance.master = Some((thread, index));
            }
            number
        };
        instance_of.push(threads.memberships.iter().enumerate().map(number).collect());
    }
    (instances, instance_of)
}
