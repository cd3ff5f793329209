//! The document of an experiment, of any bytes, is read or refused; what was read can be looked at.
#![no_main]

use ats_documents::summaries::RegionSummaries;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    match ats_experiment::parse::<Vec<RegionSummaries>>("experiment.json".as_ref(), input) {
        Ok(experiment) => {
            let listed = experiment.listed("id");
            assert_eq!(listed.metrics.len(), experiment.metrics.len());
            experiment.totals();
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
