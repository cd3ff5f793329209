//! A table of experiments, of any bytes, is read or refused; what was read has its figures where it says.
#![no_main]

use ats_experiment::{Given, parse_table};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| match parse_table("table.csv".as_ref(), input, &Given::default()) {
    Ok(experiments) => {
        for experiment in experiments {
            let figures = experiment.summaries.iter().flat_map(|summary| summary.spent.by_name());
            assert!(figures.into_iter().all(|(_, value)| value.is_finite()));
            let last = experiment.regions.iter().map(|region| region.performance_data[1]).max();
            assert_eq!(last, Some(experiment.summaries.len() as u32));
        }
    }
    Err(error) => assert!(!error.to_string().is_empty()),
});
