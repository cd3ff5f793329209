//! The table of MPI's functions, read from the source of `ats-model`. Depending on that crate would compile it, with all
//! that it needs, for the build script alone.

use std::collections::HashMap;

use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, Item, Result, Token};

/// The source, from the folder of this crate.
pub(crate) const SOURCE: &str = "../model/src/mpi/table.rs";

/// The functions, by their names in C.
pub(crate) struct Table(HashMap<String, Function>);

/// A function, as far as its wrapper depends on it.
#[derive(Clone)]
pub(crate) struct Function {
    pub(crate) kind: Kind,
    pub(crate) form: Form,
}

/// The purpose of a function; variants of other enums are named.
#[derive(Clone)]
pub(crate) enum Kind {
    /// An operation among all members of a communicator.
    Collective {
        operation: Ident,
        flow: Ident,
    },
    /// An operation among neighbours, by the one among all.
    Neighborhood {
        operation: Ident,
    },
    Other,
}

/// The relation of a function to its operation, which is its place among the function's other forms.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Form {
    Blocking,
    Nonblocking,
    Prepared,
}

impl Table {
    pub(crate) fn read() -> Self {
        let text = std::fs::read_to_string(SOURCE).expect("the table can be read");
        let mut items = syn::parse_file(&text).expect("the table is Rust").items.into_iter();
        let rows = items.find_map(|item| match item {
            Item::Macro(item) if item.mac.path.is_ident("functions") => Some(item.mac),
            _ => None,
        });
        let rows =
            rows.expect("the table has rows").parse_body_with(Punctuated::<Row, Token![;]>::parse_terminated);
        let functions = rows.expect("the rows have kinds and functions").into_iter().flat_map(Row::functions);
        Table(functions.collect())
    }

    /// The function of a name, also of that for large counts, or in a library that had it before the standard.
    pub(crate) fn find(&self, name: &str) -> Option<&Function> {
        let name = standard_name(name);
        self.0.get(&name).or_else(|| self.0.get(name.strip_suffix(LARGE_COUNTS)?))
    }

    pub(crate) fn has_large_counts(&self, name: &str) -> bool {
        name.ends_with(LARGE_COUNTS) && self.find(name).is_some()
    }
}

pub(crate) const PREFIX: &str = "MPI_";
/// The prefix of functions that a library has beyond the standard it keeps to.
pub(crate) const EXTENSION: &str = "MPIX_";
const LARGE_COUNTS: &str = "_c";

pub(crate) fn standard_name(name: &str) -> String {
    name.strip_prefix(EXTENSION).map_or_else(|| name.to_owned(), |rest| format!("{PREFIX}{rest}"))
}

/// `kind, waiting => function | its other forms, function …`.
struct Row {
    kind: Kind,
    functions: Vec<Punctuated<Ident, Token![|]>>,
}

impl Parse for Row {
    fn parse(input: ParseStream) -> Result<Self> {
        let kind = Kind::from_expr(&input.parse()?);
        input.parse::<Token![,]>()?;
        input.parse::<Expr>()?;
        input.parse::<Token![=>]>()?;
        let forms = Punctuated::parse_separated_nonempty;
        let functions = Punctuated::<_, Token![,]>::parse_separated_nonempty_with(input, forms)?;
        Ok(Row { kind, functions: functions.into_iter().collect() })
    }
}

impl Row {
    fn functions(self) -> impl Iterator<Item = (String, Function)> {
        let forms = [Form::Blocking, Form::Nonblocking, Form::Prepared, Form::Prepared];
        self.functions.into_iter().flat_map(move |names| {
            let kind = self.kind.clone();
            let function =
                move |(name, form)| (format!("{PREFIX}{name}"), Function { kind: kind.clone(), form });
            names.into_iter().zip(forms).map(function)
        })
    }
}

impl Kind {
    fn from_expr(kind: &Expr) -> Self {
        let Expr::Call(kind) = kind else { return Kind::Other };
        match (&*variant(&kind.func).to_string(), &kind.args[0]) {
            ("Collective", Expr::Call(new)) => {
                Kind::Collective { operation: variant(&new.args[0]), flow: variant(&new.args[1]) }
            }
            ("Neighborhood", operation) => Kind::Neighborhood { operation: variant(operation) },
            _ => Kind::Other,
        }
    }
}

/// The last name of a path.
fn variant(path: &Expr) -> Ident {
    match path {
        Expr::Path(path) => path.path.segments.last().expect("a path has names").ident.clone(),
        _ => panic!("the table names variants by their paths"),
    }
}
