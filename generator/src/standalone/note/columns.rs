//! Notes about derived types.

use ats_model::mpi::Function;
use ats_mpi::Column;

use super::super::arguments::Passed;
use super::{COLUMN, Noting};

impl Noting {
    /// Calls make the type of a column.
    pub(super) fn derives(&mut self, column: &Column) {
        if std::mem::replace(&mut self.rank().has_type, true) {
            self.unfit("it makes a type while it has another");
        }
        let &Column { datatype, count, stride } = column;
        let passed = Passed::default().number("count", count).word("1").number("stride", stride);
        self.call(Function::Type_vector.name(), passed.word(datatype.name()).word(COLUMN));
        self.call(Function::Type_commit.name(), Passed::default().word(COLUMN));
    }

    /// The type that was made is freed.
    pub(super) fn frees_type(&mut self) {
        self.rank().has_type = false;
        self.call(Function::Type_free.name(), Passed::default().word(COLUMN));
    }
}
