//! A file of costs, of any bytes, is read or refused with its name and the mistakes; what it costs lies in its bounds, and so
//! does what it costs anywhere in its ranges.
#![no_main]

use std::collections::BTreeMap;

use ats_prediction::costs::{Costs, Known};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| match Costs::parse(input, "c.toml") {
    Ok(costs) => {
        let names =
            ["ranks", "n", "r", "k", "steps", "serial", "parallel", "common", "additional", "sequential"];
        let parameters: BTreeMap<String, [f64; 2]> = names.map(|name| (name.to_owned(), [4.0, 4.0])).into();
        let Ok(totals) = costs.totals(&Known { parameters, ..Known::default() }) else { return };
        for costs in totals {
            let numbers = costs.terms.values().chain(costs.counts.values()).chain([&costs.time]);
            for of in numbers {
                assert!(of.low <= of.value && of.value <= of.high && of.low >= 0.0, "{of:?}");
            }
        }
    }
    Err(mistakes) => assert!(mistakes.to_string().contains("c.toml"), "{mistakes}"),
});
