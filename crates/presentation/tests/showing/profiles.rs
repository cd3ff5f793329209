//! The profile of a page: its numbers, the places in the source, and its omissions.

use std::collections::BTreeMap;
use std::path::Path;

use ats_documents::Profile;
use ats_documents::profile::{CallNode, Combine, Metric, Origin, ProcessingUnit, ProfiledRegion};
use ats_presentation::{Limits, Page, Program, Sources, timeline};
use ats_testing::peer;
use serde_json::Value;

use crate::common::{EVIL, TWO_CALL_SITES, TWO_PROPERTIES, analyzed, data};

/// The data of its only program's profile that the script of a page gets.
fn script_data(profile: &Profile, sources: Option<&Sources>) -> Value {
    let program = Program { profile: Some(profile), sources, ..Program::default() };
    data(&Page { programs: vec![program], ..Page::default() })["programs"][0]["profile"].take()
}

fn column(of: &Value) -> &[Value] {
    of.as_array().unwrap()
}

/// The values of each metric by call path and location, as the script unpacks them, the others last.
fn unpacked(told: &Value) -> BTreeMap<String, Vec<Vec<f64>>> {
    let (paths, units) = (column(&told["paths"]["parent"]).len(), column(&told["units"]["rank"]).len());
    let of_metric = |metric: &Value| {
        let scale = metric["scale"].as_f64().unwrap();
        let mut rows = vec![vec![0.0; units + 1]; paths];
        for entry in metric["values"].as_array().unwrap() {
            let row = &mut rows[entry[0].as_u64().unwrap() as usize];
            match (&entry[1], &entry[2]) {
                (Value::Number(all), _) => row[..units].fill(all.as_f64().unwrap() * scale),
                (Value::Array(units), Value::Array(values)) => {
                    for (unit, value) in units.iter().zip(values) {
                        row[unit.as_u64().unwrap() as usize] = value.as_f64().unwrap() * scale;
                    }
                }
                (Value::Array(values), _) => {
                    for (to, value) in row.iter_mut().zip(values) {
                        *to = value.as_f64().unwrap() * scale;
                    }
                }
                other => panic!("{other:?}"),
            }
        }
        (metric["name"].as_str().unwrap().to_owned(), rows)
    };
    told["metrics"].as_array().unwrap().iter().map(of_metric).collect()
}

#[test]
fn the_numbers_of_a_page_are_those_of_the_profile() {
    for name in ["scorep-hybrid-2x2", "scorep-7props-4ranks", "scorep-patterns-4ranks"] {
        let trace = ats_trace::Archive::open(&peer(&format!("{name}/traces.otf2"))).unwrap();
        let options = Default::default();
        let (analysis, profile) = ats_analyzer::analyze_and_profile(&trace, name, &options).unwrap();
        let told = script_data(&profile, None);
        let metrics = unpacked(&told);
        assert_eq!(told["omitted"], 0);
        assert_eq!(column(&told["paths"]["parent"]).len(), profile.call_tree.len());
        for (index, unit) in profile.units.iter().enumerate() {
            let at = |name: &str| told["units"][name][index].as_u64();
            assert_eq!((at("rank"), at("thread")), (Some(unit.rank.into()), Some(unit.thread.into())));
            for metric in profile.metrics.iter().filter(|metric| metric.combine == Combine::Sum) {
                let exact = profile.exclusive(&metric.name, |of| of == *unit);
                for (path, exact) in exact.into_iter().enumerate() {
                    let shown = metrics.get(&metric.name).map_or(0.0, |rows| rows[path][index]);
                    assert!((shown - exact).abs() <= 0.51e-9, "{name}: {} of {path}: {shown}", metric.name);
                }
            }
        }
        let shown: f64 = metrics["waiting"].iter().flatten().sum();
        let is_waiting = |id: &str| id != "omp_management";
        let found: f64 = analysis
            .findings
            .iter()
            .filter(|finding| finding.view == ats_model::View::Wait && is_waiting(finding.name()))
            .map(|finding| finding.waiting_time)
            .sum();
        assert!((shown - found).abs() < 1e-6, "{name}: {shown} s are shown, {found} s are found");
    }
}

