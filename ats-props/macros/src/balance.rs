//! Properties whose function runs the twin, too: its last parameter is a `Balance`.

use proc_macro2::TokenStream as Tokens;
use quote::{format_ident, quote};
use syn::{FnArg, ItemFn, Pat, PatType, Type, parse_quote};

/// Takes the parameter of type `Balance` from the end of the signature; `None` if there is none.
pub(crate) fn take(function: &mut ItemFn) -> Option<FnArg> {
    let is_balance = |input: &FnArg| match input {
        FnArg::Typed(PatType { ty, .. }) => match &**ty {
            Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "Balance"),
            _ => false,
        },
        FnArg::Receiver(_) => false,
    };
    function.sig.inputs.last().filter(|last| is_balance(last))?;
    function.sig.inputs.pop()
}

/// A function that runs either, and that of the twin; `function` becomes that of the property, as its caller sees it.
pub(crate) fn divide(function: &mut ItemFn, balance: FnArg) -> Tokens {
    let names: Vec<_> = function
        .sig
        .inputs
        .iter()
        .filter_map(|input| match input {
            FnArg::Typed(PatType { pat, .. }) => match &**pat {
                Pat::Ident(name) => Some(name.ident.clone()),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        })
        .collect();
    let either = format_ident!("{}_or_twin", function.sig.ident);
    let name = function.sig.ident.to_string();
    let mut twin = function.clone();
    twin.attrs.retain(|attribute| !attribute.path().is_ident("doc"));
    let mut both = twin.clone();
    both.vis = syn::Visibility::Inherited;
    both.sig.ident = either.clone();
    both.sig.inputs.push(balance);
    let doc = format!("The balanced twin of [`{name}`].");
    twin.attrs.push(parse_quote!(#[doc = #doc]));
    twin.sig.ident = format_ident!("balanced");
    twin.block = parse_quote!({ #either(#(#names,)* ::ats_props::Balance::Even) });
    function.block = parse_quote!({ #either(#(#names,)* ::ats_props::Balance::Uneven) });
    quote!(#both #twin)
}
