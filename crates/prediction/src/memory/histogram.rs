//! Histograms of stack distances, and the misses of caches that they give.

use ats_documents::memory::Estimate;
use rustc_hash::FxHashMap;

/// The distances that have a counter each without search: those of a cache of 64 MiB with lines of 64 bytes.
const NEAR: u64 = 1 << 20;

/// The random groups that sampled lines are divided into. Their differences give the error, to a sixth of itself.
pub(super) const GROUPS: usize = 16;

/// The standard errors on each side of an estimate: 95 % of a normal distribution. With 16 groups Student's t takes its place.
const STUDENT: f64 = 2.13;

/// The powers of two that a distance may have.
const POWERS: usize = 64;

/// A sampled line: its group, and the number of lines that it stands for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sampled {
    pub(super) group: usize,
    pub(super) weight: u64,
}

/// The references of a region by their stack distances.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    /// All references, sampled or not.
    references: u64,
    cold: u64,
    near: Vec<u64>,
    far: FxHashMap<u64, u64>,
    /// The sampled references of each group whose distance has each power of two; the last are cold.
    groups: Option<Box<[[f64; POWERS + 1]; GROUPS]>>,
    /// The lines that a sampled line stands for at last.
    weight: u64,
}

impl Histogram {
    /// The number of references.
    pub(super) fn references(&self) -> u64 {
        self.references
    }

    /// Counts a reference whose distance is not asked for.
    #[inline]
    pub(super) fn pass(&mut self) {
        self.references += 1;
    }

    /// Counts a reference to a line that was used so many others ago, or never.
    #[inline]
    pub fn add(&mut self, distance: Option<u64>) {
        self.references += 1;
        self.weigh(distance, 1);
    }

    /// Counts a reference that stands for others, too.
    pub(super) fn add_sampled(&mut self, distance: Option<u64>, of: Sampled) {
        self.references += 1;
        self.weigh(distance, of.weight);
        self.weight = of.weight;
        let power = distance.map_or(POWERS, |distance| distance.checked_ilog2().unwrap_or(0) as usize);
        let groups = self.groups.get_or_insert_with(|| Box::new([[0.0; POWERS + 1]; GROUPS]));
        groups[of.group][power] += of.weight as f64;
    }

    fn weigh(&mut self, distance: Option<u64>, weight: u64) {
        match distance {
            None => self.cold += weight,
            Some(distance) if distance < NEAR => {
                let at = distance as usize;
                if at >= self.near.len() {
                    self.near.resize((at + 1).next_power_of_two(), 0);
                }
                self.near[at] += weight;
            }
            Some(distance) => *self.far.entry(distance).or_default() += weight,
        }
    }

    /// Adds the references of another region.
    pub fn merge(&mut self, other: &Histogram) {
        self.references += other.references;
        self.cold += other.cold;
        self.weight = self.weight.max(other.weight);
        if self.near.len() < other.near.len() {
            self.near.resize(other.near.len(), 0);
        }
        self.near.iter_mut().zip(&other.near).for_each(|(sum, number)| *sum += number);
        for (&distance, number) in &other.far {
            *self.far.entry(distance).or_default() += number;
        }
        if let Some(other) = &other.groups {
            let groups = self.groups.get_or_insert_with(|| Box::new([[0.0; POWERS + 1]; GROUPS]));
            let sums = groups.as_flattened_mut().iter_mut();
            sums.zip(other.as_flattened()).for_each(|(sum, number)| *sum += number);
        }
    }

    /// The misses that it gives for caches of every size.
    pub fn misses(&self) -> Misses {
        let near = self.near.iter().enumerate().map(|(distance, &number)| (distance as u64, number));
        let mut far: Vec<(u64, u64)> =
            self.far.iter().map(|(&distance, &number)| (distance, number)).collect();
        far.sort_unstable();
        let numbers: Vec<(u64, u64)> = near.chain(far).filter(|(_, number)| *number > 0).collect();
        let mut beyond = self.cold;
        let mut from: Vec<u64> = numbers
            .iter()
            .rev()
            .map(|(_, number)| {
                beyond += number;
                beyond
            })
            .collect();
        from.reverse();
        from.push(self.cold);
        Misses {
            references: self.references,
            numbers,
            from,
            groups: self.groups.clone(),
            weight: self.weight.max(1),
        }
    }
}

