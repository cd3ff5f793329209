//! Call sites: the places in a program that call a function of a library.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The place of a call in the source of a program; without debugging information, its place in the code.
///
/// Its text is the description of the called region in a trace:
///
/// ```
/// use ats_model::CallSite;
/// let site = CallSite { function: "halo".into(), file: "src/heat.c".into(), line: 12 };
/// assert_eq!(site.to_string(), "called in halo at src/heat.c:12");
/// assert_eq!(CallSite::of_description("called in halo at src/heat.c:12"), Some(site));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CallSite {
    /// The calling function; with the call's distance from its beginning if the line is unknown (`halo+0x1c`), or the
    /// executable or library with the distance from its beginning (`heat+0x1150`).
    pub function: String,
    /// The source file; empty if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// The line in the file; 0 if unknown.
    #[serde(default, skip_serializing_if = "is_unknown")]
    pub line: u32,
}

fn is_unknown(line: &u32) -> bool {
    *line == 0
}

/// The beginning of the description of a region that has a call site.
const CALLED_IN: &str = "called in ";
/// Between the function and its file.
const AT: &str = " at ";

impl CallSite {
    /// The call site that a region's description names.
    pub fn of_description(description: &str) -> Option<Self> {
        let site = description.strip_prefix(CALLED_IN).filter(|site| !site.is_empty())?;
        let place = site.split_once(AT).and_then(|(function, place)| {
            let (file, line) = place.rsplit_once(':')?;
            Some(CallSite { function: function.to_owned(), file: file.to_owned(), line: line.parse().ok()? })
        });
        Some(place.unwrap_or_else(|| CallSite { function: site.to_owned(), ..CallSite::default() }))
    }

    /// Its text in a table: the function, and the file without its folder.
    ///
    /// ```
    /// let site = ats_model::CallSite { function: "halo".into(), file: "src/heat.c".into(), line: 12 };
    /// assert_eq!(site.short(), "halo (heat.c:12)");
    /// ```
    pub fn short(&self) -> String {
        let CallSite { function, file, line } = self;
        let file = file.rsplit('/').next().unwrap_or(file);
        match line {
            0 => function.clone(),
            line => format!("{function} ({file}:{line})"),
        }
    }

    /// The place alone: the file without its folder and the line; the function if they are unknown.
    ///
    /// ```
    /// let site = ats_model::CallSite { function: "halo".into(), file: "src/heat.c".into(), line: 12 };
    /// assert_eq!(site.place(), "heat.c:12");
    /// ```
    pub fn place(&self) -> String {
        match self.line {
            0 => self.function.clone(),
            line => format!("{}:{line}", self.file.rsplit('/').next().unwrap_or(&self.file)),
        }
    }

    /// The text of a call in a table: its name or call path, and its call site if that is known.
    ///
    /// ```
    /// use ats_model::CallSite;
    /// let site = CallSite { function: "halo".into(), file: "src/heat.c".into(), line: 12 };
    /// assert_eq!(CallSite::label("MPI_Recv", Some(&site)), "MPI_Recv in halo (heat.c:12)");
    /// assert_eq!(CallSite::label("MPI_Recv", None), "MPI_Recv");
    /// ```
    pub fn label(name: &str, site: Option<&CallSite>) -> String {
        match site {
            Some(site) => format!("{name} in {}", site.short()),
            None => name.to_owned(),
        }
    }
}

impl fmt::Display for CallSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CallSite { function, file, line } = self;
        match line {
            0 => write!(f, "{CALLED_IN}{function}"),
            line => write!(f, "{CALLED_IN}{function}{AT}{file}:{line}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(function: &str, file: &str, line: u32) -> CallSite {
        CallSite { function: function.into(), file: file.into(), line }
    }

    #[test]
    fn a_description_names_the_call_site_that_it_was_made_of() {
        for site in [
            site("halo", "/home/me at work/a b/heat.c", 12),
            site("(anonymous namespace)::Grid<int>::halo(int, char) const", "C:/heat.cpp", 1),
            site("halo+0x1c", "", 0),
            site("heat+0x1150", "", 0),
        ] {
            assert_eq!(CallSite::of_description(&site.to_string()), Some(site));
        }
    }

    #[test]
    fn other_descriptions_name_no_call_site() {
        for other in ["", "halo", "called in ", "called by halo", "not called in halo"] {
            assert_eq!(CallSite::of_description(other), None, "{other}");
        }
        let odd = CallSite::of_description("called in halo at home").unwrap();
        assert_eq!(odd, site("halo at home", "", 0));
    }
}
