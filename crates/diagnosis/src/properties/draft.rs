//! Properties and templates as they are in the files, before their expressions are read.

use std::collections::BTreeMap;
use std::sync::Arc;

use ats_model::mistakes::{Mistakes, nearest};
use toml::Spanned;

use crate::properties::document::{Document, Entry, Located, SCHEMA, Source};
use crate::properties::property::Wrong;
use crate::properties::unit::Unit;

/// The content of all property files.
#[derive(Debug, Default)]
pub(crate) struct Drafts {
    pub(crate) templates: Vec<Draft>,
    pub(crate) properties: Vec<Draft>,
    pub(crate) units: BTreeMap<String, Unit>,
    /// Properties that were switched off.
    pub(crate) off: Vec<Located>,
    pub(crate) wrong: Vec<Wrong>,
}

/// A property or a template.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) name: Located,
    template: Option<Located>,
    parameters: Vec<Located>,
    with: Vec<(String, Located)>,
    pub(crate) of: Vec<Located>,
    /// Parameters and `let` parts.
    pub(crate) parts: Vec<(String, Located)>,
    pub(crate) each: Vec<(String, Located)>,
    pub(crate) over: Vec<Located>,
    pub(crate) holds: Option<Located>,
    pub(crate) confidence: Option<Located>,
    pub(crate) severity: Option<Located>,
    pub(crate) weight: Option<Located>,
    pub(crate) explains: Vec<Located>,
    pub(crate) text: Option<Located>,
}

impl Drafts {
    /// Adds a file: its properties replace those of the same names.
    pub(crate) fn add(&mut self, source: Arc<Source>) {
        let document: Document = match toml::from_str(&source.text) {
            Ok(document) => document,
            Err(error) => {
                let at = error.span().map_or(0, |span| span.start);
                let what = error.message().trim_end().replace('\n', "; ");
                self.wrong.push(Wrong { located: whole(&source), at, what });
                return;
            }
        };
        if document.schema.get_ref() != SCHEMA {
            let found = source.located(&document.schema);
            let what =
                format!("its schema is `{}`, and not {SCHEMA}; write schema = \"{SCHEMA}\"", found.text);
            self.wrong.push(Wrong { located: found, at: 0, what });
        }
        for (name, unit) in &document.units {
            self.declare(name, source.located(unit));
        }
        for off in &document.off {
            let name = source.located(off);
            match self.properties.iter().position(|known| known.name.text == name.text) {
                Some(at) => {
                    self.properties.remove(at);
                    self.off.push(name);
                }
                None => {
                    let what = unknown(&name.text, "property", &self.properties);
                    self.wrong.push(Wrong { located: name, at: 0, what });
                }
            }
        }
        let mut own = Vec::new();
        for (entries, is_template) in [(document.template, true), (document.property, false)] {
            for entry in entries {
                let draft = Draft::new(entry, &source);
                if own.contains(&(is_template, draft.name.text.clone())) {
                    let what = format!("there are two called {}; rename or omit one", draft.name.text);
                    self.wrong.push(Wrong { located: draft.name.clone(), at: 0, what });
                }
                own.push((is_template, draft.name.text.clone()));
                let list = if is_template { &mut self.templates } else { &mut self.properties };
                match list.iter().position(|known| known.name.text == draft.name.text) {
                    Some(at) => list[at] = draft,
                    None => list.push(draft),
                }
            }
        }
    }

    fn declare(&mut self, name: &str, written: Located) {
        let known = ats_experiment::unit_of(name).and_then(Unit::named);
        let known = known.or_else(|| self.units.get(name).copied());
        let what = match (Unit::named(&written.text), known) {
            (None, _) => {
                format!(
                    "`{}` is not a unit; write s, bytes, count, 1, or a quotient as bytes/s",
                    written.text
                )
            }
            (Some(unit), Some(known)) if unit != known => {
                format!("{name} is in {known} already; omit this line, or rename the metric")
            }
            (Some(unit), _) => {
                self.units.insert(name.to_owned(), unit);
                return;
            }
        };
        self.wrong.push(Wrong { located: written, at: 0, what });
    }

    /// All properties, each with the keys of its template.
    pub(crate) fn resolved(&mut self) -> Vec<Draft> {
        let properties = std::mem::take(&mut self.properties);
        let resolved = properties.iter().filter_map(|draft| match draft.resolved(&self.templates) {
            Ok(draft) => Some(draft),
            Err(wrong) => {
                self.wrong.push(wrong);
                None
            }
        });
        resolved.collect()
    }

