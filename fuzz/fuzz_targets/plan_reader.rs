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
            let is_known = |name: &String| run.parameters.contains_key(name);
            // Nodes and units are not of a sequential command.
            let is_left_out = |name: &String| run.sequential && ["nodes", "units"].contains(&name.as_str());
            assert!(plan.told.iter().all(|name| is_known(name) || is_left_out(name)));
            assert!(run.parameters.keys().all(|name| plan.told.contains(name)));
        }
        if let What::Command { words, .. } = &plan.what {
            assert!(!words.is_empty() && plan.application.is_some());
        }
    }
    Err(PlanError::Wrong(mistakes)) => assert!(mistakes.to_string().contains("p.toml:")),
    Err(error) => panic!("{error}"),
});
