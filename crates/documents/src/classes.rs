//! A user's own classes: rules in a TOML file, which come before the table.

use std::ops::Range;
use std::path::Path;

use glob::Pattern;
use serde::Deserialize;
use thiserror::Error;
use toml::Spanned;

use crate::profile::ProfiledRegion;
use ats_model::files::read_text;
use ats_model::lines::{Lines, Place};
use ats_model::mistakes::nearest;
use ats_model::region_class::{Class, Reach, RegionClass};

/// The classes of regions: a user's rules, then the table.
///
/// ```
/// use ats_documents::profile::ProfiledRegion;
/// use ats_documents::classes::Classes;
/// let text = r#"
///     [[region]]
///     match = "update_halo*"
///     class = "control"
///     sub = "halo"
/// "#;
/// let classes = Classes::parse(text, "classes.toml")?;
/// let region = ProfiledRegion { name: "update_halo_x".to_owned(), ..ProfiledRegion::default() };
/// assert_eq!(classes.class(&region).unwrap().to_string(), "control/halo");
/// # Ok::<(), ats_documents::classes::ClassesError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Classes {
    /// The first that fits is meant.
    rules: Vec<Rule>,
}

#[derive(Clone, Debug)]
struct Rule {
    pattern: Pattern,
    class: Class,
    sub: String,
}

/// A mistake in a file of classes, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}{}: {message}", .place.map_or_else(String::new, |place| format!(":{place}")))]
pub struct ClassesError {
    /// The file.
    pub file: String,
    /// The place in it; `None` if it cannot be read.
    pub place: Option<Place>,
    /// The mistake, and what would be right.
    pub message: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    region: Vec<RuleDocument>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleDocument {
    r#match: Spanned<String>,
    class: Spanned<String>,
    sub: Option<Spanned<String>>,
}

impl Classes {
    /// The table, after the rules of a file.
    ///
    /// # Errors
    /// The file cannot be read, or is not a valid file of rules.
    pub fn read(path: &Path) -> Result<Self, ClassesError> {
        let file = path.display().to_string();
        let text = read_text(path).map_err(|error| ClassesError {
            file: file.clone(),
            place: None,
            message: format!("cannot be read: {error}"),
        })?;
        Classes::parse(&text, &file)
    }

    /// As [`Classes::read`], of a text that errors call `file`.
    ///
    /// # Errors
    /// It is not a valid file of rules.
    pub fn parse(text: &str, file: &str) -> Result<Self, ClassesError> {
        let lines = Lines::new(text);
        let error = |span: Range<usize>, message: String| ClassesError {
            file: file.to_owned(),
            place: Some(lines.place(span.start)),
            message,
        };
        let document: Document = toml::from_str(text)
            .map_err(|wrong| error(wrong.span().unwrap_or_default(), wrong.message().to_owned()))?;
        if document.region.is_empty() {
            let message = "there is no rule; begin one with [[region]], and give it `match` and `class`";
            return Err(error(0..0, message.to_owned()));
        }
        let rules = document
            .region
            .into_iter()
            .map(|rule| rule.resolved().map_err(|(span, message)| error(span, message)));
        Ok(Classes { rules: rules.collect::<Result<_, _>>()? })
    }

    /// The class of a region; null if it has none.
    pub fn class(&self, region: &ProfiledRegion) -> Option<RegionClass<'_>> {
        let own = self.rules.iter().find(|rule| rule.pattern.matches(&region.name));
        match own {
            Some(rule) => Some(RegionClass { class: rule.class, sub: &rule.sub, reach: Reach::All }),
            None => RegionClass::for_region(&region.name, region.role, region.paradigm),
        }
    }

    /// The classes that the user's rules name, as `control/halo`, each once.
    pub fn own(&self) -> Vec<String> {
        let mut own = Vec::new();
        for Rule { class, sub, .. } in &self.rules {
            let name = RegionClass { class: *class, sub, reach: Reach::All }.to_string();
            if !sub.is_empty() && !own.contains(&name) {
                own.push(name);
            }
        }
        own
    }
}

