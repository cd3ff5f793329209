//! Runs whose trace is not of the same moments as their witness.

use ats_documents::score::{Expectation, Judgement, Outcome, ProgramResult};

/// Whether a result has errors, and all of them may be due to stamps of trace and witness that are this many seconds
/// [`apart`](ats_launch::stamps::apart): every location may wait for each of these seconds, or not. A lost core does
/// not explain a wrong name, place or number.
pub fn explains(apart: f64, result: &ProgramResult) -> bool {
    let most = apart * f64::from(result.ranks.max(1)) * f64::from(result.threads.max(1));
    let is_wrong = |one: &&Expectation| matches!(one.outcome, Outcome::Wrong | Outcome::Missed);
    let mut wrong = result.expectations.iter().filter(is_wrong).peekable();
    let is_any = wrong.peek().is_some() || !result.unexpected.is_empty();
    let is_off_by_little = |one: &Expectation| {
        one.unit().is_time() && one.place != Judgement::No && (one.found - one.observed).abs() <= most
    };
    is_any && wrong.all(is_off_by_little) && result.false_seconds <= most
}

#[cfg(test)]
mod tests {
    use super::*;
    use ats_documents::score::Severities;
    use ats_model::View;

    /// A wait of 0.1043 s that was reported as 0.1075 s, on 4 ranks.
    fn off_by_3_2_ms() -> ProgramResult {
        let one = Expectation {
            id: "1".to_owned(),
            outcome: Outcome::Wrong,
            view: View::Wait,
            wait_state: None,
            metric: None,
            planted: true,
            call_path: Vec::new(),
            waiting: Vec::new(),
            property: Judgement::Yes,
            place: Judgement::Yes,
            locations: Judgement::Yes,
            amount: Judgement::No,
            nominal: 0.1,
            observed: 0.1043,
            found: 0.1075,
            reported_as: None,
            grade: None,
            error: None,
            spread: None,
            severity: Severities::default(),
        };
        ProgramResult { ranks: 4, threads: 1, expectations: vec![one], ..ProgramResult::default() }
    }

    #[test]
    fn a_wait_of_every_location_is_explained() {
        let result = off_by_3_2_ms();
        assert!(explains(0.0032, &result), "one waits longer");
        assert!(explains(0.0009, &result), "four do");
        assert!(!explains(0.0007, &result));
        assert!(!explains(0.0, &ProgramResult { expectations: Vec::new(), ..result }), "nothing is wrong");
    }

    #[test]
    fn nothing_but_seconds_is() {
        let but = |change: fn(&mut ProgramResult)| {
            let mut result = off_by_3_2_ms();
            change(&mut result);
            explains(0.0032, &result)
        };
        assert!(but(|_| ()));
        assert!(!but(|result| result.expectations[0].outcome = Outcome::Found), "nothing is wrong");
        assert!(!but(|result| result.expectations[0].place = Judgement::No));
        assert!(!but(|result| result.expectations[0].view = View::Count));
        assert!(!but(|result| {
            result.expectations[0].outcome = Outcome::Missed;
            result.expectations[0].found = 0.0;
        }));
        assert!(but(|result| result.false_seconds = 0.012));
        assert!(!but(|result| result.false_seconds = 0.013), "a false alarm that is longer");
    }
}
