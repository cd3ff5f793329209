use std::collections::BTreeMap;
use std::fmt::Write as _;

use ats_documents::diagnosis::Instance;

use super::common::{four, instances, of_rows, of_table, severity, with};

/// The tables of SCALEA, by the name of their experiments.
fn scalea(name: &str) -> ats_documents::Diagnosis {
    let table = include_str!("../../../../experiment/tests/data/scalea.csv");
    let is_meant = |line: &&str| {
        let of = line.split(['.', ',']).next().unwrap().trim_end_matches("-sequential");
        of == name || line.starts_with("experiment,")
    };
    let lines: Vec<&str> = table.lines().filter(is_meant).collect();
    assert!(lines.len() > 2, "there are experiments of {name}");
    of_table(&with("").unwrap(), &lines.join("\n"))
}

#[test]
fn the_tables_of_scalea() {
    let tables = [
        ("md", "MD", "0.0042", &["0.0236", "0.0296", "0.0329"][..]),
        (
            "pricing_hpf",
            "pricing",
            "0.3762",
            &["0.0106", "0.0954", "0.3257", "0.5407", "0.6893", "0.7899", "0.8475"],
        ),
        (
            "pricing_hybrid",
            "pricing",
            "0.2262",
            &["0.0127", "0.0479", "0.1033", "0.1760", "0.2522", "0.3412", "0.4195"],
        ),
        ("lapw0", "LAPW0", "0.3124", &["0.0061", "0.2363", "0.4927", "0.6206", "0.7269", "0.8046", "0.8457"]),
    ];
    for (name, region, scalability, inefficiency) in tables {
        let diagnosis = scalea(name);
        for property in ["NonScalability", "AlternativeNonScalability"] {
            assert_eq!(
                severity(&diagnosis, property, region).map(four).as_deref(),
                Some(scalability),
                "{name}"
            );
        }
        let size = |one: &Instance| {
            let run = &diagnosis.experiments[one.experiments[0] as usize].run;
            (run.ranks * run.threads, four(one.severity.unwrap()))
        };
        let of = instances(&diagnosis, "Inefficiency", region);
        let by_size: BTreeMap<u32, String> = of.into_iter().map(size).collect();
        assert_eq!(by_size.into_values().collect::<Vec<_>>(), inefficiency, "{name}");
    }
}

#[test]
fn time_that_scalea_does_not_identify_is_a_part() {
    let diagnosis = scalea("lapw0");
    let of = instances(&diagnosis, "UnidentifiedOverhead", "LAPW0");
    let largest = of.iter().find(|one| diagnosis.experiments[one.experiments[0] as usize].run.ranks == 24);
    let expected: f64 = 41.633 / 114.821;
    assert!((largest.unwrap().severity.unwrap() - expected).abs() < 1e-4, "{largest:?}");
}

#[test]
fn table_3_of_javapsl() {
    let mut rows = "bp-sequential,main,s,time,1\n".to_owned();
    for nodes in [1, 2, 4, 6] {
        for threads in 1..=4 {
            let inefficiency = match (nodes, threads) {
                (6, 4) => 0.14,
                (6, 1) => 0.05,
                (4, 1) => 0.03,
                (2, 1) => 0.01,
                _ => 0.0,
            };
            let time = 1.0 / (f64::from(nodes * threads) * (1.0 - inefficiency));
            writeln!(rows, "bp.ranks{nodes}.threads{threads},main,s,time,{time}").unwrap();
        }
    }
    let diagnosis = of_rows(&with("").unwrap(), &rows);
    assert_eq!(severity(&diagnosis, "NonScalability", "main").map(four).as_deref(), Some("0.1256"));
    let alternative = severity(&diagnosis, "AlternativeNonScalability", "main");
    assert_eq!(alternative.map(four).as_deref(), Some("0.0825"));
    let of = instances(&diagnosis, "Inefficiency", "main");
    let holding: Vec<String> = of.iter().filter_map(|one| one.severity.map(four)).collect();
    assert_eq!(
        (of.len(), &holding[..]),
        (16, &["0.1400", "0.0500", "0.0300", "0.0100"].map(String::from)[..])
    );
}

#[test]
fn blocks_of_36_atoms() {
    for (units, expected) in [
        (1, None),
        (2, None),
        (4, None),
        (6, None),
        (12, None),
        (18, None),
        (8, Some("0.114")),
        (16, Some("0.267")),
        (24, Some("0.261")),
    ] {
        let mut rows = String::new();
        for unit in 0..units {
            let atoms = (36 * (unit + 1)) / units - (36 * unit) / units;
            writeln!(rows, "lapw0.ranks{units},atoms,{unit},time,{}", f64::from(atoms) * 0.1).unwrap();
        }
        let diagnosis = of_rows(&with("").unwrap(), &rows);
        let severity = severity(&diagnosis, "ExecutionTimeLoadImbalance", "atoms");
        assert_eq!(severity.map(|severity| format!("{severity:.3}")).as_deref(), expected, "{units} units");
        let of = instances(&diagnosis, "ExecutionTimeLoadImbalance", "atoms");
        assert_eq!((of.len(), of[0].holds), (1, expected.is_some()), "{units} units");
    }
}

#[test]
fn no_efficiency_is_above_one() {
    let rows = "a-sequential,main,s,time,10\na.ranks2,main,s,time,4\na.ranks4,main,s,time,5\n";
    let diagnosis = of_rows(&with("").unwrap(), rows);
    // Efficiencies 1.25, clipped at 1, and 0.5.
    assert_eq!(severity(&diagnosis, "NonScalability", "main"), Some(0.25));
    let holds: Vec<bool> =
        instances(&diagnosis, "Inefficiency", "main").iter().map(|one| one.holds).collect();
    assert_eq!(holds, [true, false]);
    // Over the holding instances there is only one.
    let alternative = instances(&diagnosis, "AlternativeNonScalability", "main");
    assert!(!alternative[0].holds);
}
