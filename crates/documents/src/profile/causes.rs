//! Costs of root causes, as metrics of a profile.

use std::collections::{BTreeMap, BTreeSet};

use super::{CallNode, Combine, Metric, Origin, Profile, ProfiledRegion};
use crate::Causes;
use ats_model::CallSite;
use ats_model::definitions::RegionRole;

/// The name of the region around a profile without one, if something was outside of all its regions.
const PROGRAM: &str = "PROGRAM";

impl Profile {
    /// Adds the metrics of root causes of the same run.
    ///
    /// Call paths lie below the program's region, if the profile has one. Where several calls of a name differ by their
    /// place in the source, and the cause does not say which it is, the first that the process has made has the value. Call
    /// paths that the profile lacks are added.
    pub fn add_causes(&mut self, causes: &Causes) {
        let values = || causes.metrics.values().flatten();
        let is_outside = |path: u32| causes.call_paths.get(path as usize).is_some_and(Vec::is_empty);
        let lacks_program = || self.programs().next().is_none();
        if values().any(|&(path, ..)| is_outside(path)) && lacks_program() {
            self.enclose();
        }
        let locations = self.units.iter().map(|unit| (unit.rank, unit.thread)).zip(0..);
        let locations: BTreeMap<(u32, u32), u32> = locations.collect();
        let mut places = Places::new(self);
        let mut metrics = Vec::new();
        for (name, values) in &causes.metrics {
            let mut sums: BTreeMap<(u32, u32), f64> = BTreeMap::new();
            for &(path, unit, value) in values {
                let place = causes.place(path);
                let unit = causes.units.get(unit as usize).map(|unit| (unit.rank, unit.thread));
                let (Some(place), Some(unit)) = (place, unit) else { continue };
                let Some(path) = places.path(self, place, (path, unit.0)) else { continue };
                let Some(&unit) = locations.get(&unit) else { continue };
                *sums.entry((path, unit)).or_default() += value;
            }
            metrics.push((name, sums.into_iter().map(|((path, unit), value)| (path, unit, value)).collect()));
        }
        for (name, values) in metrics {
            if !self.values.contains_key(name) {
                self.metrics.push(Metric::new(name, "s", Origin::Derived, Combine::Sum));
                self.values.insert(name.clone(), values);
            }
        }
    }

    /// The outermost call paths that are programs.
    fn programs(&self) -> impl Iterator<Item = &CallNode> {
        let role = |node: &CallNode| self.regions[node.region as usize].role;
        self.call_tree
            .iter()
            .filter(move |node| node.parent.is_none() && role(node) == RegionRole::Artificial)
    }

    /// Puts a region of the program around all call paths, with these seconds of units outside of all regions.
    pub fn add_program(&mut self, seconds: &[(u32, f64)]) {
        self.enclose();
        for (name, unit, factor) in [(Profile::TIME, "s", 1.0), (Profile::VISITS, "occ", 0.0)] {
            if !self.values.contains_key(name) {
                self.metrics.push(Metric::new(name, unit, Origin::Measured, Combine::Sum));
            }
            let values = seconds.iter().map(|&(unit, seconds)| (0, unit, seconds * factor));
            self.values.entry(name.to_owned()).or_default().memory().splice(0..0, values);
        }
    }

    /// Puts a region of the program around all call paths.
    fn enclose(&mut self) {
        let region = self.regions.len() as u32;
        self.regions.push(ProfiledRegion {
            id: region,
            name: PROGRAM.to_owned(),
            role: RegionRole::Artificial,
            ..ProfiledRegion::default()
        });
        for node in &mut self.call_tree {
            node.id += 1;
            node.parent = Some(node.parent.map_or(0, |parent| parent + 1));
        }
        self.call_tree.insert(0, CallNode { id: 0, parent: None, region });
        self.values.values_mut().flat_map(super::Values::memory).for_each(|(path, ..)| *path += 1);
        self.samples.iter_mut().for_each(|sampled| sampled.call_path += 1);
    }
}

/// The call paths of a profile by name.
struct Places {
    /// By parent and name, the call paths in the order of the profile.
    inside: BTreeMap<(Option<u32>, String), Vec<u32>>,
    /// The program of each rank.
    programs: BTreeMap<u32, u32>,
    /// The call path of a cause's call path and a rank, as far as it is known.
    known: BTreeMap<(u32, u32), Option<u32>>,
    /// The call paths that processes have been in, by rank.
    visited: BTreeSet<(u32, u32)>,
}

impl Places {
    fn new(profile: &Profile) -> Self {
        let visited: BTreeSet<(u32, u32)> = profile
            .values_of(Profile::TIME)
            .map(|(path, unit, _)| (path, profile.units[unit as usize].rank))
            .collect();
        let mut inside: BTreeMap<_, Vec<u32>> = BTreeMap::new();
        for node in &profile.call_tree {
            let name = profile.regions[node.region as usize].name.clone();
            inside.entry((node.parent, name)).or_default().push(node.id);
        }
        let programs: Vec<u32> = profile.programs().map(|node| node.id).collect();
        let mut of_ranks = BTreeMap::new();
        for rank in profile.units.iter().map(|unit| unit.rank) {
            let own = programs.iter().find(|&&program| visited.contains(&(program, rank)));
            if let Some(&program) = own.or(programs.first()) {
                of_ranks.insert(rank, program);
            }
        }
        Places { inside, programs: of_ranks, known: BTreeMap::new(), visited }
    }

