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

/// Omits the causes of all findings but one, which is meant by its id, or by its label if no other has that; returns its id.
///
/// # Errors
/// No finding has this id or this label.
pub(crate) fn keep_of(id: &str, analysis: &mut Analysis) -> Result<String, Failure> {
    let mut ids = analysis.findings.iter().map(|finding| finding.id.as_str());
    let mut labelled = analysis.findings.iter().filter(|finding| finding.label() == id);
    let id = match (labelled.next(), labelled.next()) {
        (Some(one), None) => one.id.clone(),
        _ => id.to_owned(),
    };
    if !ids.clone().any(|known| known == id) {
        let near = mistakes::near(&id, ids.by_ref());
        let like = match near[..] {
            [] => "`ats analyze --format json` lists them".to_owned(),
            _ => format!("did you mean `{}`?", near.join("` or `")),
        };
        return Err(Failure::Input(format!("--of {id}: there is no such finding; {like}")));
    }
    if let Some(causes) = &mut analysis.causes {
        causes.findings.retain(|caused| caused.finding == id);
    }
    Ok(id)
}
