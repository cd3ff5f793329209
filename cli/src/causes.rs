//! Options of root causes.

use std::path::PathBuf;

use ats_analyzer::Options;
use ats_documents::Analysis;
use ats_model::{delay::Extent, mistakes};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args};

use crate::failure::Failure;

/// The root causes that are wanted.
#[derive(Args, Clone, Debug, Default)]
#[command(group = ArgGroup::new(CausesArgs::FOUND).multiple(true))]
pub(crate) struct CausesArgs {
    /// Find the root causes of waits, too: who makes whom wait, and the critical path.
    #[arg(long, value_name = "WAITS", num_args = 0..=1, require_equals = true, default_missing_value = SCALASCA,
        value_parser = extent(), group = CausesArgs::FOUND)]
    causes: Option<Extent>,
    /// The folder of temporary files, which hold records of causes that do not fit into memory [default: the system's].
    #[arg(long, value_name = "DIR", requires = CausesArgs::FOUND)]
    temp: Option<PathBuf>,
}

/// The name of [`Extent::Scalasca`] on the command line.
const SCALASCA: &str = "scalasca";

/// The name of [`Extent::All`] on the command line.
const ALL: &str = "all";

fn extent() -> impl TypedValueParser<Value = Extent> {
    let scalasca = PossibleValue::new(SCALASCA).help("Of the waits that Scalasca analyzes");
    let all = PossibleValue::new(ALL).help("Of all waits whose causes are known");
    PossibleValuesParser::new([scalasca, all]).map(|name| match name.as_str() {
        ALL => Extent::All,
        _ => Extent::Scalasca,
    })
}

impl CausesArgs {
    /// Options of the search for causes.
    pub(crate) const FOUND: &str = "finds_causes";

    /// Whether causes are wanted.
    pub(crate) fn are_wanted(&self) -> bool {
        self.causes.is_some()
    }

    /// The options of an analysis that finds them.
    pub(crate) fn options(&self) -> Result<Options, Failure> {
        if let Some(folder) = self.temp.as_deref().filter(|folder| !folder.is_dir()) {
            return Err(Failure::Input(format!(
                "--temp {}: there is no such folder; name one that temporary files can be written to",
                folder.display()
            )));
        }
        Ok(Options { causes: self.causes, temp: self.temp.clone(), ..Options::default() })
    }
}

/// Omits the causes of all findings but one.
///
/// # Errors
/// No finding has this id.
pub(crate) fn keep_of(id: &str, analysis: &mut Analysis) -> Result<(), Failure> {
    let mut ids = analysis.findings.iter().map(|finding| finding.id.as_str());
    if !ids.clone().any(|known| known == id) {
        let near = mistakes::near(id, ids.by_ref());
        let like = match near[..] {
            [] => "`ats analyze --format json` lists them".to_owned(),
            _ => format!("did you mean `{}`?", near.join("` or `")),
        };
        return Err(Failure::Input(format!("--of {id}: there is no such finding; {like}")));
    }
    if let Some(causes) = &mut analysis.causes {
        causes.findings.retain(|caused| caused.finding == id);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use ats_documents::causes::{CausedFinding, Causes};
    use ats_documents::{Basis, Finding};
    use ats_model::WaitState;

    use super::*;

    fn analysis() -> Analysis {
        let basis = Basis::new(None, 1.0, 2);
        let finding = |state, call: &str| {
            Finding::wait(Some(state), vec!["main".into(), call.into()], Vec::new(), 1, &basis, true)
        };
        let findings = vec![
            finding(WaitState::LateSender, "MPI_Recv"),
            finding(WaitState::LateSender, "MPI_Waitall"),
            finding(WaitState::WaitAtBarrier, "MPI_Barrier"),
        ];
        let of =
            |finding: &Finding| CausedFinding { finding: finding.id.clone(), ..CausedFinding::default() };
        let causes = Causes { findings: findings.iter().map(of).collect(), ..Causes::default() };
        let json = serde_json::json!({
            "schema": Analysis::SCHEMA, "trace": "t", "locations": 2, "events": 9,
            "basis": basis, "findings": findings, "causes": causes,
        });
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn the_causes_of_one_finding_are_kept_and_of_one_that_is_not_there_similar_ones_are_named() {
        let mut kept = analysis();
        keep_of("late_sender@main/MPI_Waitall", &mut kept).unwrap();
        let causes = kept.causes.unwrap();
        let ids: Vec<&str> = causes.findings.iter().map(|caused| caused.finding.as_str()).collect();
        assert_eq!((ids, kept.findings.len()), (vec!["late_sender@main/MPI_Waitall"], 3));
        let said = |id: &str| keep_of(id, &mut analysis()).unwrap_err().message();
        assert_eq!(
            said("late_sendr@main/MPI_Recv"),
            "--of late_sendr@main/MPI_Recv: there is no such finding; did you mean `late_sender@main/MPI_Recv`?"
        );
        assert!(said("x").ends_with("there is no such finding; `ats analyze --format json` lists them"));
    }
}
