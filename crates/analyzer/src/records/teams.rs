//! The instances of a process's teams: their forks, their members, and the places that their call paths continue.
//!
//! Teams of equal members may share a definition. The instances of one are told apart by order: the k-th begin of a
//! team on one location and the k-th on another are the same.

use ats_model::{CallPathId, Definitions, event::TeamRef, groups::Interner};
use rustc_hash::FxHashMap;

use crate::{
    records::threads::{Fork, Membership, Progress, Threads},
    words::{
        damage::{Damage, Damages},
        place::{Base, Place},
    },
};

/// A location's membership: its number in [`ThreadedProcess::threads`] and an index into its memberships.
pub(crate) type Member = (usize, usize);

/// A process with threads.
pub(crate) struct ThreadedProcess<'a> {
    /// Indices into the trace's locations; the main thread is the first.
    pub(crate) locations: &'a [usize],
    pub(crate) threads: Vec<Threads>,
    pub(crate) progress: Progress,
    pub(crate) instances: Vec<Instance>,
    /// The index into `instances` of each thread's memberships.
    pub(crate) instance_of: Vec<Vec<u32>>,
    /// For each thread, the places that its paths continue.
    bases: &'a mut [Interner<Place>],
}

/// An instance of a team.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instance {
    pub(crate) team: TeamRef,
    /// The number of locations that take part.
    pub(crate) members: u32,
    pub(crate) first: Member,
    pub(crate) master: Option<Member>,
    /// The instance that the master was in when it started this one.
    pub(crate) outer: Option<u32>,
    /// The most barriers that a member has entered.
    pub(crate) barriers: u32,
    /// Whether no further member can come.
    pub(crate) is_complete: bool,
    /// Whether it and all inside it are over.
    pub(crate) is_over: bool,
}

impl<'a> ThreadedProcess<'a> {
    /// Finds the instances and the places of their starts. The places in `threads` get the bases that are known; also
    /// returns these, by thread and membership. `bases` has those known before.
    pub(crate) fn new(
        definitions: &Definitions,
        locations: &'a [usize],
        threads: Vec<Threads>,
        progress: Progress,
        bases: &'a mut [Interner<Place>],
        damages: &mut Damages,
    ) -> (Self, Vec<Vec<Base>>) {
        let (instances, instance_of) = instances(&threads);
        let mut process = ThreadedProcess { locations, threads, progress, instances, instance_of, bases };
        process.find_outer_instances();
        process.find_complete(definitions);
        let origins = process.find_origins(damages);
        process.find_over(&origins);
        process.note_missing(definitions, damages);
        let known = process.resolve_bases(&origins);
        (process, known)
    }

    pub(crate) fn membership(&self, (thread, membership): Member) -> &Membership {
        &self.threads[thread].memberships[membership]
    }

    pub(crate) fn fork(&self, instance: &Instance) -> Option<&Fork> {
        let master = instance.master?;
        let fork = self.membership(master).fork?;
        Some(&self.threads[master.0].forks[fork as usize])
    }

    /// The place with the path of `place` on another thread, which has spent nothing else there.
    pub(crate) fn elsewhere(&mut self, thread: usize, place: Place) -> Place {
        elsewhere(self.locations, self.bases, thread, place)
    }

    fn find_outer_instances(&mut self) {
        for index in 0..self.instances.len() {
            let Some(master) = self.instances[index].master else { continue };
            let outer = self.membership(master).outer;
            self.instances[index].outer = outer.map(|outer| self.instance_of[master.0][outer as usize]);
        }
    }

    fn find_complete(&mut self, definitions: &Definitions) {
        for instance in &mut self.instances {
            instance.is_complete =
                self.progress.is_end || instance.members as usize == defined_members(definitions, instance);
        }
    }

    /// Adds the instances that are over: those over and known to the end whose inner instances are over, too.
    fn find_over(&mut self, origins: &[Origin]) {
        let mut is_over: Vec<bool> = origins.iter().map(|origin| !matches!(origin, Origin::NotYet)).collect();
        for ((open, instance_of), threads) in
            self.progress.open.iter().zip(&self.instance_of).zip(&self.threads)
        {
            // A barrier that has lost its leave may outlast its membership.
            let around = |&barrier: &u32| threads.barriers[barrier as usize].membership;
            let memberships = open.memberships.iter().copied().chain(open.barriers.iter().map(around));
            memberships.for_each(|open| is_over[instance_of[open as usize] as usize] = false);
        }
        for (instance, is_over) in self.instances.iter().zip(&mut is_over) {
            if let Some((thread, membership)) = instance.master
                && let Some(fork) = self.threads[thread].memberships[membership].fork
            {
                *is_over &= !self.progress.open[thread].forks.contains(&fork);
            }
        }
        let open: Vec<usize> = (0..is_over.len()).filter(|&instance| !is_over[instance]).collect();
        for instance in open {
            let mut outer = self.instances[instance].outer;
            while let Some(around) = outer.filter(|&outer| is_over[outer as usize]) {
                is_over[around as usize] = false;
                outer = self.instances[around as usize].outer;
            }
        }
        for (instance, is_over) in self.instances.iter_mut().zip(is_over) {
            instance.is_over = is_over;
        }
    }

