//! Runs that differ only in ranks and threads, and the runs that they are compared with.

use super::{Engine, Listed, Run};

/// The place of a run among those that differ only in ranks and threads. Sequential runs come first, then the others by the
/// number of locations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Configuration {
    is_parallel: bool,
    locations: u64,
    /// The number of processes.
    pub ranks: u32,
    /// The most threads that a process had.
    pub threads: u32,
    /// The ranks, and threads of each, whose work a sequential run does; `None` if it is for all.
    pub of: Option<(u32, u32)>,
}

impl Configuration {
    /// Whether it is of the sequential program.
    pub fn is_sequential(&self) -> bool {
        !self.is_parallel
    }

    /// The index of the sequential run that this one is compared with: the one that does the same work, or else one that is
    /// for all.
    pub fn sequential(&self, runs: impl Iterator<Item = Configuration> + Clone) -> Option<usize> {
        let work = if self.is_parallel { Some((self.ranks, self.threads)) } else { self.of };
        let of = |work| runs.clone().position(|run| run.is_sequential() && run.of == work);
        of(work).or_else(|| of(None))
    }

    /// The index of the run that the speed-up of this one is over: the sequential one, or else the smallest.
    pub fn base(&self, runs: impl Iterator<Item = Configuration> + Clone) -> Option<usize> {
        let smallest = || {
            let parallel = runs.clone().enumerate().filter(|(_, run)| run.is_parallel);
            parallel.min_by_key(|(_, run)| *run).map(|(at, _)| at)
        };
        self.sequential(runs.clone()).or_else(smallest)
    }
}

impl Run {
    /// Its place among those that differ only in ranks and threads.
    pub fn configuration(&self) -> Configuration {
        let Run { ranks, threads, sequential, .. } = *self;
        let locations = u64::from(ranks) * u64::from(threads);
        Configuration { is_parallel: !sequential, locations, ranks, threads, of: self.work_of() }
    }

    fn work_of(&self) -> Option<(u32, u32)> {
        let [ranks, threads] = Run::SEQUENTIAL_OF.map(|name| self.parameters.get(name)?.parse().ok());
        self.sequential.then_some(())?;
        Some((ranks?, threads?))
    }
}

impl Listed {
    /// Everything but ranks, threads and repetition: the name of the curve over sizes that the run belongs to.
    pub fn curve(&self) -> String {
        let Listed { application, version, run, .. } = self;
        let is_own = |name: &str| run.work_of().is_none() || !Run::SEQUENTIAL_OF.contains(&name);
        let parameters = run.parameters.iter().filter(|(name, _)| is_own(name));
        let parameters = parameters.map(|(name, value)| format!("{name}={value}"));
        let own = Some(run.name.clone()).filter(|name| name != application);
        let engine = run.engine.filter(|engine| *engine == Engine::Virtual);
        let engine = engine.map(|engine| engine.name().to_owned());
        let parts = [application.clone(), version.clone()].into_iter().chain(own).chain(engine);
        parts.chain(parameters).collect::<Vec<_>>().join(" ")
    }

    /// The index of the run that it is compared with: of those with the same application, version and parameters the sequential
    /// one, or else the smallest.
    pub fn reference(&self, runs: &[Listed]) -> Option<usize> {
        let curve = self.curve();
        let comparable = (0..).zip(runs).filter(|(_, one)| one.curve() == curve);
        let (places, of): (Vec<usize>, Vec<Configuration>) =
            comparable.map(|(at, one)| (at, one.run.configuration())).unzip();
        self.run.configuration().base(of.into_iter()).map(|at| places[at])
    }

    /// Whether both are runs of the same program and size.
    pub fn is_repetition(&self, other: &Listed) -> bool {
        self.run.configuration() == other.run.configuration() && self.curve() == other.curve()
    }

    /// The values that tell it from other runs, by the names that conditions on experiments have for them.
    pub fn distinctions(&self) -> Vec<(&str, String)> {
        let Listed { application, version, run, .. } = self;
        let own = Some(&run.name).filter(|name| *name != application).cloned().unwrap_or_default();
        let engine = run.engine.map_or_else(String::new, |engine| engine.name().to_owned());
        let texts = [application.clone(), version.clone(), own, engine];
        let texts = ["application", "version", "name", "engine"].into_iter().zip(texts);
        let parameters = run.parameters.iter().map(|(name, value)| (name.as_str(), value.clone()));
        let numbers = [("ranks", run.ranks), ("threads", run.threads), ("repeat", run.repeat)];
        texts.chain(parameters).chain(numbers.map(|(name, number)| (name, number.to_string()))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run of the program, and one that does the work of so many ranks, or that of any, sequentially.
    fn parallel(ranks: u32, threads: u32) -> Run {
        Run { ranks, threads, ..Run::default() }
    }

    fn sequential(of: Option<(u32, u32)>) -> Run {
        let (ranks, threads) = of.unwrap_or((1, 1));
        let mut run = parallel(ranks, threads);
        run.by_one_unit();
        if of.is_none() {
            run.parameters.clear();
        }
        run
    }

    fn base(run: &Run, runs: &[Run]) -> Option<usize> {
        run.configuration().base(runs.iter().map(Run::configuration))
    }

    #[test]
    fn the_base_does_the_same_work_or_is_for_all_or_is_the_smallest() {
        let runs = [parallel(4, 2), sequential(None), sequential(Some((4, 2))), parallel(2, 2)];
        assert_eq!(base(&runs[0], &runs), Some(2));
        assert_eq!(base(&runs[3], &runs), Some(1));
        assert_eq!(base(&runs[1], &runs), Some(1));
        assert_eq!(base(&runs[2], &runs), Some(2));
        let [four, _, of_four, two] = runs;
        assert_eq!(base(&two, &[four.clone(), of_four.clone(), two.clone()]), Some(2));
        assert_eq!(two.configuration().sequential([of_four.configuration()].into_iter()), None);
        assert_eq!(base(&four, &[]), None);
    }

    #[test]
    fn sequential_runs_come_first_and_then_the_fewest_locations() {
        let mut runs = [parallel(2, 4), parallel(3, 1), sequential(Some((8, 1))), sequential(None)];
        runs.sort_by_key(Run::configuration);
        let shapes = runs.map(|run| (run.sequential, run.ranks, run.threads));
        assert_eq!(shapes, [(true, 1, 1), (true, 1, 1), (false, 3, 1), (false, 2, 4)]);
    }
}
