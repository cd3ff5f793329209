use ats_diagnosis::properties::Selection;
use ats_documents::diagnosis::Instance;

use super::common::{HEAD, experiments, of_experiments, of_rows, own, reasons, severity, with};

/// Inefficiencies 0.5, 0.25 and none.
const ROWS: &str = "a-sequential,f,s,time,8\na.ranks2,f,s,time,8\na.ranks3,f,s,time,3.5555555555555554\n\
                    a.ranks4,f,s,time,2\n";

/// The severity of a property over the inefficiencies.
fn over(keys: &str) -> Option<f64> {
    let own = own(&format!("of = [\"region\", \"parallels\"]\nover = [\"Inefficiency\"]\n{keys}"));
    severity(&of_rows(&with(&own).unwrap(), ROWS), "Own", "f")
}

#[test]
fn statistics_are_over_the_instances_that_hold() {
    let close = |keys: &str, expected: f64| {
        let found = over(keys).unwrap_or_else(|| panic!("{keys} holds"));
        assert!((found - expected).abs() < 1e-12, "{keys}: {found}");
    };
    close("severity = \"max(severities)\"", 0.5);
    close("severity = \"min(severities)\"", 0.25);
    close("severity = \"mean(severities)\"", 0.375);
    close("severity = \"deviation(severities)\"", 0.125);
    close("severity = \"holding / instances\"", 2.0 / 3.0);
    close("severity = \"min(confidences) / 2\"", 0.5);
    close("holds = \"any\"\nseverity = \"1\"", 1.0);
    assert_eq!(over("holds = \"all\"\nseverity = \"1\""), None);
    assert_eq!(over("holds = \"!any\"\nseverity = \"1\""), None);
}

#[test]
fn instances_may_be_of_several_properties() {
    let own = own("holds = \"holding == 2\"\nseverity = \"sum(severities)\"\n\
                   over = [\"CommunicationOverhead\", \"SynchronizationOverhead\"]");
    let rows = "a,f,s,time,8\na,f,s,communication,2\na,f,s,synchronisation,1\n";
    assert_eq!(severity(&of_rows(&with(&own).unwrap(), rows), "Own", "f"), Some(0.375));
}

#[test]
fn a_severity_beyond_one_is_undefined() {
    let own = own("of = [\"region\", \"unit\"]\nseverity = \"unit.time / (1 * s)\"");
    let diagnosis = of_rows(&with(&own).unwrap(), "a,f,s,time,8\na,g,s,time,0.5\n");
    assert_eq!(reasons(&diagnosis, "Own"), [("its severity is not within 0 and 1, as 8".to_owned(), 1)]);
    assert_eq!(severity(&diagnosis, "Own", "g"), Some(0.5));
}

#[test]
fn whole_numbers_are_divided_as_numbers() {
    let own = own("of = [\"region\", \"unit\"]\nseverity = \"1 / 4\"");
    assert_eq!(severity(&of_rows(&with(&own).unwrap(), "a,f,s,time,8\n"), "Own", "f"), Some(0.25));
}

#[test]
fn an_imbalance_of_any_value() {
    let own = format!(
        "{HEAD}[[property]]\nname = \"ComputationImbalance\"\ntemplate = \"LoadImbalance\"\n\
         with.amount = \"parallel.time - parallel.communication\"\n"
    );
    let rows = "a.ranks2,f,0,time,8\na.ranks2,f,1,time,8\na.ranks2,f,0,communication,0\na.ranks2,f,1,communication,6\n";
    assert_eq!(severity(&of_rows(&with(&own).unwrap(), rows), "ComputationImbalance", "f"), Some(0.75));
}

#[test]
fn conditions_choose_regions_of_experiments() {
    let rows = "a.ranks2,f,0,time,8\na.ranks2,f,1,time,2\na.ranks4,f,0,time,1\na.ranks4,f,1,time,2\n\
                a.ranks2,g,0,time,1\na.ranks2,g,1,time,2\na.ranks2,g,0,communication,1\na.ranks2,g,1,communication,0\n";
    let mut properties = with("").unwrap();
    let mut holding = |condition: &str| {
        let condition = properties.condition("--where", condition).unwrap();
        let selection = Selection {
            condition: Some(&condition),
            property: Some("ExecutionTimeLoadImbalance"),
            ..Selection::default()
        };
        let diagnosis = of_experiments(&properties, &experiments(rows), selection);
        let one = |one: &Instance| {
            format!("{} {}", one.region, diagnosis.experiments[one.experiments[0] as usize].run.ranks)
        };
        let mut all: Vec<String> = diagnosis.instances.iter().map(one).collect();
        all.sort_unstable();
        all.join(", ")
    };
    assert_eq!(holding("true"), "f 2, f 4, g 2");
    assert_eq!(holding("max(parallel.time) > 2 * s"), "f 2");
    assert_eq!(holding("parallel.units == 2 && mean(parallel.time) < basis.time / 4"), "g 2");
    // Others lack it.
    assert_eq!(holding("sum(parallel.communication) >= 0 * s"), "g 2");
    assert_eq!(holding("false"), "");
    let mut refused = |condition: &str| properties.condition("--where", condition).unwrap_err().to_string();
    assert!(refused("max(parallel.time) > 2").contains("--where:1:20: it compares numbers in s and 1"));
    assert!(refused("unit.time > 2 * s").contains("--where:1:1: there is no `unit` here"));
    assert!(refused("max(parallel.time)").contains("--where:1:1: it has to be true or false"));
    assert!(refused("true || parallel.time").contains("--where:1:17: it has to be true or false"));
}

#[test]
fn of_properties_that_explain_each_other_the_severest_is_above() {
    let property = |name: &str, severity: f64, explains: &str| {
        format!(
            "[[property]]\nname = \"{name}\"\nof = [\"region\", \"parallel\"]\nseverity = \"{severity}\"\n\
             explains = [\"{explains}\"]\n"
        )
    };
    let own = [
        property("Inner", 0.75, "One"),
        property("One", 0.25, "Two"),
        property("Two", 0.5, "Three"),
        property("Three", 0.125, "One"),
    ];
    let diagnosis = of_rows(&with(&format!("{HEAD}{}", own.concat())).unwrap(), "a,f,s,time,8\n");
    let above = |name: &str| {
        let one = diagnosis.instances.iter().find(|one| one.property == name).unwrap();
        one.under.map(|under| diagnosis.instances[under as usize].property.as_str())
    };
    let found = ["Inner", "One", "Two", "Three"].map(above);
    assert_eq!(found, [Some("One"), Some("Two"), None, Some("One")]);
}
