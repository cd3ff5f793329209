//! Names that a page cuts.

use std::collections::BTreeMap;

use ats_model::CallSite;
use ats_model::signature::short;

use super::Page;

/// By name, with or without its call site, the same with signatures cut; of those that have any.
pub(super) fn short_names(page: &Page<'_>) -> BTreeMap<String, String> {
    let mut names = Short::default();
    for program in &page.programs {
        let truth = program.truth.into_iter().flat_map(|truth| truth.findings.iter().chain(&truth.ambient));
        for of in truth.chain(program.found.iter().flat_map(|of| of.findings)) {
            names.add_path(&of.call_path, of.call_site.as_ref());
        }
        for region in program.profile.iter().flat_map(|profile| &profile.regions) {
            names.add(&region.name, None);
            names.add(&region.name, region.call_site.as_ref());
        }
        let Some(causes) = program.causes else { continue };
        for (path, of) in (0..).zip(&causes.call_paths) {
            names.add_path(of, causes.call_sites.get(&path));
        }
    }
    names.0
}

/// Whole names and cut ones.
#[derive(Default)]
struct Short(BTreeMap<String, String>);

impl Short {
    fn add_path(&mut self, names: &[String], site: Option<&CallSite>) {
        names.iter().for_each(|name| self.add(name, None));
        if let Some(call) = names.last() {
            self.add(call, site);
        }
    }

    fn add(&mut self, name: &str, site: Option<&CallSite>) {
        let cut_site =
            site.map(|site| CallSite { function: short(&site.function).into_owned(), ..site.clone() });
        let (whole, cut) = (CallSite::label(name, site), CallSite::label(&short(name), cut_site.as_ref()));
        if whole != cut {
            self.0.insert(whole, cut);
        }
    }
}
