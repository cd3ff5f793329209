//! Whether a report can be of a run at all.

use std::collections::BTreeSet;

use ats_documents::{Report, Truth};

/// Why it cannot be: it says that there were other ranks; none where it can. Threads are numbered by each tool in its way.
pub(crate) fn unfit(report: &Report, truth: &Truth) -> Option<String> {
    let had = truth.ranks;
    if let Some(ranks) = report.ranks.filter(|&ranks| ranks != had) {
        return Some(format!("it is of {ranks} ranks, and the run had {had}"));
    }
    let waiting = report.findings.iter().flat_map(|finding| &finding.locations).map(|share| share.rank);
    let spent = report.calls.iter().flat_map(|call| &call.locations).map(|share| share.rank);
    let beyond: BTreeSet<u32> = waiting.chain(spent).filter(|&rank| rank >= had).collect();
    let first = beyond.first()?;
    let more = if beyond.len() > 1 { format!(" and {} more", beyond.len() - 1) } else { String::new() };
    Some(format!("it has rank {first}{more}, and the run had {had}, counted from 0"))
}

#[cfg(test)]
mod tests {
    use ats_documents::written::{report, truth};
    use serde_json::json;

    use super::unfit;

    #[test]
    fn a_report_with_ranks_that_the_run_did_not_have_is_of_another() {
        let known = json!({ "schema": "ats-truth/1", "program": "heat", "ranks": 4, "basis": { "wall_time": 1.0 },
            "findings": [] });
        let known = truth(known.to_string().as_bytes()).unwrap();
        let why = |ranks: Option<u32>, of: &[u32]| {
            let locations: Vec<_> = of.iter().map(|rank| json!({ "rank": rank, "seconds": 0.1 })).collect();
            let finding = json!({ "property": "late_sender", "call": "MPI_Recv", "locations": locations, "seconds": 1 });
            let document = json!({ "schema": "ats-report/1", "ranks": ranks, "findings": [finding] });
            unfit(&report(document.to_string().as_bytes()).unwrap(), &known)
        };
        assert_eq!([why(None, &[0, 3]), why(Some(4), &[]), why(None, &[])], [None, None, None]);
        assert_eq!(why(Some(8), &[7]).unwrap(), "it is of 8 ranks, and the run had 4");
        assert_eq!(why(None, &[4]).unwrap(), "it has rank 4, and the run had 4, counted from 0");
        assert_eq!(
            why(None, &[1, 9, 8]).unwrap(),
            "it has rank 8 and 1 more, and the run had 4, counted from 0"
        );
    }
}
