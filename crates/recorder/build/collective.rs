//! Wrappers of collective operations, in all forms: made of the arguments' names, which are the standard's.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{FnArg, Pat, Signature};

use crate::table::{Form, Kind, Table};

/// Code of a wrapper around `make`, the part of the library; `None` of functions that are no collective operations, or whose
/// arguments are not named as in the standard.
pub(crate) fn body(table: &Table, function: &Signature, make: &TokenStream) -> Option<TokenStream> {
    let of = table.find(&function.ident.to_string())?;
    let arguments = Arguments(function.inputs.iter().filter_map(name).collect());
    let comm = arguments.find("comm")?;
    match &of.kind {
        Kind::Collective { operation, flow } => among_all(of.form, operation, flow, comm, &arguments, make),
        Kind::Neighborhood { operation } => among_neighbors(of.form, operation, comm, &arguments, make),
        Kind::Other => None,
    }
}

fn among_all(
    form: Form,
    operation: &Ident,
    flow: &Ident,
    comm: &Ident,
    arguments: &Arguments,
    make: &TokenStream,
) -> Option<TokenStream> {
    let root = match arguments.find("root") {
        Some(root) => quote! { Some(#root) },
        None => quote! { None },
    };
    let data = if flow == "Barrier" {
        quote! { Data::NONE }
    } else {
        let in_place = match (arguments.find("sendbuf"), arguments.find("recvbuf")) {
            (Some(_), Some(buffer)) if flow == "OneToAll" => quote! { in_place(#buffer) },
            (Some(buffer), _) => quote! { in_place(#buffer) },
            _ => quote! { false },
        };
        let (sends, receives) = (arguments.payload("send")?, arguments.payload("recv")?);
        quote! { Data { in_place: #in_place, sends: #sends, receives: #receives } }
    };
    let part = quote! { CollectiveOperation::#operation, #comm, #root, #data };
    match form {
        Form::Blocking => Some(quote! { call.collective(#part, || #make) }),
        form => started(form, arguments, make, &quote! { collective::part(#part) }),
    }
}

/// OTF2 has no record of these. A blocking one is noted with its call, others are recorded as the operation among all, with
/// a note.
fn among_neighbors(
    form: Form,
    operation: &Ident,
    comm: &Ident,
    arguments: &Arguments,
    make: &TokenStream,
) -> Option<TokenStream> {
    if form == Form::Blocking {
        return Some(quote! {
            let code = call.make(|| #make);
            if code == SUCCESS {
                call.was_among_neighbors(#comm);
            }
            code
        });
    }
    let part = quote! { collective::among_neighbors(CollectiveOperation::#operation, #comm) };
    started(form, arguments, make, &part)
}

/// A call that yields a request of a `part`, if it has one: a non-blocking one starts it, too.
fn started(form: Form, arguments: &Arguments, make: &TokenStream, part: &TokenStream) -> Option<TokenStream> {
    let request = arguments.find("request")?;
    let follow = match form {
        Form::Nonblocking => quote! { call.started(#request, operation); },
        _ => quote! {
            if let Some(operation) = operation {
                request::prepare(*#request, operation);
            }
        },
    };
    Some(quote! {
        let code = call.make(|| #make);
        if code == SUCCESS {
            let operation = Operation::of_collective(#part, *ROLE);
            #follow
        }
        code
    })
}

fn name(argument: &FnArg) -> Option<Ident> {
    match argument {
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(name) => Some(name.ident.clone()),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    }
}

/// The names of a function's arguments.
struct Arguments(Vec<Ident>);

impl Arguments {
    fn find(&self, name: &str) -> Option<&Ident> {
        self.0.iter().find(|argument| *argument == name)
    }

    fn first(&self, names: &[&str]) -> Option<&Ident> {
        names.iter().find_map(|name| self.find(name))
    }

    /// The data that a process has on one `side`, `send` or `recv`. Where the sides have the same amounts, they are named
    /// once: in reductions that scatter their result, as what is received.
    fn payload(&self, side: &str) -> Option<TokenStream> {
        let of_side = |name: &str| format!("{side}{name}");
        let counts =
            self.first(&[&of_side("counts"), &of_side("count"), "count", "recvcounts", "recvcount"])?;
        let types = self.first(&[&of_side("types"), &of_side("type"), "datatype"])?;
        let are_many = |names: &Ident| names.to_string().ends_with('s');
        Some(match (are_many(counts), are_many(types)) {
            (true, true) => quote! { typed(#counts, #types) },
            (true, false) => quote! { counted(#counts, #types) },
            (false, _) => quote! { each(#counts, #types) },
        })
    }
}
