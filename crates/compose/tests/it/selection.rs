//! Selections of programs.

use std::collections::BTreeSet;

use ats_compose::{Row, Selection};
use ats_props::{Catalogue, Program};

/// The number of different things that properties show or tempt to, by paradigm and kind of entry.
fn all_shown(programs: impl Iterator<Item = Program>) -> usize {
    let shown = |program: Program| {
        let (needs, entry, finds) = (program.property.needs, program.property.entry, program.property.finds);
        let quantities = finds.shown.iter().map(|shown| (shown.what.metric(), shown.what.name()));
        let temptations = finds.tempts.iter().map(|state| ("temptation", state.name()));
        quantities.chain(temptations).map(move |shown| (needs, entry, shown))
    };
    programs.flat_map(shown).collect::<BTreeSet<_>>().len()
}

#[test]
fn few_show_what_all_show() {
    let catalogue = Catalogue::builtin();
    let few: Vec<Program> = Selection::Representative.programs(&catalogue).collect();
    let all: Vec<Program> = Selection::All.programs(&catalogue).collect();
    let shown = all_shown(all.iter().copied());
    assert_eq!(all_shown(few.iter().copied()), shown);
    assert!(few.iter().filter(|program| !program.balanced).count() <= shown);
    assert!(few.len() * 3 < all.len() * 2, "{} of {}", few.len(), all.len());
    for left_out in few.iter().map(|program| program.property) {
        let others = few.iter().filter(|program| !std::ptr::eq(program.property, left_out));
        assert!(all_shown(others.copied()) < shown, "{} adds nothing", left_out.name);
    }
}

#[test]
fn a_table_has_the_properties_of_its_rows() {
    let names = |table| -> Vec<&str> {
        let programs = Selection::Table(table).programs(&Catalogue::builtin());
        programs.map(|program| program.name()).collect()
    };
    assert!(["late_sender", "late_sender_balanced"].iter().all(|name| names(1).contains(name)));
    assert!(!names(2).contains(&"late_sender"));
    let rows = Row::list();
    let is_in_a_row = |program: &Program| rows.iter().any(|row| row.is_property(program.property));
    let tables: usize = (1..=8).map(|table| names(table).len()).sum();
    assert_eq!(tables, Catalogue::builtin().programs().filter(is_in_a_row).count());
}
