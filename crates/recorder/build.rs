//! Wrappers for every function of the MPI library that `mpicc` (or `$MPICC`) belongs to.
//!
//! The functions are those of its `mpi.h`. Those that `src/wrappers/*.rs` define record messages and collectives; for
//! all others a wrapper is generated here that records entering and leaving, and the parts that the process takes in
//! collective operations.

#[path = "build/collective.rs"]
mod collective;
#[path = "build/table.rs"]
mod table;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use quote::{format_ident, quote};
use syn::{FnArg, ForeignItem, Item, Pat, ReturnType, Signature};
use table::{EXTENSION, PREFIX, Table, standard_name};

fn main() {
    println!("cargo::rerun-if-changed=src/wrappers");
    println!("cargo::rerun-if-changed=src/constants.c");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed={}", table::SOURCE);
    println!("cargo::rerun-if-env-changed=MPICC");
    // An OpenMP runtime that has loaded it as a tool unloads it when it ends, and the process goes on.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    let library = build_probe_mpi::probe().unwrap_or_else(|reasons| {
        panic!("no MPI library found; install one, or name its compiler in MPICC: {reasons:?}")
    });
    compile_constants(&library);
    let functions = functions_of_header(&library);
    let table = Table::read();
    // New in MPI 4.
    println!("cargo::rustc-check-cfg=cfg(has_comm_idup_with_info)");
    if names_of(&functions).any(|name| name == "MPI_Comm_idup_with_info") {
        println!("cargo::rustc-cfg=has_comm_idup_with_info");
    }
    println!("cargo::rustc-check-cfg=cfg(has_partitions)");
    if names_of(&functions).any(|name| name == "MPI_Psend_init") {
        println!("cargo::rustc-cfg=has_partitions");
    }
    let by_hand = written_by_hand(Path::new("src/wrappers"));
    println!("cargo::rustc-check-cfg=cfg(has_large_counts)");
    if names_of(&functions).any(|name| table.has_large_counts(&name)) {
        println!("cargo::rustc-cfg=has_large_counts");
    }
    let (names, generated) = wrappers(&table, &functions, &by_hand);
    let of_library = names_of(&functions).filter(|name| name.starts_with(PREFIX));
    let is_wrapped = |name: &String| by_hand.contains(name) || names.contains(name);
    let (wrapped, left_alone): (Vec<_>, Vec<_>) = of_library.partition(is_wrapped);
    let lists = quote! {
        #[cfg(test)]
        pub(super) const WRAPPED: &[&str] = &[#(#wrapped),*];
        #[cfg(test)]
        pub(super) const LEFT_ALONE: &[&str] = &[#(#left_alone),*];
    };
    let generated = format!("{generated}{lists}");
    let originals = functions.iter().filter(|function| {
        let name = function.ident.to_string();
        name.strip_prefix('P').is_some_and(|name| is_wrapped(&name.to_owned()))
    });
    let originals = originals.map(|function| quote! { pub(crate) #function; });
    let originals = quote! { unsafe extern "C-unwind" { #(#originals)* } };
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for (file, text) in [("generated.rs", generated), ("pmpi.rs", originals.to_string())] {
        std::fs::write(out.join(file), text).expect("OUT_DIR is writable");
    }
}

fn compile_constants(library: &build_probe_mpi::Library) {
    let mut build = cc::Build::new();
    build.file("src/constants.c").includes(&library.include_paths);
    if let Some(mpicc) = &library.mpicc {
        build.compiler(mpicc);
    }
    build.compile("ats_recorder_constants");
}

fn functions_of_header(library: &build_probe_mpi::Library) -> Vec<Signature> {
    // Open MPI has extensions, among them what came with MPI 4, in a header of their own.
    const HEADERS: &str = "#include <mpi.h>\n#if __has_include(<mpi-ext.h>)\n#include <mpi-ext.h>\n#endif\n";
    let bindings = bindgen::builder()
        .header_contents("functions.h", HEADERS)
        .clang_args(library.include_paths.iter().map(|path| format!("-I{}", path.display())))
        .allowlist_function("P?MPIX?_.*")
        .formatter(bindgen::Formatter::None)
        .generate()
        .expect("mpi.h can be read");
    let file = syn::parse_file(&bindings.to_string()).expect("bindgen writes Rust");
    let blocks = file.items.into_iter().filter_map(|item| match item {
        Item::ForeignMod(block) => Some(block.items),
        _ => None,
    });
    blocks
        .flatten()
        .filter_map(|item| match item {
            ForeignItem::Fn(function) => Some(function.sig),
            _ => None,
        })
        .collect()
}

/// Names of the functions that the sources in `folder` define: those whose originals they mention.
fn written_by_hand(folder: &Path) -> HashSet<String> {
    let mut names = HashSet::new();
    for entry in std::fs::read_dir(folder).expect("the wrappers are there") {
        let source =
            std::fs::read_to_string(entry.expect("it can be listed").path()).expect("it can be read");
        let mentions = source.split("PMPI_").skip(1);
        names.extend(mentions.map(|rest| {
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            format!("MPI_{name}")
        }));
    }
    names
}

fn names_of(functions: &[Signature]) -> impl Iterator<Item = String> {
    functions.iter().map(|function| function.ident.to_string())
}

/// The functions that are not written by hand: their names, and their wrappers. Of extensions only those are taken that the
/// standard has, too.
fn wrappers(table: &Table, functions: &[Signature], by_hand: &HashSet<String>) -> (HashSet<String>, String) {
    let names: HashSet<String> = names_of(functions).collect();
    let is_standard =
        |name: &str| name.starts_with(PREFIX) || name.starts_with(EXTENSION) && table.find(name).is_some();
    functions
        .iter()
        .filter(|function| {
            let name = function.ident.to_string();
            is_standard(&name)
                && names.contains(&format!("P{name}"))
                && !by_hand.contains(&name)
                && is_a_call(&name)
                && function.variadic.is_none()
                && returns_an_error_code(function)
        })
        .map(|function| (function.ident.to_string(), wrapper(table, function) + "\n"))
        .unzip()
}

/// Whether the function does something; conversions of handles and the interface for tools do not count.
fn is_a_call(name: &str) -> bool {
    !name.starts_with("MPI_T_") && !["c2f", "f2c", "f08"].iter().any(|part| name.contains(part))
}

fn returns_an_error_code(function: &Signature) -> bool {
    matches!(&function.output, ReturnType::Type(_, kind) if quote!(#kind).to_string().ends_with("c_int"))
}

fn wrapper(table: &Table, function: &Signature) -> String {
    let name = &function.ident;
    let original = format_ident!("P{name}");
    let inputs = &function.inputs;
    let arguments = inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(&typed.pat),
        FnArg::Receiver(_) => None,
    });
    let make = quote! { pmpi::#original(#(#arguments),*) };
    let body = match (collective::body(table, function, &make), request_yielded(function)) {
        (Some(body), _) => body,
        (None, None) => quote! { call.make(|| #make) },
        (None, Some(request)) => quote! {
            let code = call.make(|| #make);
            if code == SUCCESS {
                call.started(#request, ROLE.map(Operation::Other));
            }
            code
        },
    };
    let role = request_yielded(function).map(|_| {
        let name = standard_name(&name.to_string());
        quote! { static ROLE: LazyLock<Option<RegionRole>> = LazyLock::new(|| request::role_of(#name)); }
    });
    quote! { calls! { fn #name(#inputs) |call| { #role #body } } }.to_string()
}

/// The argument where a function puts the request that it yields: the last one. A function with no other argument takes one.
fn request_yielded(function: &Signature) -> Option<&Pat> {
    let Some(FnArg::Typed(last)) = function.inputs.last() else { return None };
    let kind = &last.ty;
    let is_place = quote!(#kind).to_string() == "* mut MPI_Request";
    (is_place && function.inputs.len() > 1).then_some(&last.pat)
}
