//! A report of TALP, of any bytes, is read or refused, and compared without a panic.
#![no_main]

use ats_diagnosis::{Comparison, Talp};
use ats_documents::classes::Classes;
use ats_documents::efficiencies::Scaling;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| match Talp::parse(input, "talp.json") {
    Ok(talp) => {
        let classes = Classes::default();
        let comparison =
            Comparison { reference: None, scaling: Scaling::Weak, classes: &classes, region: None };
        let document = comparison.efficiencies(&[], &[talp]).expect("it has a region");
        for factor in &document.experiments[0].multiplicative {
            assert_eq!(factor.value.is_none(), factor.why.is_some(), "{factor:?}");
        }
    }
    Err(error) => assert!(error.to_string().contains("talp.json"), "{error}"),
});
