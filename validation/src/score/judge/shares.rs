//! The locations that wait, with their shares, and whether two such answers agree.

use std::collections::BTreeMap;

use ats_documents::finding::LocationShare;
use ats_model::locations::Location;

/// Seconds by rank and thread.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Shares(BTreeMap<(u32, u32), f64>);

/// A location counts if it waits for more than this part of what the location with the most waits.
const MEANINGFUL: f64 = 0.01;

impl Shares {
    pub(super) fn add(&mut self, shares: &[LocationShare]) {
        for share in shares {
            *self.0.entry((share.rank, share.thread)).or_default() += share.waiting_time;
        }
    }

    pub(super) fn total(&self) -> f64 {
        self.0.values().fold(0.0, |sum, share| sum + share)
    }

    /// The locations with a meaningful share.
    pub(super) fn waiting(&self, noise: f64) -> Vec<Location> {
        let limit = self.limit(noise);
        let meaningful = self.0.iter().filter(|&(_, &share)| share > limit);
        meaningful.map(|(&(rank, thread), _)| Location { rank, thread }).collect()
    }

    /// The same with the threads of every process in the order of their shares, the largest first: what remains where
    /// threads may have changed places.
    pub(super) fn exchanged(&self) -> Shares {
        let mut by_rank: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for (&(rank, _), &share) in &self.0 {
            by_rank.entry(rank).or_default().push(share);
        }
        let numbered = |(rank, mut shares): (u32, Vec<f64>)| {
            shares.sort_by(|a, b| b.total_cmp(a));
            (0..).zip(shares).map(move |(thread, share)| ((rank, thread), share))
        };
        Shares(by_rank.into_iter().flat_map(numbered).collect())
    }

    /// Whether the same locations wait: none has a meaningful share in one and less than half of that in the other,
    /// unless the two are no further apart than the largest share may be off: what holds up the last to arrive adds as
    /// much to the smallest wait as to the largest.
    ///
    /// `noise` is the seconds below which no share is meaningful.
    pub(super) fn same_locations(&self, other: &Shares, noise: f64, relative: f64) -> bool {
        self.covered_by(other, noise, relative) && other.covered_by(self, noise, relative)
    }

    /// Whether the same threads may wait, if those of a process change places: where they do so from one repetition to
    /// the next, more of them wait than in a single one, but never fewer.
    pub(super) fn same_but_exchanged(&self, other: &Shares, noise: f64, relative: f64) -> bool {
        let by_process = self.by_process().same_locations(&other.by_process(), noise, relative);
        by_process && self.exchanged().covered_by(&other.exchanged(), noise, relative)
    }

    /// Whether `other` has a share wherever one is meaningful here.
    fn covered_by(&self, other: &Shares, noise: f64, relative: f64) -> bool {
        let limit = self.limit(noise).max(other.limit(noise));
        let apart = relative.min(MEANINGFUL) * self.largest().max(other.largest());
        self.0.iter().filter(|&(_, &share)| share > limit).all(|(location, &share)| {
            let others = other.0.get(location).copied().unwrap_or_default();
            others > limit / 2.0 || share - others <= apart
        })
    }

    /// The same with the shares of every process's threads added up, at its master.
    pub(super) fn by_process(&self) -> Shares {
        let mut sums = Shares::default();
        for (&(rank, _), &share) in &self.0 {
            *sums.0.entry((rank, 0)).or_default() += share;
        }
        sums
    }

    /// Those of the locations that have a share in `planned`, too; all of them where it says of none.
    pub(super) fn planned_in(mut self, planned: &Shares) -> Shares {
        if planned.total() > 0.0 {
            self.0.retain(|location, _| planned.0.get(location).is_some_and(|&share| share > 0.0));
        }
        self
    }

    /// Whether a location other than a master has a share.
    pub(super) fn has_threads(&self) -> bool {
        self.0.keys().any(|&(_, thread)| thread > 0)
    }

    /// Whether `other` has, wherever a share here is meaningful, at least what `least` makes of it.
    pub(super) fn fits_into(&self, other: &Shares, noise: f64, least: impl Fn(f64) -> f64) -> bool {
        let limit = self.limit(noise);
        let mut meaningful = self.0.iter().filter(|&(_, &share)| share > limit);
        meaningful
            .all(|(location, &share)| other.0.get(location).is_some_and(|&others| others >= least(share)))
    }

