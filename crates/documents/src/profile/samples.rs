//! Samples in a profile: the functions that units were found in, by call path.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Profile;

/// Samples of a unit in a call path, at a line of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sampled {
    /// The call path that the unit was in: an index into `call_tree`.
    pub call_path: u32,
    /// The unit: an index into `units`.
    pub unit: u32,
    /// The innermost function of the program.
    pub function: String,
    /// Its source file, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line there, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The number of samples.
    pub samples: u64,
}

/// The part that a function has in samples.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FunctionShare {
    /// The function.
    pub function: String,
    /// Its source file, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line there with the most samples, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Its share of the time, from 0 to 1.
    pub share: f64,
    /// The number of samples behind it.
    pub samples: u64,
}

impl FunctionShare {
    /// Its place in the source, without the folder: `solver.c:88`; none where that is not known.
    pub fn place(&self) -> Option<String> {
        let file = self.file.as_deref()?;
        let file = file.rsplit('/').next().unwrap_or(file);
        Some(format!("{file}:{}", self.line?))
    }
}

/// The samples of a function by line, where that is known.
type Lines = BTreeMap<Option<u32>, u64>;

impl Profile {
    /// The functions that samples were taken in, of those that are meant, by falling shares.
    ///
    /// ```
    /// use ats_documents::profile::{Profile, Sampled};
    /// let of = |function: &str, line, samples| Sampled {
    ///     function: function.to_owned(),
    ///     file: Some("src/solver.c".to_owned()),
    ///     line: Some(line),
    ///     samples,
    ///     ..Sampled::default()
    /// };
    /// let profile = Profile {
    ///     samples: vec![of("norm", 40, 5), of("relax", 87, 6), of("relax", 88, 9)],
    ///     ..Profile::default()
    /// };
    /// let functions = profile.functions(|_| true);
    /// assert_eq!((functions[0].function.as_str(), functions[0].samples, functions[0].share), ("relax", 15, 0.75));
    /// assert_eq!(functions[0].place().as_deref(), Some("solver.c:88"));
    /// ```
    pub fn functions(&self, is_meant: impl Fn(&Sampled) -> bool) -> Vec<FunctionShare> {
        let mut lines: BTreeMap<(&str, Option<&str>), Lines> = BTreeMap::new();
        for sampled in self.samples.iter().filter(|sampled| is_meant(sampled)) {
            let of_function = lines.entry((&sampled.function, sampled.file.as_deref())).or_default();
            *of_function.entry(sampled.line).or_default() += sampled.samples;
        }
        let all: u64 = lines.values().flat_map(BTreeMap::values).sum();
        let share = |((function, file), lines): ((&str, Option<&str>), Lines)| {
            let samples: u64 = lines.values().sum();
            let most = lines.iter().max_by_key(|(_, samples)| **samples);
            FunctionShare {
                function: function.to_owned(),
                file: file.map(str::to_owned),
                line: most.and_then(|(line, _)| *line),
                share: samples as f64 / all.max(1) as f64,
                samples,
            }
        };
        let mut shares: Vec<FunctionShare> = lines.into_iter().map(share).collect();
        shares.sort_by_key(|of| std::cmp::Reverse(of.samples));
        shares
    }
}
