//! Selections of experiments by conditions.

use ats_documents::experiment::{Listed, Run};

use ats_experiment::{Filter, FilterError};

fn listed(ranks: u32, version: &str, parameters: &[(&str, &str)]) -> Listed {
    let text = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    let parameters = parameters.iter().map(text).collect();
    let metrics = vec!["time".to_owned(), "visits".to_owned()];
    let run = Run { ranks, parameters, ..Run::default() };
    Listed { application: "heat".to_owned(), version: version.to_owned(), run, metrics, ..Listed::default() }
}

fn selected(filters: &[&str]) -> Result<Vec<u32>, FilterError> {
    let filters = filters.iter().map(|filter| filter.parse()).collect::<Result<Vec<_>, _>>()?;
    let all =
        vec![listed(4, "1.9", &[]), listed(8, "1.10", &[("work", "0.5")]), listed(16, "a", &[("work", "x")])];
    Ok(Filter::select(&filters, all)?.iter().map(|one| one.run.ranks).collect())
}

#[test]
fn numbers_are_numbers_and_text_is_text() {
    assert_eq!(selected(&[]), Ok(vec![4, 8, 16]));
    assert_eq!(selected(&["ranks>=8", "application=heat"]), Ok(vec![8, 16]));
    assert_eq!(selected(&["ranks<16", "ranks != 4"]), Ok(vec![8]));
    assert_eq!(selected(&["ranks<=4"]), Ok(vec![4]));
    assert_eq!(selected(&["ranks>8.0"]), Ok(vec![16]));
    assert_eq!(selected(&["version=1.9"]), Ok(vec![4]));
    assert_eq!(selected(&["application=heat2"]), Ok(vec![]));
    assert_eq!(selected(&["metric=visits"]), Ok(vec![4, 8, 16]));
}

#[test]
fn unknown_values_fit_nothing() {
    assert_eq!(selected(&["work=0.50"]), Ok(vec![8]));
    assert_eq!(selected(&["work!=0.5"]), Ok(vec![16]));
    assert_eq!(selected(&["seed!=1"]), Ok(vec![]));
    assert_eq!(selected(&["metric!=visits"]), Ok(vec![]));
}

#[test]
fn wrong_conditions_are_reported() {
    let said = |filter: &str| selected(&[filter]).unwrap_err().to_string();
    assert!(said("ranks").starts_with("`ranks` is not a condition; write FIELD=VALUE"));
    assert!(said("=8").starts_with("`=8` is not a condition"));
    assert!(said("ranks!8").starts_with("`ranks!8` is not a condition"));
    assert!(
        said("rank=8")
            .starts_with("no experiment has `rank`; did you mean ranks?; known are application, command")
    );
    assert!(said("wrok=8").contains("did you mean work?"));
    assert_eq!(Filter::select(&["anything=1".parse().unwrap()], Vec::new()), Ok(Vec::new()));
}