    /// The mistakes, in the order of the files' lines.
    pub(crate) fn mistakes(mut wrong: Vec<Wrong>) -> Mistakes {
        let place = |wrong: &Wrong| (wrong.located.source.file.clone(), wrong.located.byte(wrong.at));
        wrong.sort_by_key(place);
        let mut mistakes = Mistakes::default();
        wrong.iter().for_each(|wrong| mistakes.add(&wrong.located.place(wrong.at), &wrong.what));
        mistakes
    }
}

/// A file as a whole.
fn whole(source: &Arc<Source>) -> Located {
    Located { text: String::new(), source: source.clone(), at: 0 }
}

/// The mistake that a name is not known.
pub(crate) fn unknown(name: &str, kind: &str, known: &[Draft]) -> String {
    match nearest(name, known.iter().map(|draft| draft.name.text.as_str())) {
        Some(near) => format!("there is no {kind} `{name}`; did you mean {near}?"),
        None => format!("there is no {kind} `{name}`; check the name"),
    }
}

impl Draft {
    fn new(entry: Entry, source: &Arc<Source>) -> Self {
        let one = |text: &Spanned<String>| source.located(text);
        let list = |texts: &[Spanned<String>]| texts.iter().map(one).collect::<Vec<_>>();
        let table = |table: &BTreeMap<String, Spanned<String>>| {
            let mut parts: Vec<_> = table.iter().map(|(name, text)| (name.clone(), one(text))).collect();
            parts.sort_by_key(|(_, located)| located.at);
            parts
        };
        Draft {
            name: one(&entry.name),
            template: entry.template.as_ref().map(one),
            parameters: list(&entry.parameters),
            with: table(&entry.with),
            of: list(&entry.of),
            parts: table(&entry.r#let),
            each: table(&entry.each),
            over: list(&entry.over),
            holds: entry.holds.as_ref().map(one),
            confidence: entry.confidence.as_ref().map(one),
            severity: entry.severity.as_ref().map(one),
            weight: entry.weight.as_ref().map(one),
            explains: list(&entry.explains),
            text: entry.text.as_ref().map(one),
        }
    }

    /// The same with the keys of its template that it does not have itself.
    fn resolved(&self, templates: &[Draft]) -> Result<Draft, Wrong> {
        let mut own = self.clone();
        let Some(name) = &self.template else {
            return match self.with.first() {
                Some((_, with)) => {
                    let what = "`with` is for the parameters of a template; name one, as template = \"LoadImbalance\"";
                    Err(Wrong { located: with.clone(), at: 0, what: what.to_owned() })
                }
                None => Ok(own),
            };
        };
        let Some(template) = templates.iter().find(|template| template.name.text == name.text) else {
            let what = unknown(&name.text, "template", templates);
            return Err(Wrong { located: name.clone(), at: 0, what });
        };
        let is_parameter = |name: &str| template.parameters.iter().any(|parameter| parameter.text == name);
        if let Some((extra, with)) = self.with.iter().find(|(name, _)| !is_parameter(name)) {
            let known = template.parameters.iter().map(|parameter| parameter.text.as_str());
            let what = match nearest(extra, known) {
                Some(near) => format!("{} has no parameter `{extra}`; did you mean {near}?", name.text),
                None => format!("{} has no parameter `{extra}`; omit it", name.text),
            };
            return Err(Wrong { located: with.clone(), at: 0, what });
        }
        let mut parts = Vec::new();
        for parameter in &template.parameters {
            let given = self.with.iter().find(|(name, _)| *name == parameter.text);
            let Some(given) = given else {
                let what = format!("it lacks {0}; write with = {{ {0} = \"…\" }}", parameter.text);
                return Err(Wrong { located: name.clone(), at: 0, what });
            };
            parts.push(given.clone());
        }
        let filled = |own: &mut Vec<Located>, given: &[Located]| {
            if own.is_empty() {
                own.extend_from_slice(given);
            }
        };
        filled(&mut own.of, &template.of);
        filled(&mut own.over, &template.over);
        filled(&mut own.explains, &template.explains);
        parts.extend(template.parts.iter().chain(&self.parts).cloned());
        own.parts = parts;
        own.each.splice(0..0, template.each.iter().cloned());
        own.holds = own.holds.or_else(|| template.holds.clone());
        own.confidence = own.confidence.or_else(|| template.confidence.clone());
        own.severity = own.severity.or_else(|| template.severity.clone());
        own.weight = own.weight.or_else(|| template.weight.clone());
        own.text = own.text.or_else(|| template.text.clone());
        Ok(own)
    }
}
