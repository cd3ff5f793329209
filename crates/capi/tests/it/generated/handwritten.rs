//! Reads the interface off the functions and structures that are written by hand.

use quote::ToTokens;
use syn::{Attribute, Expr, ExprLit, FnArg, Item, ItemFn, ItemStruct, Lit, Meta, Pat, ReturnType};

use super::interface::{Function, Interface, Structure, Type};

/// Adds the exported functions and C structures of a source file.
pub(crate) fn read(file: &str, interface: &mut Interface) {
    let module = file.trim_start_matches("src/").trim_end_matches(".rs").replace('/', "::");
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    for item in syn::parse_file(&text).unwrap_or_else(|error| panic!("{file}: {error}")).items {
        match item {
            Item::Fn(item) if has(&item.attrs, "unsafe") => {
                interface.functions.push(function(&module, &item))
            }
            Item::Struct(item) if has(&item.attrs, "repr") => {
                interface.structures.push(structure(&module, &item))
            }
            _ => {}
        }
    }
}

/// Exported functions have the attribute `unsafe(no_mangle)`, C structures `repr(C)`.
fn has(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident(name))
}

fn function(module: &str, item: &ItemFn) -> Function {
    let parameter = |input: &FnArg| match input {
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(name) => (plain(&name.ident), type_of(&typed.ty)),
            _ => panic!("{}: a parameter has a plain name", item.sig.ident),
        },
        FnArg::Receiver(_) => panic!("{} is a free function", item.sig.ident),
    };
    Function {
        name: item.sig.ident.to_string(),
        module: module.to_owned(),
        doc: doc(&item.attrs),
        parameters: item.sig.inputs.iter().map(parameter).collect(),
        result: match &item.sig.output {
            ReturnType::Default => None,
            ReturnType::Type(_, kind) => Some(type_of(kind)),
        },
    }
}

fn structure(module: &str, item: &ItemStruct) -> Structure {
    let field = |field: &syn::Field| {
        (plain(field.ident.as_ref().expect("C's fields have names")), type_of(&field.ty))
    };
    Structure {
        name: item.ident.to_string(),
        module: module.to_owned(),
        doc: doc(&item.attrs),
        fields: item.fields.iter().map(field).collect(),
    }
}

/// A name without the mark of names that are words of Rust.
fn plain(name: &syn::Ident) -> String {
    name.to_string().trim_start_matches("r#").to_owned()
}

fn type_of(kind: &syn::Type) -> &'static Type {
    Type::from_rust(&kind.to_token_stream().to_string())
}

fn doc(attributes: &[Attribute]) -> String {
    let line = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value().trim().to_owned()),
            _ => None,
        },
        _ => None,
    };
    attributes.iter().filter_map(line).collect::<Vec<_>>().join("\n")
}