    /// The sum of `other` over the locations that have a meaningful share here.
    pub(super) fn at_the_same_locations(&self, other: &Shares, noise: f64) -> f64 {
        let limit = self.limit(noise);
        let meaningful = self.0.iter().filter(|&(_, &share)| share > limit);
        meaningful.filter_map(|(location, _)| other.0.get(location)).fold(0.0, |sum, share| sum + share)
    }

    fn limit(&self, noise: f64) -> f64 {
        noise.max(MEANINGFUL * self.largest())
    }

    fn largest(&self) -> f64 {
        self.0.values().copied().fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(of: &[(u32, f64)]) -> Shares {
        let mut shares = Shares::default();
        shares.add(
            &of.iter()
                .map(|&(rank, waiting_time)| LocationShare { rank, thread: 0, waiting_time })
                .collect::<Vec<_>>(),
        );
        shares
    }

    #[test]
    fn a_small_share_is_no_location() {
        let with_noise = shares(&[(0, 0.002), (1, 1.0), (3, 0.9)]);
        let waiting = |rank| Location { rank, thread: 0 };
        assert_eq!(with_noise.waiting(0.0), [waiting(1), waiting(3)]);
        assert!(with_noise.same_locations(&shares(&[(1, 1.0), (3, 0.9)]), 0.0, 0.005));
        assert!(!with_noise.same_locations(&shares(&[(1, 1.9)]), 0.0, 0.005));
        assert!(!with_noise.same_locations(&shares(&[(0, 0.5), (1, 1.0), (3, 0.9)]), 0.0, 0.005));
    }

    #[test]
    fn many_equal_shares_all_count() {
        let many: Vec<(u32, f64)> = (0..1000).map(|rank| (rank, 0.05)).collect();
        assert_eq!(shares(&many).waiting(0.0).len(), 1000);
        assert!(!shares(&many).same_locations(&shares(&many[1..]), 0.0, 0.005));
    }

    #[test]
    fn a_share_at_the_limit_is_no_difference() {
        let above = shares(&[(0, 0.0101), (1, 1.0)]);
        let below = shares(&[(0, 0.0099), (1, 1.0)]);
        assert!(above.same_locations(&below, 0.0, 0.005));
        assert!(below.same_locations(&above, 0.0, 0.005));
    }

    #[test]
    fn a_delay_of_the_last_makes_no_wait_elsewhere() {
        let (one, other) = (shares(&[(0, 0.0018), (1, 0.5)]), shares(&[(0, 0.0057), (1, 0.5039)]));
        assert!(one.same_locations(&other, 0.0, 0.01) && other.same_locations(&one, 0.0, 0.01));
        assert!(!one.same_locations(&other, 0.0, 0.005));
        assert!(!one.same_locations(&shares(&[(0, 0.0089), (1, 0.5)]), 0.0, 0.01));
    }

    #[test]
    fn nothing_is_meaningful_below_the_noise() {
        assert_eq!(shares(&[(0, 1e-6), (1, 2e-6)]).waiting(1e-5), []);
    }

    #[test]
    fn exchanged_threads_are_those_of_their_process() {
        let of = |shares: &[(u32, u32, f64)]| {
            Shares(shares.iter().map(|&(rank, thread, share)| ((rank, thread), share)).collect())
        };
        let one = of(&[(0, 1, 0.5), (0, 3, 0.2), (1, 0, 0.7)]);
        let same = |other: &[(u32, u32, f64)]| one.same_but_exchanged(&of(other), 0.0, 0.005);
        let exchanged = [(0, 0, 0.2), (0, 2, 0.5), (1, 3, 0.7)];
        assert!(!one.same_locations(&of(&exchanged), 0.0, 0.005));
        assert!(same(&exchanged));
        assert!(same(&[(0, 0, 0.2), (0, 1, 0.3), (0, 2, 0.2), (1, 3, 0.7)]), "in turns");
        assert!(!same(&[(0, 1, 0.7), (1, 0, 0.7)]), "fewer");
        assert!(!same(&[(0, 0, 0.2), (1, 2, 0.5), (1, 3, 0.7)]), "elsewhere");
        assert!(!same(&[(0, 0, 0.2), (0, 2, 0.5), (1, 3, 0.7), (2, 0, 0.2)]), "in one more process");
    }
}
