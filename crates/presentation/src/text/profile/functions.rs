//! The functions of the program that samples were taken in, below the table of a profile.

use ats_documents::profile::{Profile, Sampled};

use super::{Rows, View};
use crate::text::grid::Grid;

/// The functions of a row at most, and the least share of each.
const MOST: usize = 10;
const LEAST: f64 = 0.01;

/// The table of the functions in these regions or call paths, without what is inside them; nothing without samples.
pub(super) fn table(view: &View<'_>, profile: &Profile, shown: &Rows<'_>) -> String {
    let mut table = Grid::new(&["share", "samples", "function", shown.what], &[0, 1], view.width);
    let is_meant = |of: &Sampled| view.is_meant(profile.units[of.unit as usize]);
    for row in &shown.rows {
        let number = |of: &Sampled| (shown.number)(&profile.call_tree[of.call_path as usize]);
        let functions = profile.functions(|of| is_meant(of) && number(of) == row.number);
        for of in functions.iter().filter(|of| of.share >= LEAST).take(MOST) {
            let place = of.place().map_or_else(String::new, |place| format!(" ({place})"));
            let [share, samples] = [format!("{:.0} %", of.share * 100.0), of.samples.to_string()];
            table.row([share, samples, format!("{}{place}", of.function), row.name.clone()]);
        }
    }
    if table.is_empty() { String::new() } else { format!("\nBy samples, alone:\n\n{}", table.text()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ats_documents::profile::{CallNode, Combine, Metric, Origin, ProcessingUnit, ProfiledRegion};

    #[test]
    fn each_row_has_its_functions_with_the_samples_behind_them() {
        let mut profile = Profile::new("test");
        profile.units = [0, 1].map(|rank| ProcessingUnit { rank, thread: 0, node: None }).into();
        profile.regions =
            vec![ProfiledRegion { name: "step between a.c:3 and a.c:5".into(), ..ProfiledRegion::default() }];
        profile.call_tree = vec![CallNode { id: 0, parent: None, region: 0 }];
        profile.metrics = vec![Metric::new(Profile::TIME, "s", Origin::Measured, Combine::Sum)];
        profile.values.insert(Profile::TIME.into(), vec![(0, 0, 2.0), (0, 1, 1.0)].into());
        let of = |function: &str, unit, line, samples| Sampled {
            call_path: 0,
            unit,
            function: function.into(),
            file: Some("src/a.c".into()).filter(|_| line > 0),
            line: Some(line).filter(|&line| line > 0),
            samples,
        };
        profile.samples = vec![of("relax", 0, 88, 30), of("relax", 1, 89, 45), of("norm", 0, 0, 25)];
        let both = View::default().regions(&profile);
        let expected = "\nBy samples, alone:\n\nshare  samples  function        region\n \
            75 %       75  relax (a.c:89)  step between a.c:3 and a.c:5\n \
            25 %       25  norm            step between a.c:3 and a.c:5\n";
        assert!(both.ends_with(expected), "{both}");
        let one = View { rank: Some(1), ..View::default() }.call_paths(&profile, None);
        assert!(one.contains("100 %       45  relax (a.c:89)  step between"), "{one}");
    }
}
