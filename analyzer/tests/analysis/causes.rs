//! Root causes, against Scalasca's.

use ats_analyzer::{Options, analyze};
use ats_model::delay::Extent;
use ats_testing::{
    causes::{RUNS, Values, assert_scalascas},
    peer,
};

fn values(run: &str, records_in_memory: usize) -> Values {
    let trace = ats_trace::Archive::open(&peer(run).join("traces.otf2")).unwrap();
    let options = Options { causes: Some(Extent::Scalasca), records_in_memory, ..Options::default() };
    let causes = analyze(&trace, run, &options).unwrap().causes.unwrap();
    let mut values = Values::new();
    for (metric, rows) in &causes.metrics {
        for &(path, unit, seconds) in rows {
            let path = causes.call_paths[path as usize].join("/");
            *values.entry((metric.clone(), path, unit.into())).or_default() += seconds;
        }
    }
    values
}

#[test]
fn they_are_scalascas_with_any_memory() {
    for records_in_memory in [0, 4_000_000] {
        let compared = RUNS.map(|run| assert_scalascas(run, values(run, records_in_memory)));
        assert_eq!(compared.iter().sum::<usize>(), 868);
    }
}
