//! Functions of a program by the addresses of their instructions.

use std::fs;
use std::ops::Range;
use std::path::Path;

use goblin::elf::Elf;
use goblin::elf::header::ET_DYN;
use goblin::elf::sym::STT_FUNC;
use thiserror::Error;

/// The address where valgrind puts programs that can be anywhere.
const VALGRIND_BASE: u64 = 0x10_8000;

/// The region of code that is in no function of the program: libraries, and parts without a symbol.
pub const OTHER: &str = "other code";

/// The functions of a program.
#[derive(Clone, Debug)]
pub struct Symbols {
    /// Begin, end and number of each, rising.
    functions: Vec<(u64, u64, usize)>,
    names: Vec<String>,
    entry: u64,
}

/// An error of a program whose functions are asked for.
#[derive(Debug, Error)]
pub enum SymbolsError {
    /// It cannot be read.
    #[error("cannot read the symbols of {file}: {reason}; name the program that was traced")]
    Unreadable {
        /// The program.
        file: String,
        /// The reason.
        reason: String,
    },
    /// It has none.
    #[error("{file} has no symbols of functions; build it without -s, and do not strip it")]
    None {
        /// The program.
        file: String,
    },
}

impl Symbols {
    /// The functions of a program, where valgrind puts them.
    ///
    /// # Errors
    /// It is no program, or it has no symbols.
    pub fn read(program: &Path) -> Result<Symbols, SymbolsError> {
        let file = || program.display().to_string();
        let unreadable = |reason: String| SymbolsError::Unreadable { file: file(), reason };
        let bytes = fs::read(program).map_err(|error| unreadable(error.to_string()))?;
        let elf = Elf::parse(&bytes).map_err(|error| unreadable(error.to_string()))?;
        let base = if elf.header.e_type == ET_DYN { VALGRIND_BASE } else { 0 };
        let table = || elf.syms.iter().map(|symbol| (symbol, &elf.strtab));
        let dynamic = elf.dynsyms.iter().map(|symbol| (symbol, &elf.dynstrtab));
        let mut functions: Vec<(u64, u64, &str)> = table()
            .chain(dynamic)
            .filter(|(symbol, _)| symbol.st_type() == STT_FUNC && symbol.st_size > 0 && !symbol.is_import())
            .filter_map(|(symbol, names)| {
                let begin = symbol.st_value.checked_add(base)?;
                Some((begin, begin.checked_add(symbol.st_size)?, names.get_at(symbol.st_name)?))
            })
            .collect();
        functions.sort_unstable();
        // Several names of one function are one region.
        functions.dedup_by_key(|(begin, ..)| *begin);
        if functions.is_empty() {
            return Err(SymbolsError::None { file: file() });
        }
        let names = functions.iter().map(|(.., name)| Self::source_name(name)).collect();
        let functions = functions.iter().enumerate().map(|(at, &(begin, end, _))| (begin, end, at)).collect();
        Ok(Symbols { functions, names, entry: elf.header.e_entry.wrapping_add(base) })
    }

    /// The name of a function as sources of Rust or C++ have it; a name of C stays.
    ///
    /// ```
    /// use ats_prediction::memory::Symbols;
    ///
    /// assert_eq!(Symbols::source_name("_ZN4grid5sweepEPdi"), "grid::sweep(double*, int)");
    /// assert_eq!(Symbols::source_name("_ZN4core3fmt5write17h0123456789abcdefE"), "core::fmt::write");
    /// assert_eq!(Symbols::source_name("multiply"), "multiply");
    /// ```
    pub fn source_name(name: &str) -> String {
        if let Ok(of_rust) = rustc_demangle::try_demangle(name) {
            return format!("{of_rust:#}");
        }
        let options = cpp_demangle::DemangleOptions::new().no_return_type();
        let of_cpp = cpp_demangle::Symbol::new(name).ok();
        let of_cpp = of_cpp.and_then(|symbol| symbol.demangle_with_options(&options).ok());
        of_cpp.unwrap_or_else(|| name.to_owned())
    }

    /// The first instruction of the program. A trace without it is of another program, or of another place of it.
    pub fn entry(&self) -> u64 {
        self.entry
    }

    /// The names of the functions, by their numbers.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The addresses of the function that an instruction is in, and its number; between functions, those up to the next one, and
    /// the number behind the last.
    pub fn function(&self, address: u64) -> (Range<u64>, usize) {
        let after = self.functions.partition_point(|&(begin, ..)| begin <= address);
        let next = self.functions.get(after).map_or(u64::MAX, |&(begin, ..)| begin);
        match after.checked_sub(1).map(|at| self.functions[at]) {
            // Where functions overlap, the later one begins.
            Some((begin, end, number)) if address < end => (begin..end.min(next), number),
            Some((_, end, _)) => (end..next, self.names.len()),
            None => (0..next, self.names.len()),
        }
    }
}