/// `ranks` ranks, `main` with `functions` functions below it, each calling another.
fn wide(ranks: u32, functions: u32) -> Profile {
    let mut profile = Profile::new("wide");
    profile.units = (0..ranks).map(|rank| ProcessingUnit { rank, thread: 0, node: None }).collect();
    let region = |(id, name): (u32, String)| ProfiledRegion { id, name, ..ProfiledRegion::default() };
    let names =
        ["main".to_owned(), "inner".to_owned()].into_iter().chain((0..functions).map(|f| format!("f{f}")));
    profile.regions = (0..).zip(names).map(region).collect();
    profile.call_tree = vec![CallNode { id: 0, parent: None, region: 0 }];
    for function in 0..functions {
        let id = 2 * function + 1;
        profile.call_tree.push(CallNode { id, parent: Some(0), region: function + 2 });
        profile.call_tree.push(CallNode { id: id + 1, parent: Some(id), region: 1 });
    }
    profile.metrics = vec![Metric::new("time", "s", Origin::Measured, Combine::Sum)];
    let value = |path: u32, rank: u32| f64::from((path * 7 + rank * 3) % 11 + 1) / 8.0;
    let values =
        (0..2 * functions + 1).flat_map(|path| (0..ranks).map(move |rank| (path, rank, value(path, rank))));
    profile.values.insert("time".to_owned(), values.collect());
    profile
}

#[test]
fn omitted_rows_keep_their_sums() {
    for (ranks, functions) in [(300, 2), (8, 4000), (1000, 500), (1, 1)] {
        let profile = wide(ranks, functions);
        let told = script_data(&profile, None);
        let shown = &unpacked(&told)["time"];
        let sum: f64 = shown.iter().flatten().sum();
        let exact: f64 = profile.exclusive("time", |_| true).iter().sum();
        assert!((sum - exact).abs() < 1e-6, "{ranks} ranks, {functions} functions: {sum} of {exact}");
        let units = column(&told["units"]["rank"]).len();
        assert_eq!(
            (units, told["omitted"].as_u64()),
            (ranks.min(256) as usize, Some(u64::from(ranks.saturating_sub(256))))
        );
        let parents = column(&told["paths"]["parent"]);
        assert_eq!(parents.len() < profile.call_tree.len(), functions > 100, "{}", parents.len());
        for (index, parent) in (0..).zip(parents) {
            assert!(parent.as_u64().is_none_or(|parent| parent < index), "a parent comes before");
        }
        // Whole subtrees keep their sums, too.
        let mut whole: Vec<f64> = shown.iter().map(|row| row.iter().sum()).collect();
        for index in (1..parents.len()).rev() {
            whole[parents[index].as_u64().unwrap() as usize] += whole[index];
        }
        assert!((whole[0] - profile.inclusive("time", |_| true)[0]).abs() < 1e-6);
        assert!(told.to_string().len() < 200_000, "{} bytes", told.to_string().len());
    }
}

/// The profile of the example with places: two functions in a file that is there, one in a file that is not, with names
/// that a page has to escape.
pub(crate) fn with_places(profile: &mut Profile) {
    for region in &mut profile.regions {
        (region.file, region.lines) = match region.name.as_str() {
            "late_sender" => (Some("solve.c".to_owned()), Some([2, 4])),
            "at_barrier" => (Some("solve.c".to_owned()), Some([2, 2])),
            "work" => (Some(format!("/nowhere/{EVIL}")), Some([7, 9])),
            _ => (None, None),
        };
    }
}

/// A file that would end the script, and a style of its own.
pub(crate) const SOURCE: &str = "// </script><script>document.title = 'broken'</script>\nvoid late_sender() { // <b>&amp;\n\twork();\n}\n";

