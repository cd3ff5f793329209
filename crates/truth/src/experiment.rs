//! The promises of a program over several runs.

use ats_compose::Subject;
use ats_documents::Truth;
use ats_documents::truth::TruthOfRun;

use super::size::Size;
use super::{TruthError, TruthOptions, nominal};

/// The promises of a program's parameters in runs of these sizes, at least one, on an ideal machine: the truth of the first,
/// and all of them compared with it.
///
/// # Errors
/// One of them is too small, or does not come to its end.
pub fn nominal_runs(subject: &Subject, sizes: &[Size], options: &TruthOptions) -> Result<Truth, TruthError> {
    let truths: Result<Vec<Truth>, _> = sizes.iter().map(|&size| nominal(subject, size, options)).collect();
    let mut truths = truths?;
    let run = |(truth, size): (&Truth, &Size)| {
        let wall_time = truth.basis.wall_time;
        // What takes no time at all is as fast in every run.
        let speedup = if wall_time > 0.0 { truths[0].basis.wall_time / wall_time } else { 1.0 };
        TruthOfRun {
            ranks: size.ranks,
            threads: size.threads,
            wall_time,
            // The sum of nothing is -0.0.
            waiting_time: truth.findings.iter().fold(0.0, |sum, finding| sum + finding.waiting_time),
            speedup,
            efficiency: speedup * sizes[0].locations() as f64 / size.locations() as f64,
        }
    };
    let runs = truths.iter().zip(sizes).map(run).collect();
    Ok(Truth { runs, ..truths.swap_remove(0) })
}

#[cfg(test)]
mod tests {
    use ats_props::Catalogue;

    use super::*;

    #[test]
    fn runs_without_a_wait_have_waited_for_zero_seconds() {
        let catalogue = Catalogue::builtin();
        let amdahl = catalogue.properties().find(|property| property.name == "amdahl").unwrap();
        let (subject, sizes) = (Subject::from(amdahl), Size::for_property(amdahl));
        let truth = nominal_runs(&subject, &sizes, &TruthOptions::default()).unwrap();
        assert!(truth.runs.len() > 1);
        for run in truth.runs {
            assert!(run.waiting_time >= 0.0 && run.waiting_time.is_sign_positive(), "{run:?}");
        }
    }
}