impl RuleDocument {
    /// The rule, or where it is wrong and how.
    fn resolved(self) -> Result<Rule, (Range<usize>, String)> {
        let RuleDocument { r#match, class, sub } = self;
        if r#match.get_ref().is_empty() {
            return Err((
                r#match.span(),
                "no region has an empty name; give a pattern, such as \"update_*\"".into(),
            ));
        }
        let pattern = Pattern::new(r#match.get_ref()).map_err(|wrong| {
            let message = format!(
                "`{}` is not a valid pattern: {}; `*` matches anything, `?` any letter, `[ab]` one of these, \
                 `[[]` a bracket",
                r#match.get_ref(),
                wrong.msg
            );
            (r#match.span(), message)
        })?;
        let known = Class::ALL.into_iter().find(|known| known.name() == class.get_ref());
        let known = known.ok_or_else(|| {
            let names = Class::ALL.map(Class::name);
            let fix = nearest(class.get_ref(), names).map_or_else(
                || format!("there are {}", names.join(", ")),
                |nearest| format!("did you mean {nearest}?"),
            );
            (class.span(), format!("there is no class `{}`; {fix}", class.get_ref()))
        })?;
        let Some(sub) = sub else { return Ok(Rule { pattern, class: known, sub: String::new() }) };
        let is_word = |c: char| c.is_alphanumeric() || "_-.".contains(c);
        if sub.get_ref().is_empty() || !sub.get_ref().chars().all(is_word) {
            let message =
                format!("`{}` is not a valid subclass; use letters, digits, `_`, `-` and `.`", sub.get_ref());
            return Err((sub.span(), message));
        }
        Ok(Rule { pattern, class: known, sub: sub.into_inner() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(classes: &Classes, name: &str) -> String {
        let region = ProfiledRegion { name: name.to_owned(), ..ProfiledRegion::default() };
        classes.class(&region).map_or_else(|| "none".to_owned(), |class| class.to_string())
    }

    #[test]
    fn the_first_rule_that_fits_comes_before_the_table() {
        let text = "
            [[region]]
            match = \"MPI_Test\"
            class = \"computation\"
            [[region]]
            match = \"update_?alo*\"
            class = \"control\"
            sub = \"halo\"
            [[region]]
            match = \"update_*\"
            class = \"io\"
            [[region]]
            match = \"a::update_*\"
            class = \"control\"
            sub = \"halo\"";
        let classes = Classes::parse(text, "classes.toml").unwrap();
        for (name, of) in [
            ("MPI_Test", "computation"),
            ("MPI_Testall", "communication/point_to_point"),
            ("update_halo", "control/halo"),
            ("update_files", "io"),
            ("Update_halo", "none"),
            ("my_update_halo", "none"),
            ("a::update_x", "control/halo"),
        ] {
            assert_eq!(class(&classes, name), of, "{name}");
        }
        assert_eq!(classes.own(), ["control/halo"]);
        assert_eq!(class(&Classes::default(), "update_halo"), "none");
    }

    #[test]
    fn mistakes_are_reported_with_their_place_and_the_fix() {
        let rule = |lines: &str| format!("[[region]]\n{lines}\n");
        for (text, said) in [
            (
                String::new(),
                "c.toml:1:1: there is no rule; begin one with [[region]], and give it `match` and `class`",
            ),
            (
                rule("match = \"a*\"\nclass = \"comunication\""),
                "c.toml:3:9: there is no class `comunication`; did you mean communication?",
            ),
            (
                rule("match = \"a*\"\nclass = \"of my own\""),
                "c.toml:3:9: there is no class `of my own`; there are communication, synchronisation, control, io, computation",
            ),
            (
                rule("match = \"a[\"\nclass = \"io\""),
                "c.toml:2:9: `a[` is not a valid pattern: invalid range pattern; `*` matches anything, `?` any letter, `[ab]` one of \
                 these, `[[]` a bracket",
            ),
            (
                rule("match = \"\"\nclass = \"io\""),
                "c.toml:2:9: no region has an empty name; give a pattern, such as \"update_*\"",
            ),
            (
                rule("match = \"a\"\nclass = \"io\"\nsub = \"a/b\""),
                "c.toml:4:7: `a/b` is not a valid subclass; use letters, digits, `_`, `-` and `.`",
            ),
            (
                rule("match = \"a\"\nclas = \"io\""),
                "c.toml:3:1: unknown field `clas`, expected one of `match`, `class`, `sub`",
            ),
            (rule("match = \"a\""), "c.toml:1:1: missing field `class`"),
        ] {
            assert_eq!(Classes::parse(&text, "c.toml").unwrap_err().to_string(), said);
        }
        let broken = Classes::parse("[[region]\n", "c.toml").unwrap_err();
        assert_eq!(broken.place.unwrap().line, 1, "{broken}");
    }
}
