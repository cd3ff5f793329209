//! Quantities that follow from counters: one table for profiles, summaries and property files.

/// A quantity that is the quotient of two amounts.
#[derive(Clone, Copy, Debug)]
pub struct Derived {
    /// Its name in documents and expressions.
    pub name: &'static str,
    /// Its heading in tables.
    pub heading: &'static str,
    /// Its unit; 1 for a plain number.
    pub unit: &'static str,
    /// The quotients that it may be, the first one whose counters are there.
    pub quotients: &'static [Quotient],
    /// Whether it is a share: in expressions 0 of nothing is 0.
    pub is_share: bool,
}

/// A quotient of sums of amounts: counters by their names, `time`, and others by the names that summaries have for them.
#[derive(Clone, Copy, Debug)]
pub struct Quotient {
    /// The amounts that are divided.
    pub of: &'static [&'static str],
    /// The amounts that divide them.
    pub over: &'static [&'static str],
}

/// A quotient of two amounts.
const fn quotient(of: &'static [&'static str], over: &'static [&'static str]) -> Quotient {
    Quotient { of, over }
}

/// A share of all: misses of accesses, of the first pair that is there. Both count the same kind of access; a share of all
/// accesses in loads alone would be none.
const fn share(name: &'static str, heading: &'static str, quotients: &'static [Quotient]) -> Derived {
    Derived { name, heading, unit: "1", quotients, is_share: true }
}

/// Something in a second that a location spends in the region.
const fn rate(name: &'static str, heading: &'static str, quotients: &'static [Quotient]) -> Derived {
    Derived { name, heading, unit: "bytes/s", quotients, is_share: false }
}

/// The table. Bytes of memory are not in it: a counter of misses has neither what is fetched ahead nor what is written back.
pub const DERIVED: [Derived; 10] = [
    Derived {
        name: "instructions_per_cycle",
        heading: "instructions per cycle",
        unit: "1",
        quotients: &[quotient(&["instructions"], &["cycles"])],
        is_share: false,
    },
    share(
        "branch_miss_ratio",
        "branches missed",
        &[
            quotient(&["branch-misses"], &["branches"]),
            quotient(&["branch-misses"], &["branch-instructions"]),
            quotient(&["PAPI_BR_MSP"], &["PAPI_BR_CN"]),
            quotient(&["PAPI_BR_MSP"], &["PAPI_BR_INS"]),
        ],
    ),
    share(
        "l1_miss_ratio",
        "L1 missed",
        &[
            quotient(&["L1-dcache-load-misses"], &["L1-dcache-loads"]),
            quotient(&["PAPI_L1_DCM"], &["PAPI_L1_DCA"]),
            quotient(&["PAPI_L1_LDM"], &["PAPI_LD_INS"]),
            quotient(&["cache_misses(1)"], &["cache_accesses(1)"]),
        ],
    ),
    share(
        "l2_miss_ratio",
        "L2 missed",
        &[
            quotient(&["PAPI_L2_TCM"], &["PAPI_L2_TCA"]),
            quotient(&["PAPI_L2_DCM"], &["PAPI_L2_DCA"]),
            quotient(&["cache_misses(2)"], &["cache_accesses(2)"]),
        ],
    ),
    share(
        "l3_miss_ratio",
        "L3 missed",
        &[
            quotient(&["PAPI_L3_TCM"], &["PAPI_L3_TCA"]),
            quotient(&["PAPI_L3_DCM"], &["PAPI_L3_DCA"]),
            quotient(&["cache_misses(3)"], &["cache_accesses(3)"]),
        ],
    ),
    share(
        "last_cache_miss_ratio",
        "last cache missed",
        &[quotient(&["LLC-load-misses"], &["LLC-loads"]), quotient(&["cache-misses"], &["cache-references"])],
    ),
    share("tlb_miss_ratio", "TLB missed", &[quotient(&["dTLB-load-misses"], &["dTLB-loads"])]),
    rate("bytes_read_per_second", "bytes read/s", &[quotient(&["rchar"], &["time"])]),
    rate("bytes_written_per_second", "bytes written/s", &[quotient(&["wchar"], &["time"])]),
    share("system_time_share", "system time", &[quotient(&["system"], &["user", "system"])]),
];

/// A kind of misses that cost time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misses {
    /// Its name in options.
    pub kind: &'static str,
    /// The name of the metric of what they cost.
    pub cost: &'static str,
    /// The counters of these misses, the first one that is there.
    pub counters: &'static [&'static str],
}

/// The cost of a miss of a kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalty {
    /// The kind.
    pub of: Misses,
    /// Seconds of a miss.
    pub seconds: f64,
}

