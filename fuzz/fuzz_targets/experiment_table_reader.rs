//! A table of experiments, of any bytes, is read or refused; what was read has its figures where it says.
#![no_main]

use ats_experiment::{Given, parse_table};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| match parse_table("table.csv".as_ref(), input, &Given::default()) {
    Ok(experiments) => {
        for experiment in experiments {
            for summary in experiment.rows() {
                assert!(summary.spent.by_name().all(|(_, value)| value.is_finite()));
            }
            let last = experiment.regions.last().map_or(0, |region| region.performance_data + 1);
            assert_eq!(last as usize, experiment.summaries.len());
        }
    }
    Err(error) => assert!(!error.to_string().is_empty()),
});
