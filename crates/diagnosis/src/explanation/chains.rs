//! Chains of blocked senders, and the waits at the operation behind them.

use ats_documents::Explanation;
use ats_documents::explanation::CauseKind;

use super::case::Case;
use super::mechanism::Mechanism;
use super::rules;

/// Joins the waits at operations behind a chain with those along it: what shortens the chain ends both.
pub(super) fn joined(cases: Vec<Case<'_>>) -> Vec<Case<'_>> {
    let is_link = |case: &Case<'_>, mechanism| case.mechanism == mechanism && is_of_chain(case);
    let (mut chains, others): (Vec<_>, Vec<_>) =
        cases.into_iter().partition(|case| is_link(case, Mechanism::Data));
    if chains.is_empty() {
        return others;
    }
    let (behind, mut others): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|case| is_link(case, Mechanism::Meeting));
    for case in behind {
        let leads_to = |chain: &Case<'_>| {
            let along = chain.waiting();
            case.units.iter().all(|(unit, _)| along.contains(unit) || chain.main_units().contains(unit))
        };
        let leading = (0..chains.len()).filter(|&chain| leads_to(&chains[chain]));
        let longest = leading.max_by(|&a, &b| chains[a].seconds().total_cmp(&chains[b].seconds()));
        match longest {
            Some(chain) => {
                let chain = chains.swap_remove(chain);
                let facts = chain.facts;
                let parts = [chain.into_parts(), case.into_parts()].concat();
                chains.push(Case::new(facts, Mechanism::Data, parts));
            }
            None => others.push(case),
        }
    }
    others.extend(chains);
    others
}

/// Whether a case is one of a chain. Smaller ones than those that are listed are not worth the look.
fn is_of_chain(case: &Case<'_>) -> bool {
    let is_worth = case.facts.analysis.basis.severity(case.seconds()) >= Explanation::LEAST_SHARE / 10.0;
    is_worth && rules::cause(case) == CauseKind::BlockedSender
}
