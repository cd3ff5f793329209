//! Names that are cut on pages.

use ats_presentation::page;
use ats_testing::use_page;
use serde_json::json;

use crate::causes::{example, with_page};
use crate::problems::changed;

#[test]
fn signatures_are_cut_and_whole_in_titles() {
    let (whole, cut) = ("void solve<double>(Matrix<double>&)", "solve<…>(…)");
    let mut of = example();
    let rename = |name: &mut String| {
        if name == "late_sender" {
            whole.clone_into(name);
        }
    };
    of.analysis.findings.iter_mut().flat_map(|finding| &mut finding.call_path).for_each(rename);
    of.profile.regions.iter_mut().map(|region| &mut region.name).for_each(rename);
    of.analysis.causes.as_mut().unwrap().call_paths.iter_mut().flatten().for_each(rename);
    let script = "
        const named = (selector, name) => {
            const one = all(selector).find((one) => one.textContent.includes(name));
            return [one?.textContent.replace('▾', ''), one?.title];
        };
        const cut = 'solve<…>(…)';
        return ['#calls .label', '#profile-calls .label', '#costs th button'].map((selector) => named(selector, cut));";
    let Some(seen) = use_page(&with_page(&of, page), 1280, "two/2×1", script) else { return };
    let path = |name: &str| format!("ats_measured/{name}/work");
    assert_eq!(seen, json!([[cut, whole], [cut, whole], [path(cut), path(whole)]]));
}

#[test]
fn places_of_problems_are_short_and_whole_in_titles() {
    let script = "return all('.problem .place').map((one) => [one.textContent, one.title]);";
    let Some(seen) = use_page(&changed(|_| ()), 1280, "", script) else { return };
    assert_eq!(seen, json!([["solve.c:12", "src/solve.c:12"]]));
}