/// Kinds of misses. Loads come first, since no instruction waits for a store.
pub const MISSES: [Misses; 6] = [
    Misses {
        kind: "L1",
        cost: "l1_miss_cost",
        counters: &["L1-dcache-load-misses", "PAPI_L1_LDM", "PAPI_L1_DCM", "PAPI_L1_TCM"],
    },
    Misses { kind: "L2", cost: "l2_miss_cost", counters: &["PAPI_L2_LDM", "PAPI_L2_DCM", "PAPI_L2_TCM"] },
    Misses { kind: "L3", cost: "l3_miss_cost", counters: &["PAPI_L3_LDM", "PAPI_L3_DCM", "PAPI_L3_TCM"] },
    Misses { kind: "LLC", cost: "last_cache_miss_cost", counters: &["LLC-load-misses", "cache-misses"] },
    Misses { kind: "TLB", cost: "tlb_miss_cost", counters: &["dTLB-load-misses", "PAPI_TLB_DM"] },
    Misses { kind: "branch", cost: "branch_miss_cost", counters: &["branch-misses", "PAPI_BR_MSP"] },
];

/// Whether a quantity follows from an amount of this name.
pub fn is_divided(name: &str) -> bool {
    let mut quotients = DERIVED.iter().flat_map(|derived| derived.quotients);
    quotients.any(|quotient| quotient.of.contains(&name) || quotient.over.contains(&name))
}

impl Misses {
    /// The kind of a name.
    ///
    /// # Errors
    /// There is none; in words, with all.
    pub fn named(name: &str) -> Result<Misses, String> {
        let kinds = MISSES.map(|misses| misses.kind).join(", ");
        let found = MISSES.into_iter().find(|misses| misses.kind == name);
        found.ok_or_else(|| format!("there are no misses of `{name}`; there are those of {kinds}"))
    }
}

impl Derived {
    /// The row of a name.
    pub fn named(name: &str) -> Option<&'static Derived> {
        DERIVED.iter().find(|derived| derived.name == name)
    }

    /// The value; `None` if a counter was not counted, or if it would be a division by 0.
    ///
    /// ```
    /// use ats_model::derived::Derived;
    /// let counted = |name: &str| [("user", 1.5), ("system", 0.5)].iter().find(|of| of.0 == name).map(|of| of.1);
    /// let value = |name: &str| Derived::named(name).and_then(|derived| derived.value(counted));
    /// assert_eq!(value("system_time_share"), Some(0.25));
    /// assert_eq!(value("instructions_per_cycle"), None);
    /// ```
    pub fn value(&self, amount: impl Fn(&str) -> Option<f64>) -> Option<f64> {
        let sum = |names: &[&str]| names.iter().map(|name| amount(name)).sum::<Option<f64>>();
        let counted = |quotient: &Quotient| Some((sum(quotient.of)?, sum(quotient.over)?));
        let (of, over) = self.quotients.iter().find_map(counted)?;
        (over > 0.0).then(|| of / over)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(name: &str, counted: &[(&str, f64)]) -> Option<f64> {
        let amount = |name: &str| counted.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        Derived::named(name).unwrap().value(amount)
    }

    #[test]
    fn values_are_those_of_the_first_pair_that_was_counted() {
        assert_eq!(value("instructions_per_cycle", &[("instructions", 400.0), ("cycles", 200.0)]), Some(2.0));
        assert_eq!(value("bytes_written_per_second", &[("wchar", 4096.0), ("time", 0.5)]), Some(8192.0));
        let both = [("PAPI_L1_DCM", 3.0), ("PAPI_L1_DCA", 12.0), ("PAPI_L1_LDM", 3.0), ("PAPI_LD_INS", 4.0)];
        assert_eq!(value("l1_miss_ratio", &both), Some(0.25));
        assert_eq!(value("l1_miss_ratio", &both[2..]), Some(0.75));
        // Misses of loads and stores are no share of loads.
        assert_eq!(value("l1_miss_ratio", &[both[0], both[3]]), None);
    }

    #[test]
    fn nothing_follows_from_what_was_not_counted_or_did_not_happen() {
        assert_eq!(value("branch_miss_ratio", &[("branches", 40.0)]), None);
        assert_eq!(value("branch_miss_ratio", &[("branch-misses", 0.0), ("branches", 40.0)]), Some(0.0));
        assert_eq!(value("branch_miss_ratio", &[("branch-misses", 0.0), ("branches", 0.0)]), None);
        assert_eq!(value("system_time_share", &[("system", 1.0)]), None);
    }

    #[test]
    fn names_are_unique() {
        let names: std::collections::BTreeSet<_> = DERIVED.iter().map(|derived| derived.name).collect();
        assert_eq!(names.len(), DERIVED.len());
    }
}
