//! A plan, of any bytes, is read or refused with the place of each mistake; what was read has something to run.
#![no_main]

use ats_experiment::plan::What;
use ats_experiment::{Plan, PlanError};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| match Plan::parse(input, "p.toml") {
    Ok(plan) => {
        assert!((1..=Plan::MOST_RUNS).contains(&plan.combinations.len()));
        assert!(!plan.timeout.is_zero());
        for run in &plan.combinations {
            assert!(run.repeat > 0 && run.ranks != Some(0) && run.threads != Some(0));
            let has_all = plan.told.iter().all(|name| run.parameters.contains_key(name));
            assert!(has_all && plan.told.len() == run.parameters.len());
        }
        if let What::Command { words, .. } = &plan.what {
            assert!(!words.is_empty() && plan.application.is_some());
        }
    }
    Err(PlanError::Wrong(mistakes)) => assert!(mistakes.to_string().contains("p.toml:")),
    Err(error) => panic!("{error}"),
});