pub(crate) fn sources(profile: &Profile, folder: &Path) -> Sources {
    std::fs::write(folder.join("solve.c"), SOURCE).unwrap();
    Sources::read(profile, folder)
}

#[test]
fn lines_have_what_their_regions_have() {
    let mut of = analyzed(TWO_PROPERTIES);
    with_places(&mut of.profile);
    let folder = tempfile::tempdir().unwrap();
    let sources = sources(&of.profile, folder.path());
    let told = script_data(&of.profile, Some(&sources));
    let [nowhere, solve] = &told["files"].as_array().unwrap()[..] else { panic!("{}", told["files"]) };
    assert_eq!(nowhere["name"], format!("/nowhere/{EVIL}"));
    assert!(nowhere["why"].as_str().unwrap().starts_with("there is no such file in "), "{nowhere}");
    assert_eq!((&nowhere["text"], &solve["text"]), (&Value::Null, &SOURCE.into()));
    let number =
        |name: &str| told["regions"].as_array().unwrap().iter().position(|region| region["label"] == name);
    // Rank 1 is in the receive for 7 s, and 3 of them wait; rank 0 waits 20 s in the barrier.
    let lines = serde_json::json!({
        "first": [2, 2],
        "last": [4, 2],
        "region": [number("late_sender"), number("at_barrier")],
        "visits": [2, 2],
        "exclusive": [2.0, 0.0],
        "inclusive": [18.0, 42.0],
        "waiting": [3.0, 20.0],
    });
    assert_eq!(solve["lines"], lines);
}

#[test]
fn a_picture_says_which_of_many_locations_are_shown() {
    let ranks: String = (0..300).map(|rank| format!("{rank}: 0..{} work\n", rank + 1)).collect();
    let of = analyzed(&ranks);
    let picture = timeline(&of.trace, None, &Limits { rows: 4, ..Limits::default() });
    let program = Program { profile: Some(&of.profile), timeline: Some(&picture), ..Program::default() };
    let told = &data(&Page { programs: vec![program], ..Page::default() })["programs"][0]["profile"];
    let ranks: Vec<u32> = picture.rows.iter().map(|row| row.rank).collect();
    let units = serde_json::json!({ "rank": ranks, "thread": [0, 0, 0, 0] });
    assert_eq!((&told["units"], &told["omitted"]), (&units, &296.into()));
}

#[test]
fn calls_at_two_places_have_names_and_lines_of_their_own() {
    let of = analyzed(TWO_CALL_SITES);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("two.c"), SOURCE).unwrap();
    let told = script_data(&of.profile, Some(&Sources::read(&of.profile, folder.path())));
    let regions = told["regions"].as_array().unwrap();
    let number = |name: &str| regions.iter().position(|region| region["label"] == name).unwrap();
    let [setup, halo] = ["MPI_Recv in setup (two.c:10)", "MPI_Recv in halo (two.c:22)"].map(number);
    let receive = serde_json::json!({
        "label": "MPI_Recv in halo (two.c:22)", "file": "src/two.c", "lines": [22, 22],
    });
    assert_eq!(regions[halo], receive);
    let [file] = &told["files"].as_array().unwrap()[..] else { panic!("{}", told["files"]) };
    assert_eq!((&file["name"], &file["text"]), (&"src/two.c".into(), &SOURCE.into()));
    let columns = ["first", "last", "region", "visits", "exclusive", "inclusive", "waiting"];
    let line = |at: usize| Value::from(columns.map(|name| file["lines"][name][at].clone()).to_vec());
    let lines: Vec<Value> = (0..column(&file["lines"]["first"]).len()).map(line).collect();
    for line in [
        serde_json::json!([10, 10, setup, 1, 6.0, 6.0, 5.0]),
        serde_json::json!([22, 22, halo, 1, 3.0, 3.0, 2.0]),
    ] {
        assert!(lines.contains(&line), "{line}: {lines:?}");
    }
}
