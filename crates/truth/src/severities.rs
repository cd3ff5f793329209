//! The severities of a property at usual sizes, for the README of its program.

use ats_compose::Subject;
use ats_documents::Finding;
use ats_props::{Needs, Property, What};

use super::{Size, TruthError, TruthOptions, nominal};

/// The amount that a property is known to show with its defaults, at one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnownSeverity {
    /// The number of ranks.
    pub ranks: u32,
    /// The number of threads of each rank.
    pub threads: u32,
    /// The known amount.
    pub amount: Amount,
}

/// An amount that a property shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// Of a wait state.
    Wait {
        /// Summed over all locations, in seconds.
        waiting_time: f64,
        /// Waiting time as a share of the measured region's time over all locations.
        severity: f64,
    },
    /// Of anything else, over all locations: a number, seconds, or a ratio.
    Number(f64),
}

/// The sizes of the known severities.
fn sizes(needs: Needs) -> Vec<Size> {
    let size = |(ranks, threads)| Size { ranks, threads };
    let sizes: &[(usize, usize)] = match needs {
        Needs::RANKS => &[(4, 1), (8, 1), (16, 1)],
        Needs::TEAM => &[(1, 4), (1, 8), (1, 16)],
        Needs::RANKS_AND_TEAM => &[(2, 2), (2, 4), (4, 4)],
        Needs::NOTHING => &[(1, 1)],
    };
    sizes.iter().copied().map(size).collect()
}

/// The amounts that a property shows with its defaults, of its first promise, at every size that it runs at; empty if
/// there is nothing to find.
///
/// # Errors
/// It does not come to its end on the virtual engine.
pub fn severities(property: &'static Property) -> Result<Vec<KnownSeverity>, TruthError> {
    let Some(first) = property.finds.first() else { return Ok(Vec::new()) };
    let subject = Subject::from(property);
    sizes(property.needs)
        .into_iter()
        .filter(|size| size.check(&subject).is_ok())
        .map(|size| {
            let truth = nominal(&subject, size, &TruthOptions::default())?;
            let amount = match first {
                What::Wait(state) => {
                    let shown = truth.findings.iter().filter(|finding| finding.property == Some(state));
                    let waiting_time = shown.fold(0.0, |sum, finding| sum + finding.waiting_time);
                    Amount::Wait { waiting_time, severity: truth.basis.severity(waiting_time) }
                }
                _ => {
                    let is_it = |finding: &&Finding| {
                        finding.unit().metric() == Some(first.metric())
                            && finding.call_path.last().is_some_and(|region| region == first.name())
                    };
                    let shown = truth.findings.iter().find(is_it);
                    Amount::Number(shown.map_or(0.0, |finding| finding.quantity().value))
                }
            };
            Ok(KnownSeverity { ranks: size.ranks as u32, threads: size.threads as u32, amount })
        })
        .collect()
}
