//! Properties of one process of one thread, one file each.
//!
//! Times in virtual time are those of its [costs](ats_work::Amount); on a machine they are the machine's.

pub mod branch_misprediction;
pub mod denormal_arithmetic;
pub mod frequent_allocation;
pub mod hot_procedure;
pub mod int_float_conversion;
pub mod intrinsic_function_call;
pub mod l1_cache_misses;
pub mod l2_cache_misses;
pub mod l3_cache_misses;
pub mod low_instruction_throughput;
pub mod memory_bandwidth_bound;
pub mod page_faults;
pub mod sequential_io;
pub mod small_writes;
pub mod system_time;
pub mod tlb_misses;

#[cfg(test)]
mod tests {
    use crate::testing::simulate;
    use crate::{Catalogue, What};

    /// The bounds of ratios hold with the default arguments and the usual costs.
    #[test]
    fn ratios_are_as_large_as_they_have_to_be() {
        let catalogue = Catalogue::builtin();
        let of_one_process = catalogue.properties().filter(|property| !property.needs.ranks);
        let mut ratios = 0;
        for property in of_one_process {
            for shown in property.finds.shown {
                let What::Ratio { of, over, at_least } = shown.what else { continue };
                let outcome = simulate(property, (1, property.min_threads), &[], false);
                let seconds = |name: &str| -> f64 {
                    let sums = outcome.regions.iter().filter(|sum| sum.region == name);
                    sums.map(|sum| sum.seconds).sum()
                };
                assert!(seconds(of) >= at_least * seconds(over), "{}", property.name);
                ratios += 1;
            }
        }
        assert!(ratios > 0);
    }
}
