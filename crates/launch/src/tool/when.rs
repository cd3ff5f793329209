//! Differences of a tool's description for programs of one paradigm.

use std::collections::BTreeMap;

use ats_props::Needs;

use super::description::{PARADIGMS, Tool};

/// The keys that may differ.
const OTHERWISE: [&str; 5] = ["needs", "attach", "after", "report", "shows"];

impl Tool {
    /// As it is for programs with such needs.
    pub fn for_programs(&self, needs: Needs) -> &Tool {
        self.of_paradigm.get(needs.paradigm()).unwrap_or(self)
    }

    /// The description for each paradigm in `when`, or the first mistake in it.
    pub(super) fn by_paradigm(&self) -> Result<BTreeMap<String, Tool>, String> {
        let when = self.when.iter();
        when.map(|(paradigm, other)| match self.merged(paradigm, other) {
            Ok(merged) => Ok((paradigm.clone(), merged)),
            Err(wrong) => Err(format!("when.{paradigm}: {wrong}")),
        })
        .collect()
    }

    fn merged(&self, paradigm: &str, other: &toml::Table) -> Result<Tool, String> {
        if !PARADIGMS.contains(&paradigm) {
            return Err(format!("`{paradigm}` is unknown; use one of {}", PARADIGMS.join(", ")));
        }
        if let Some(key) = other.keys().find(|key| !OTHERWISE.contains(&key.as_str())) {
            let known = OTHERWISE.join(", ");
            return Err(format!("`{key}` must be the same for all programs; only {known} may differ"));
        }
        let plain = Tool { when: BTreeMap::new(), ..self.clone() };
        let mut table = toml::Table::try_from(plain).expect("a description is a table");
        merge(&mut table, other);
        let merged: Tool = table.try_into().map_err(|error: toml::de::Error| error.message().to_owned())?;
        if merged.language() != self.language() {
            return Err("all paradigms need the same language; omit `languages`".to_owned());
        }
        merged.wrong().map_or(Ok(Tool { here: self.here.clone(), ..merged }), Err)
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
        let of = |needs| scalasca.for_programs(needs);
        let (mpi, openmp, hybrid) = (of(Needs::RANKS), of(Needs::TEAM), of(Needs::RANKS_AND_TEAM));
        let scout = |tool: &Tool| (tool.after[0].command[0].clone(), tool.after[0].launched);
        assert_eq!(
            [mpi, openmp, hybrid].map(scout),
            [("scout.mpi", true), ("scout.omp", false), ("scout.hyb", true)]
                .map(|(command, launched)| (command.to_owned(), launched))
        );
        assert_eq!(openmp.attach.environment["LD_PRELOAD"], "{env:SCOREP_PRELOAD_OPENMP}");
        assert_eq!(openmp.attach.environment["SCOREP_ENABLE_TRACING"], "true", "as for all");
        assert_eq!((&mpi.report, &mpi.shows), (&openmp.report, &openmp.shows));
    }

    #[test]
    fn mistakes_are_named_with_their_paradigm() {
        let text = include_str!("../../tools/scalasca.toml").split("[when").next().unwrap();
        let wrong = |when: &str, what: &str| {
            let error = Tool::parse(&format!("{text}\n{when}"), "mine.toml").unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        };
        wrong("[when.cuda]", "when.cuda: `cuda` is unknown; use one of mpi, openmp, hybrid");
        wrong("[when.mpi]\nname = 'x'", "when.mpi: `name` must be the same for all programs");
        wrong("[when.mpi.needs]\ncomands = []", "when.mpi: unknown field `comands`");
        wrong("[when.mpi.needs]\nlanguages = ['c']", "when.mpi: all paradigms need the same language");
        wrong("[when.mpi.report]\npath = '/x'", "when.mpi: `/x` leaves the folder of the run");
    }
}
