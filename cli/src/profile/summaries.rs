//! `ats profile --summaries`.

use std::cmp::Ordering;

use ats_model::Profile;
use ats_model::region_class::Classes;
use ats_model::summaries::Spent;
use ats_validation::score::table::printable;

use super::{NOTHING, ProfileOf, Sort, share};
use crate::failure::Failure;
use crate::findings::{lines, plain};
use crate::output::Output;

/// A column's heading, and its seconds.
type Column = (&'static str, fn(&Spent) -> Option<f64>);

/// What is shown of a region.
const COLUMNS: [Column; 7] = [
    ("seconds", |spent| spent.time),
    ("communication", |spent| spent.communication),
    ("receive", |spent| spent.receive),
    ("synchronisation", |spent| spent.synchronisation),
    ("waiting", |spent| spent.waiting),
    ("control", |spent| spent.control),
    ("io", |spent| spent.io),
];

impl ProfileOf {
    pub(super) fn summarize(
        &self,
        profile: &Profile,
        classes: &Classes,
        output: Output,
    ) -> Result<(), Failure> {
        let summaries = profile.summaries(classes, |_| true);
        output.document(&summaries, || self.summaries_text(profile, classes))
    }

    fn summaries_text(&self, profile: &Profile, classes: &Classes) -> String {
        let (head, all) = self.head(profile);
        let summaries = profile.summaries(classes, |unit| self.is_meant(unit));
        let mut rows = summaries.by_region();
        let percent = |spent: &Spent| share(spent.time.unwrap_or_default(), all);
        rows.retain(|(region, spent)| self.is_named(region) && percent(spent) >= self.above);
        if rows.is_empty() {
            return head + NOTHING;
        }
        let most_first =
            |a: Option<f64>, b: Option<f64>| b.unwrap_or_default().total_cmp(&a.unwrap_or_default());
        rows.sort_by(|(one, a), (other, b)| {
            let order = match self.sort {
                Sort::Time | Sort::Inclusive => most_first(a.time, b.time),
                Sort::Visits => most_first(a.visits, b.visits),
                Sort::Name => Ordering::Equal,
            };
            order.then_with(|| one.cmp(other))
        });
        let own = classes.own();
        let names = COLUMNS.iter().map(|(name, _)| *name).chain(own.iter().map(String::as_str));
        let header: Vec<&str> = names.chain(["region"]).collect();
        let mut table = plain(&header, &(0..header.len() - 1).collect::<Vec<_>>());
        for (region, spent) in rows {
            let of_own =
                own.iter().map(|sub| spent.time.and(Some(spent.subs.get(sub).copied().unwrap_or_default())));
            let amounts = COLUMNS.iter().map(|(_, of)| of(&spent)).chain(of_own);
            let texts = amounts
                .map(|seconds| seconds.map_or_else(|| "-".to_owned(), |seconds| format!("{seconds:.6}")));
            table.add_row(texts.chain([printable(region).into_owned()]));
        }
        head + &lines(&table)
    }
}
