//! The languages of programs.

/// The language of programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// Rust, built by Cargo with the suite's crates.
    #[default]
    Rust,
    /// C, built with `libats`.
    C,
    /// Fortran, built with `libats`; threads are those of C functions beside it.
    Fortran,
}

impl Language {
    /// Every language, the suite's own first.
    pub const ALL: [Language; 3] = [Language::Rust, Language::C, Language::Fortran];

    /// Its name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Language::Rust => "rust",
            Language::C => "c",
            Language::Fortran => "fortran",
        }
    }
}