    /// The call path of these names and this call site on a rank, created if it does not exist; `None` outside all regions,
    /// if no program is around them.
    fn path(
        &mut self,
        profile: &mut Profile,
        (names, site): (&[String], Option<&CallSite>),
        (number, rank): (u32, u32),
    ) -> Option<u32> {
        if let Some(&known) = self.known.get(&(number, rank)) {
            return known;
        }
        let mut path = self.programs.get(&rank).copied();
        for name in names {
            let inside = self.inside.entry((path, name.clone())).or_default();
            let is_there = |one: &&u32| {
                let own =
                    profile.regions[profile.call_tree[**one as usize].region as usize].call_site.as_ref();
                site.is_none() || own.is_none_or(|own| Some(own) == site)
            };
            let visited = inside.iter().filter(is_there).find(|&&one| self.visited.contains(&(one, rank)));
            path = Some(match visited.or(inside.iter().find(is_there)) {
                Some(&path) => path,
                None => {
                    let added = add(profile, path, name);
                    inside.push(added);
                    added
                }
            });
        }
        self.known.insert((number, rank), path);
        path
    }
}

/// Adds a call path to a profile.
fn add(profile: &mut Profile, parent: Option<u32>, name: &str) -> u32 {
    let known = profile.regions.iter().find(|region| region.name == name).map(|region| region.id);
    let region = known.unwrap_or_else(|| {
        let id = profile.regions.len() as u32;
        profile.regions.push(ProfiledRegion { id, name: name.to_owned(), ..ProfiledRegion::default() });
        id
    });
    let id = profile.call_tree.len() as u32;
    profile.call_tree.push(CallNode { id, parent, region });
    id
}

#[cfg(test)]
mod tests {
    use super::super::ProcessingUnit;
    use super::*;

    /// `main` calls `work` on rank 0, and `work` on rank 1 from another place; in a program, if it is given.
    fn profile(program: Option<&str>) -> Profile {
        let mut profile = Profile::new("test");
        profile.units = [0, 1].map(|rank| ProcessingUnit { rank, thread: 0, node: None }).to_vec();
        let names = program.into_iter().chain(["main", "work", "work"]);
        let role =
            |name: &str| if program == Some(name) { RegionRole::Artificial } else { RegionRole::default() };
        let region = |(id, name): (u32, &str)| ProfiledRegion {
            id,
            name: name.to_owned(),
            role: role(name),
            ..ProfiledRegion::default()
        };
        profile.regions = (0..).zip(names).map(region).collect();
        let main = u32::from(program.is_some());
        let node = |id, parent| CallNode { id, parent, region: id };
        profile.call_tree = program.map(|_| node(0, None)).into_iter().collect();
        profile.call_tree.push(node(main, (main > 0).then_some(0)));
        profile.call_tree.extend([1, 2].map(|inner| node(main + inner, Some(main))));
        let time = [(main, 0, 1.0), (main + 1, 0, 2.0), (main, 1, 1.0), (main + 2, 1, 2.0)];
        profile.values.insert(Profile::TIME.to_owned(), time.to_vec().into());
        profile
    }

    fn causes(paths: &[&[&str]], values: &[(u32, u32, f64)]) -> Causes {
        Causes {
            // Not in the order of the profile.
            units: [1, 0].map(|rank| ProcessingUnit { rank, thread: 0, node: None }).to_vec(),
            call_paths: paths
                .iter()
                .map(|path| path.iter().map(|name| (*name).to_owned()).collect())
                .collect(),
            metrics: [("delay_barrier".to_owned(), values.to_vec())].into(),
            ..Causes::default()
        }
    }

    /// The costs by the names of the call path, and the rank.
    fn costs(profile: &Profile) -> Vec<(String, u32, f64)> {
        let cost = |(path, unit, value): (u32, u32, f64)| {
            (profile.path(path).join("/"), profile.units[unit as usize].rank, value)
        };
        profile.values["delay_barrier"].iter().map(cost).collect()
    }

    #[test]
    fn costs_are_where_the_process_was() {
        for program in [None, Some("a.out")] {
            let mut profile = profile(program);
            let before = profile.call_tree.len();
            let values = [(0, 0, 0.5), (0, 1, 0.25), (1, 1, 1.0), (9, 0, 1.0), (0, 9, 1.0)];
            profile.add_causes(&causes(&[&["main", "work"], &["main", "new"]], &values));
            let root = program.map(|name| format!("{name}/")).unwrap_or_default();
            let at = |path: &str, rank, cost| (format!("{root}main/{path}"), rank, cost);
            assert_eq!(costs(&profile), [at("work", 0, 0.25), at("work", 1, 0.5), at("new", 0, 1.0)]);
            let [first, second] = [0, 1].map(|at| profile.values_of("delay_barrier").nth(at).unwrap().0);
            assert_eq!((first + 1, profile.call_tree.len()), (second, before + 1));
            assert_eq!(profile.metrics.last().map(|metric| metric.name.as_str()), Some("delay_barrier"));
        }
    }

    #[test]
    fn time_outside_all_regions_is_the_programs() {
        let outside = causes(&[&[], &["main"]], &[(0, 0, 0.5), (1, 0, 0.25)]);
        for (program, name) in [(None, "PROGRAM"), (Some("a.out"), "a.out")] {
            let mut profile = profile(program);
            let time = profile.inclusive(Profile::TIME, |_| true);
            profile.add_causes(&outside);
            let costs = costs(&profile);
            assert_eq!(costs, [(name.to_owned(), 1, 0.5), (format!("{name}/main"), 1, 0.25)]);
            let whole = profile.inclusive(Profile::TIME, |_| true);
            assert_eq!(whole[whole.len() - 3..], time[time.len() - 3..]);
            assert!((0..).zip(&profile.call_tree).all(|(id, node)| node.id == id && node.parent < Some(id)));
        }
    }
}