    fn note_missing(&self, definitions: &Definitions, damages: &mut Damages) {
        for instance in self.instances.iter().filter(|instance| instance.is_over) {
            let (thread, membership) = instance.master.unwrap_or(instance.first);
            let location = self.locations[thread];
            let begin = self.membership((thread, membership)).begin;
            if (instance.members as usize) < defined_members(definitions, instance) {
                damages.add(Damage::TeamMemberMissing, location, begin);
            }
            match self.fork(instance) {
                None => damages.add(Damage::TeamWithoutFork, location, begin),
                Some(fork) if fork.join.is_none() => damages.add(Damage::JoinMissing, location, fork.time),
                _ => {}
            }
        }
    }

    /// The places where the instances were started, from the outermost ones inwards.
    fn find_origins(&mut self, damages: &mut Damages) -> Vec<Origin> {
        let mut origins = vec![Origin::Unknown; self.instances.len()];
        for instance in 0..self.instances.len() {
            self.find_origin(instance, &mut origins, damages);
        }
        origins
    }

    /// Gives every place the base that it is known to have.
    fn resolve_bases(&mut self, origins: &[Origin]) -> Vec<Vec<Base>> {
        let known: Vec<Vec<Base>> =
            (0..self.threads.len()).map(|thread| self.bases_of_memberships(thread, origins)).collect();
        for (threads, known) in self.threads.iter_mut().zip(&known) {
            threads.places_mut().for_each(|place| place.base = place.base.renumbered(known));
        }
        known
    }

    fn bases_of_memberships(&mut self, thread: usize, origins: &[Origin]) -> Vec<Base> {
        let mut kept = 0;
        let base = |instance: &u32| {
            let membership = Base::of_membership(kept);
            kept += u32::from(!self.instances[*instance as usize].is_over);
            match origins[*instance as usize] {
                Origin::At(place) => Base::of_place(self.bases[thread].number(place)),
                Origin::NotYet => membership,
                _ => Base::NOTHING,
            }
        };
        self.instance_of[thread].iter().map(base).collect()
    }

    /// Finds the place where an instance was started, and before that those of the instances around it. Instances
    /// around each other, as only a damaged trace has them, were started nowhere.
    fn find_origin(&mut self, instance: usize, origins: &mut [Origin], damages: &mut Damages) {
        let mut chain = vec![instance];
        while let Some(&innermost) = chain.last() {
            let Instance { master, is_complete, .. } = self.instances[innermost];
            let Some(master) = master.filter(|_| is_complete) else {
                origins[innermost] = if is_complete { Origin::Nowhere } else { Origin::NotYet };
                chain.pop();
                continue;
            };
            let place = self.membership(master).place;
            let around = place.base.membership().map(|outer| self.instance_of[master.0][outer] as usize);
            if let (Some(around), Origin::Unknown) = (around, origins[innermost]) {
                origins[innermost] = Origin::Asked;
                if matches!(origins[around], Origin::Unknown) {
                    chain.push(around);
                    continue;
                }
            }
            origins[innermost] = match around.map(|around| origins[around]) {
                Some(Origin::Asked) if self.progress.is_end => {
                    let begin = self.membership(master).begin;
                    damages.add(Damage::TeamsAroundEachOther, self.locations[master.0], begin);
                    Origin::Nowhere
                }
                Some(Origin::Asked | Origin::NotYet) => Origin::NotYet,
                Some(Origin::At(around)) => {
                    let base = Base::of_place(self.bases[master.0].number(around));
                    Origin::At(Place { base, ..place })
                }
                Some(Origin::Nowhere | Origin::Unknown) => Origin::At(Place { base: Base::NOTHING, ..place }),
                None => Origin::At(place),
            };
            chain.pop();
        }
    }
}

/// See [`ThreadedProcess::elsewhere`].
pub(crate) fn elsewhere(
    locations: &[usize],
    bases: &mut [Interner<Place>],
    thread: usize,
    place: Place,
) -> Place {
    let base = Base::of_place(bases[thread].number(place));
    Place { location: locations[thread] as u32, path: CallPathId::ROOT, base }
}

/// The place where an instance was started.
#[derive(Clone, Copy)]
enum Origin {
    Unknown,
    /// The search for it is under way.
    Asked,
    /// It is not read yet.
    NotYet,
    Nowhere,
    At(Place),
}

fn defined_members(definitions: &Definitions, instance: &Instance) -> usize {
    definitions.teams.get(instance.team.0 as usize).map_or(0, |team| team.members.len())
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
                    is_complete: false,
                    is_over: false,
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
