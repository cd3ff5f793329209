//! What is otherwise under a tool for programs of one paradigm.

use std::borrow::Cow;
use std::collections::BTreeMap;

use ats_props::Needs;

use super::description::{PARADIGMS, Tool};

/// What may be otherwise.
const OTHERWISE: [&str; 5] = ["needs", "attach", "after", "report", "shows"];

impl Tool {
    /// What cannot be for programs of a paradigm.
    pub(super) fn wrong_when(&self, paradigm: &str, other: &toml::Table) -> Option<String> {
        if !PARADIGMS.contains(&paradigm) {
            return Some(format!("`{paradigm}` is none of {}", PARADIGMS.join(", ")));
        }
        if let Some(key) = other.keys().find(|key| !OTHERWISE.contains(&key.as_str())) {
            let known = OTHERWISE.join(", ");
            return Some(format!("`{key}` is the same for all programs; what may differ is {known}"));
        }
        match self.merged(other) {
            Err(error) => Some(error.message().to_owned()),
            Ok(merged) if merged.language() != self.language() => {
                Some("programs are of one language, whatever their paradigm".to_owned())
            }
            Ok(merged) => merged.wrong(),
        }
    }

    /// As it is for programs with such needs.
    pub fn for_programs(&self, needs: Needs) -> Cow<'_, Tool> {
        let merged = |other| self.merged(other).expect("it was tried when the description was read");
        let other = self.when.get(needs.paradigm());
        other.map_or(Cow::Borrowed(self), |other| Cow::Owned(merged(other)))
    }

    fn merged(&self, other: &toml::Table) -> Result<Tool, toml::de::Error> {
        let plain = Tool { when: BTreeMap::new(), ..self.clone() };
        let mut table = toml::Table::try_from(plain).expect("a description is a table");
        merge(&mut table, other);
        let merged: Tool = table.try_into()?;
        Ok(Tool { here: self.here.clone(), ..merged })
    }
}

/// Merges tables; all else takes the place of what is there.
fn merge(table: &mut toml::Table, other: &toml::Table) {
    for (key, value) in other {
        match (table.get_mut(key), value) {
            (Some(toml::Value::Table(inner)), toml::Value::Table(other)) => merge(inner, other),
            _ => {
                table.insert(key.clone(), value.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paradigm_has_what_is_its_own_and_the_rest_of_all() {
        let scalasca = Tool::named("scalasca").unwrap();
        let of = |needs| scalasca.for_programs(needs).into_owned();
        let (mpi, openmp, hybrid) = (of(Needs::RANKS), of(Needs::TEAM), of(Needs::RANKS_AND_TEAM));
        let scout = |tool: &Tool| (tool.after[0].command[0].clone(), tool.after[0].launched);
        assert_eq!(
            [&mpi, &openmp, &hybrid].map(scout),
            [("scout.mpi", true), ("scout.omp", false), ("scout.hyb", true)]
                .map(|(command, launched)| (command.to_owned(), launched))
        );
        assert_eq!(openmp.attach.environment["LD_PRELOAD"], "{env:SCOREP_PRELOAD_OPENMP}");
        assert_eq!(openmp.attach.environment["SCOREP_ENABLE_TRACING"], "true", "as for all");
        assert_eq!((mpi.report, mpi.shows), (openmp.report, openmp.shows));
    }

    #[test]
    fn what_cannot_be_is_named_with_its_paradigm() {
        let text = include_str!("../../../tools/scalasca.toml").split("[when").next().unwrap();
        let wrong = |when: &str, what: &str| {
            let error = Tool::parse(&format!("{text}\n{when}"), "mine.toml").unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        };
        wrong("[when.cuda]", "when.cuda: `cuda` is none of mpi, openmp, hybrid");
        wrong("[when.mpi]\nname = 'x'", "when.mpi: `name` is the same for all programs");
        wrong("[when.mpi.needs]\ncomands = []", "when.mpi: unknown field `comands`");
        wrong("[when.mpi.needs]\nlanguages = ['c']", "when.mpi: programs are of one language");
        wrong("[when.mpi.report]\npath = '/x'", "when.mpi: `/x` leaves the folder of the run");
    }
}
