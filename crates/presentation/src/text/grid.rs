//! A table of text without lines between its cells.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table};

use crate::printable::printable;

/// A table in columns, for a terminal or a file. Its cells have no control characters.
#[derive(Debug)]
pub(super) struct Grid(Table);

impl Grid {
    /// An empty table with these headings. The columns in `right` are aligned to the right. Without a width, in
    /// columns of a terminal, no cell is broken.
    pub(super) fn new(header: &[&str], right: &[usize], width: Option<u16>) -> Self {
        let mut table = Table::new();
        table.load_style(NOTHING).set_header(header.iter().map(|heading| printable(heading).into_owned()));
        if let Some(width) = width {
            table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        }
        if let Some(first) = table.column_mut(0) {
            first.set_padding((0, 1));
        }
        for &column in right {
            if let Some(column) = table.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        Grid(table)
    }

    /// Adds a row.
    pub(super) fn row<T: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = T>) -> &mut Self {
        self.0.add_row(cells.into_iter().map(|cell| printable(cell.as_ref()).into_owned()));
        self
    }

    /// Breaks no cell of a column.
    pub(super) fn keep_whole(&mut self, column: usize) {
        if let Some(column) = self.0.column_mut(column) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }

    /// Whether it has no rows.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Its lines, with the headings first.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        self.0.lines().map(|line| line.trim_end().to_owned())
    }

    /// Its lines as a text.
    pub(super) fn text(&self) -> String {
        self.lines().map(|line| line + "\n").collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Grid;

    #[test]
    fn columns_are_aligned_and_control_characters_shown() {
        let mut grid = Grid::new(&["seconds", "region"], &[0], None);
        grid.row(["0.25", "main"]).row(["12.5", "so\nlve"]);
        assert_eq!(grid.text(), "seconds  region\n   0.25  main\n   12.5  so\\u{a}lve\n");
    }
}