/// The misses of caches that replace the line which was not used for longest.
#[derive(Clone, Debug)]
pub struct Misses {
    references: u64,
    /// Distances that there are, rising, and the number of references with each.
    numbers: Vec<(u64, u64)>,
    /// The references with the distance at the same place or a longer one; last the cold ones.
    from: Vec<u64>,
    groups: Option<Box<[[f64; POWERS + 1]; GROUPS]>>,
    weight: u64,
}

impl Misses {
    /// The number of references.
    pub fn references(&self) -> u64 {
        self.references
    }

    /// The first references to each line, which miss in every cache.
    pub fn cold(&self) -> Estimate {
        self.within(self.cold_number() as f64, self.standard_error(POWERS))
    }

    /// The fewest lines of a cache in which only the cold references miss.
    pub fn enough_lines(&self) -> u64 {
        self.numbers.last().map_or(1, |(distance, _)| distance + 1)
    }

    /// The misses of a fully associative cache of so many lines.
    pub fn fully_associative(&self, lines: u64) -> Estimate {
        let number = self.number_from(lines);
        if self.groups.is_none() {
            return Estimate::exact(number as f64);
        }
        // A distance is a count of sampled lines; it has their random error, too.
        let blur = STUDENT * (lines as f64 * self.weight as f64).sqrt();
        let [least, most] =
            [lines as f64 + blur, (lines as f64 - blur).max(0.0)].map(|lines| self.number_from(lines as u64));
        let error = STUDENT * self.standard_error(lines.checked_ilog2().unwrap_or(0) as usize);
        self.bounded(number as f64, least as f64 - error, most as f64 + error)
    }

    /// The misses of a cache whose lines go to its sets at random: of the others since the last use, at least as many as there
    /// are ways have to be in the line's set (Smith 1978, Hill and Smith 1989).
    pub fn set_associative(&self, sets: u64, ways: u64) -> Estimate {
        let cold = self.cold_number() as f64;
        let warm =
            self.numbers.iter().map(|&(distance, number)| number as f64 * conflict(distance, sets, ways));
        let number = cold + warm.sum::<f64>();
        let whole = self.fully_associative(sets * ways);
        self.bounded(number, number - (whole.value - whole.least), number + (whole.most - whole.value))
    }

    fn cold_number(&self) -> u64 {
        *self.from.last().unwrap_or(&0)
    }

    /// The references with this distance or a longer one.
    fn number_from(&self, distance: u64) -> u64 {
        let at = self.numbers.partition_point(|&(shorter, _)| shorter < distance);
        self.from.get(at).copied().unwrap_or(0)
    }

    /// The standard error of the references with this power of two or a higher one, by the spread over groups.
    fn standard_error(&self, power: usize) -> f64 {
        let Some(groups) = &self.groups else { return 0.0 };
        let sums: Vec<f64> = groups.iter().map(|group| group[power..].iter().sum()).collect();
        let mean = sums.iter().sum::<f64>() / GROUPS as f64;
        let squares: f64 = sums.iter().map(|sum| (sum - mean).powi(2)).sum();
        (squares * GROUPS as f64 / (GROUPS as f64 - 1.0)).sqrt()
    }

    fn within(&self, value: f64, error: f64) -> Estimate {
        self.bounded(value, value - STUDENT * error, value + STUDENT * error)
    }

    /// An estimate within what is possible: no more misses than references.
    fn bounded(&self, value: f64, least: f64, most: f64) -> Estimate {
        let [value, least, most] = [value, least, most].map(|of| of.clamp(0.0, self.references as f64));
        Estimate { value, least, most }
    }
}

/// The probability that at least `ways` of `distance` other lines are in the same one of `sets` sets.
fn conflict(distance: u64, sets: u64, ways: u64) -> f64 {
    if distance < ways {
        return 0.0;
    }
    if sets == 1 {
        return 1.0;
    }
    // In logarithms, as the first terms of long distances are below the smallest number.
    let others = (sets - 1) as f64;
    let mut term = distance as f64 * (others / sets as f64).ln();
    let mut fewer = term.exp();
    for there in 0..ways - 1 {
        term += ((distance - there) as f64 / (there + 1) as f64 / others).ln();
        fewer += term.exp();
    }
    (1.0 - fewer).max(0.0)
}
