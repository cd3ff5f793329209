//! The tools that the suite knows by name.

/// The descriptions that come with the suite.
pub struct Known;

impl Known {
    pub(super) const TEXTS: [(&'static str, &'static str); 11] = [
        ("ats", include_str!("../../tools/ats.toml")),
        ("cachegrind", include_str!("../../tools/cachegrind.toml")),
        ("caliper", include_str!("../../tools/caliper.toml")),
        ("callgrind", include_str!("../../tools/callgrind.toml")),
        ("eztrace", include_str!("../../tools/eztrace.toml")),
        ("extrae", include_str!("../../tools/extrae.toml")),
        ("mpip", include_str!("../../tools/mpip.toml")),
        ("perf-stat", include_str!("../../tools/perf-stat.toml")),
        ("scalasca", include_str!("../../tools/scalasca.toml")),
        ("scorep", include_str!("../../tools/scorep.toml")),
        ("tau", include_str!("../../tools/tau.toml")),
    ];

    pub(super) const SIMULATORS: [(&'static str, &'static str); 2] = [
        ("loggopsim", include_str!("../../tools/loggopsim.toml")),
        ("smpi", include_str!("../../tools/smpi.toml")),
    ];

    /// The names of simulators.
    pub fn simulators() -> impl Iterator<Item = &'static str> {
        Self::SIMULATORS.iter().map(|(name, _)| *name)
    }

    /// Their names, but for simulators.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::TEXTS.iter().map(|(name, _)| *name)
    }
}
