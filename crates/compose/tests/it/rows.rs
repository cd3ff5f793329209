//! The rows of the catalogue.

use std::collections::BTreeSet;
use std::path::Path;

use ats_compose::Row;
use ats_props::Catalogue;

#[test]
fn every_row_is_there_once_and_says_one_thing() {
    let rows = Row::list();
    let names: BTreeSet<_> = rows.iter().map(|row| (row.table, &row.row)).collect();
    assert_eq!(names.len(), rows.len());
    assert_eq!(
        rows.iter().map(|row| row.table).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>(),
        [1, 2, 3, 4, 5, 6, 7, 8]
    );
    for row in &rows {
        let said = [row.property.is_some(), row.by.is_some(), row.excluded.is_some(), row.open];
        assert_eq!(said.into_iter().filter(|&said| said).count(), 1, "{row:?}");
        assert!(row.excluded.as_ref().is_none_or(|reason| reason.len() > 10), "{row:?}");
        assert!(row.reading.is_none() || row.by.is_some() && row.read_by().is_some(), "{row:?}");
    }
}

#[test]
fn a_program_is_in_the_rows_that_it_is_or_shows() {
    let rows = Row::list();
    assert_eq!(
        Row::names_for(&rows, "wait_at_mpi_finalize"),
        ["wait_at_mpi_finalize", "control_of_parallelism"]
    );
    assert_eq!(Row::names_for(&rows, "late_sender_balanced"), [""; 0]);
    assert_eq!(Row::names_for(&rows, "imbalance_at_mpi_barrier_balanced"), ["balanced_mpi_barrier"]);
}

#[test]
fn names_of_rows_exist_and_are_not_open() {
    let catalogue = Catalogue::builtin();
    let rows = Row::list();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for by in rows.iter().filter_map(|row| row.by.as_ref()) {
        let words: Vec<String> = by.split(' ').map(str::to_owned).collect();
        let is_there = match catalogue.program(&words[0]) {
            Ok(program) => program.property.arguments_of_words(&words[1..]).is_ok(),
            Err(_) => words.len() == 1 && examples.join(by).is_file(),
        };
        assert!(is_there, "{by}");
    }
    let properties: BTreeSet<&str> = catalogue.properties().map(|property| property.name).collect();
    let mut named = BTreeSet::new();
    for name in rows.iter().filter_map(|row| row.property.as_deref()) {
        assert!(properties.contains(name), "there is no {name}");
        assert!(named.insert(name), "{name} is in two rows");
    }
    let missing: Vec<_> = properties.difference(&named).collect();
    assert!(missing.is_empty(), "{missing:?} are in no row of rows.toml");
    for Row { row, .. } in rows.iter().filter(|row| row.open) {
        assert!(!properties.contains(&**row), "{row} is there, and its row says that it is open");
    }
}
