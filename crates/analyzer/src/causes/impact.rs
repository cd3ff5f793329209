//! Performance impact: what the critical path costs the locations beside it.

use rustc_hash::FxHashMap;

/// Values by location and call path, in ticks.
pub(super) type Cells = FxHashMap<(u32, u32), f64>;

/// The metrics of performance impact, in ticks.
#[derive(Debug, Default)]
pub(super) struct Impact {
    /// On the path: as long as the location does the same.
    pub(super) activities: Cells,
    /// Beside the path: longer than on it.
    pub(super) off_path: Cells,
    /// Of the path itself, its excess over the mean of all locations, by call path; on the locations of the path.
    pub(super) imbalance: Cells,
    /// Waiting that the imbalance of the path makes among locations that do the same, on the locations of the path.
    pub(super) imbalance_impact: Cells,
    /// The same, among locations that do different things.
    pub(super) between_partitions: Cells,
}

/// Waiting that the imbalance of a path makes, by call path.
#[derive(Debug, Default)]
struct Costs {
    all: FxHashMap<u32, f64>,
    /// The part that is waited by locations that do nothing in the call path. What a location waits less than its imbalance
    /// in other call paths is taken away.
    between: FxHashMap<u32, f64>,
    /// Whether a location lacks no call path of the critical path. Scalasca divides by zero then, and has no such part.
    are_undivided: bool,
}

/// The performance impact of a critical path with this `profile`, on locations that have `spent` time and waited in call
/// paths.
pub(super) fn impact(profile: &FxHashMap<(u32, u32), u64>, spent: &[Vec<(u32, u64, u64)>]) -> Impact {
    let mut on_path: FxHashMap<u32, f64> = FxHashMap::default();
    for (&(_, path), &ticks) in profile {
        *on_path.entry(path).or_default() += ticks as f64;
    }
    let length: f64 = on_path.values().sum();
    let mut impact = Impact::default();
    let mut costs = Costs::default();
    let mut worked: FxHashMap<u32, f64> = FxHashMap::default();
    for (location, spent) in spent.iter().enumerate() {
        let own: FxHashMap<u32, f64> =
            spent.iter().map(|&(path, time, wait)| (path, time.saturating_sub(wait) as f64)).collect();
        for (&path, &ticks) in own.iter().filter(|(_, ticks)| **ticks > 0.0) {
            let cell = (location as u32, path);
            let on_path = on_path.get(&path).copied().unwrap_or(0.0);
            *worked.entry(path).or_default() += ticks;
            if on_path > 0.0 {
                impact.activities.insert(cell, ticks.min(on_path));
            }
            if ticks > on_path {
                impact.off_path.insert(cell, ticks - on_path);
            }
        }
        charge(&on_path, &own, length, &mut costs);
    }
    let locations = spent.len().max(1) as f64;
    for (&(location, path), &ticks) in profile.iter().filter(|(_, ticks)| **ticks > 0) {
        let share = ticks as f64 / on_path[&path];
        let cell = (location, path);
        let mean = worked.get(&path).map_or(0.0, |worked| worked / locations);
        impact.imbalance.insert(cell, share * (on_path[&path] - mean).max(0.0));
        let of = |costs: &FxHashMap<u32, f64>| costs.get(&path).copied().unwrap_or_default();
        let between = if costs.are_undivided { 0.0 } else { of(&costs.between).max(0.0) };
        impact.imbalance_impact.insert(cell, share * (of(&costs.all) - between).max(0.0));
        impact.between_partitions.insert(cell, share * between);
    }
    impact
}

/// Adds the time that a location with its `own` work has nothing to do while the path is longer, to the call paths that
/// the path is longer in.
fn charge(on_path: &FxHashMap<u32, f64>, own: &FxHashMap<u32, f64>, length: f64, costs: &mut Costs) {
    let of = |path: &u32| own.get(path).copied().unwrap_or_default();
    let excess = |(path, ticks): (&u32, &f64)| (ticks - of(path)).max(0.0);
    let all: f64 = on_path.iter().map(excess).sum();
    let idle = length - own.values().sum::<f64>();
    if all > 0.0 {
        for cell in on_path {
            *costs.all.entry(*cell.0).or_default() += idle.max(0.0) * excess(cell) / all;
        }
    }
    let lacking: f64 = on_path.iter().filter(|(path, _)| of(path) == 0.0).map(|(_, ticks)| ticks).sum();
    if lacking == 0.0 {
        costs.are_undivided = true;
        return;
    }
    for (&path, ticks) in on_path.iter().filter(|(path, _)| of(path) == 0.0) {
        *costs.between.entry(path).or_default() += (idle - (all - lacking)) * ticks / lacking;
    }
}
