//! Lists of counts: the sizes of the runs of an experiment.

use super::ParameterType;

/// Some counts, in their order. An experiment has one, and runs a program with each; no function takes one, so C has
/// nothing for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List(pub Vec<usize>);

impl ParameterType for List {
    const KIND: &'static str = "list";
    const RANGE: &'static str = "whole numbers with commas between them: 1,2,4";

    fn parse(text: &str) -> Result<Self, String> {
        let all = text.split(',').map(usize::parse).collect::<Result<_, _>>();
        all.map(List).map_err(|_| format!("`{text}` is not a valid list; give {}", Self::RANGE))
    }

    fn text(&self) -> String {
        self.0.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
    }
}
