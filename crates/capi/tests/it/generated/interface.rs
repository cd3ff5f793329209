//! The library's interface: functions and structures with their documentation, in words of three languages.

use ats_props::native::{fortran_symbol, without_links};
use ats_props::{CType, Needs};

/// All that the library offers.
#[derive(Default)]
pub(crate) struct Interface {
    /// The structures that C programs fill in.
    pub(crate) structures: Vec<Structure>,
    /// The functions written by hand.
    pub(crate) functions: Vec<Function>,
    /// The properties and their twins.
    pub(crate) properties: Vec<Function>,
}

pub(crate) struct Structure {
    pub(crate) name: String,
    /// The library's module that it is in.
    pub(crate) module: String,
    pub(crate) doc: String,
    pub(crate) fields: Vec<(String, &'static Type)>,
}

pub(crate) struct Function {
    pub(crate) name: String,
    /// The library's module that it is in.
    pub(crate) module: String,
    /// Its documentation in Markdown.
    pub(crate) doc: String,
    pub(crate) parameters: Vec<(String, &'static Type)>,
    pub(crate) result: Option<&'static Type>,
}

/// A type of the interface.
#[derive(PartialEq)]
pub(crate) struct Type {
    /// In Rust, as its source is read.
    pub(crate) rust: &'static str,
    pub(crate) c: &'static str,
    /// As a Fortran program passes it; a handle of MPI as an integer.
    pub(crate) fortran: &'static str,
    /// The conversion of a Fortran program's handle into C's and back, if it is one.
    pub(crate) handle: Option<Handle>,
}

#[derive(PartialEq)]
pub(crate) struct Handle {
    pub(crate) from_fortran: &'static str,
    pub(crate) to_fortran: &'static str,
}

const fn plain(rust: &'static str, c: &'static str, fortran: &'static str) -> Type {
    Type { rust, c, fortran, handle: None }
}

const fn of_c(rust: &'static str, ctype: CType) -> Type {
    plain(rust, ctype.c(), ctype.fortran())
}

const fn handle(name: &'static str, from_fortran: &'static str, to_fortran: &'static str) -> Type {
    Type { rust: name, c: name, fortran: "integer(c_int)", handle: Some(Handle { from_fortran, to_fortran }) }
}

pub(crate) static DOUBLE: Type = of_c("f64", CType::Double);
pub(crate) static INT: Type = of_c("c_int", CType::Int);
pub(crate) static LONG: Type = of_c("i64", CType::Long);
pub(crate) static FUNCTION: Type = of_c("distr_func_t", CType::Function);
pub(crate) static DESCRIPTOR: Type = plain("* mut distr_t", CType::Descriptor.c(), "type(c_ptr)");
pub(crate) static COMMUNICATOR: Type = handle("MPI_Comm", "RSMPI_Comm_f2c", "RSMPI_Comm_c2f");

pub(crate) static TEXT: Type =
    plain("* const c_char", "const char*", "character(kind=c_char), dimension(*), intent(in)");

static OTHERS: [Type; 9] = [
    plain("* mut * mut c_char", "char**", "type(c_ptr)"),
    plain("ats_paradigm_t", "ats_paradigm_t", "integer(c_int)"),
    handle("MPI_Datatype", "RSMPI_Type_f2c", "RSMPI_Type_c2f"),
    plain("mpi_dir_t", "mpi_dir_t", "integer(c_int)"),
    plain("* mut mpi_buf_t", "mpi_buf_t*", "type(c_ptr)"),
    plain("* mut mpi_vbuf_t", "mpi_vbuf_t*", "type(c_ptr)"),
    plain("* mut c_void", "void*", "type(c_ptr)"),
    plain("* mut c_int", "int*", "type(c_ptr)"),
    plain("* mut f64", "double*", "type(c_ptr)"),
];

impl Type {
    /// The type that Rust writes so.
    pub(crate) fn from_rust(rust: &str) -> &'static Type {
        [&DOUBLE, &INT, &LONG, &TEXT, &FUNCTION, &DESCRIPTOR, &COMMUNICATOR]
            .into_iter()
            .chain(&OTHERS)
            .find(|known| known.rust == rust)
            .unwrap_or_else(|| {
                panic!("the interface has no type `{rust}`; add it in tests/it/generated/interface.rs")
            })
    }

    /// That of an argument which a parameter becomes.
    pub(crate) fn of_argument(ctype: CType) -> &'static Type {
        match ctype {
            CType::Double => &DOUBLE,
            CType::Int => &INT,
            CType::Long => &LONG,
            CType::Function => &FUNCTION,
            CType::Descriptor => &DESCRIPTOR,
        }
    }

    /// Whether Fortran has it in a structure.
    pub(crate) fn is_number(&self) -> bool {
        *self == DOUBLE || *self == INT
    }
}

fn is_of_mpi(module: &str) -> bool {
    module.starts_with("mpi::")
}

impl Structure {
    /// Whether only a library for MPI has it.
    pub(crate) fn is_of_mpi(&self) -> bool {
        is_of_mpi(&self.module)
    }
}

impl Function {
    /// Whether Fortran needs an entry point of its own, since its handles are integers.
    pub(crate) fn has_handles(&self) -> bool {
        self.parameters.iter().map(|(_, kind)| *kind).chain(self.result).any(|kind| kind.handle.is_some())
    }

    /// Whether only a library for MPI has it.
    pub(crate) fn is_of_mpi(&self) -> bool {
        is_of_mpi(&self.module)
    }

    /// The symbol that Fortran calls.
    pub(crate) fn fortran_symbol(&self) -> String {
        fortran_symbol(&self.name, self.has_handles())
    }
}

/// A function of Rust that C or Fortran finds under this symbol; the lines of its body are indented.
pub(crate) fn exported<'a>(
    symbol: &str,
    parameters: impl Iterator<Item = (&'a str, &'a str)>,
    result: Option<&str>,
    body: &str,
) -> String {
    let parameters: Vec<String> = parameters.map(|(name, kind)| format!("r#{name}: {kind}")).collect();
    let result = result.map_or(String::new(), |kind| format!(" -> {kind}"));
    let parameters = parameters.join(", ");
    format!(
        "\n#[unsafe(no_mangle)]\n\
         pub(crate) unsafe extern \"C\" fn {symbol}({parameters}){result} {{\n{body}}}\n"
    )
}

impl Interface {
    pub(crate) fn all_functions(&self) -> impl Iterator<Item = &Function> {
        self.functions.iter().chain(&self.properties)
    }
}

/// The resources that a program may run on, as both languages enumerate them.
pub(crate) fn paradigms() -> String {
    Needs::ALL.map(|needs| format!("{} = {}", needs.in_c(), needs.number())).join(", ")
}

/// The lines of a documentation as plain text, for comments.
pub(crate) fn lines(doc: &str) -> impl Iterator<Item = String> {
    doc.trim_end().lines().filter(|line| !line.starts_with("```")).map(without_links)
}
