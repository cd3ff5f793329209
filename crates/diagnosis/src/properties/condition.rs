//! Conditions on the amounts of regions: the filters of JavaPSL (Fahringer and Seragiotto 2001, section 4.2).

use std::sync::Arc;

use ats_model::mistakes::Mistakes;

use crate::properties::document::{Located, Source};
use crate::properties::draft::Drafts;
use crate::properties::expression::{Computed, Variables};
use crate::properties::figures::{Figures, Of, Whose};
use crate::properties::property::{Placed, push_units};
use crate::properties::quantity::Truth;
use crate::properties::set::Properties;

/// A condition on a region of an experiment, such as `max(parallel.time) > 1 * s`.
#[derive(Clone, Debug)]
pub struct Condition(Placed);

impl Properties {
    /// Reads a condition, an expression with the variables `parallel` and `basis`; `name` stands for its file in mistakes.
    ///
    /// # Errors
    /// It is wrong.
    pub fn condition(&mut self, name: &str, text: &str) -> Result<Condition, Mistakes> {
        let source = Arc::new(Source { file: name.to_owned(), text: text.to_owned() });
        let located = Located { text: text.to_owned(), source, at: 0 };
        let read = Placed::parse(located, &mut self.amounts).and_then(|placed| {
            let figures = |whose| Figures::made_up(whose, &self.amounts);
            placed.truth(&variables(figures(Whose::All), figures(Whose::Largest), true)).map(|_| ())?;
            Ok(Condition(placed))
        });
        read.map_err(|wrong| Drafts::mistakes(vec![wrong]))
    }
}

impl Condition {
    /// Whether it is true; it is not if it lacks data.
    pub(crate) fn is_true(&self, parallel: Figures<'_>) -> bool {
        let Of::Region(run, _) = parallel.of else { return false };
        let basis = Figures { of: Of::Basis(run), whose: Whose::Largest, ..parallel };
        matches!(self.0.truth(&variables(parallel, basis, false)), Ok(Ok(Truth::One(true))))
    }
}

fn variables<'a>(parallel: Figures<'a>, basis: Figures<'a>, check: bool) -> Variables<'a> {
    let mut variables = Variables::new(check);
    push_units(&mut variables);
    variables.push("parallel", Computed::Figures(parallel));
    variables.push("basis", Computed::Figures(basis));
    variables
}
