//! Common parts of programs and libraries in C and Fortran, for all that write them.

/// The symbol that Fortran calls for a function of C: one of its own where handles of MPI are passed, which are integers
/// in Fortran.
pub fn fortran_symbol(name: &str, has_handles: bool) -> String {
    if has_handles { format!("ats_f_{name}") } else { name.to_owned() }
}

/// Documentation without rustdoc's links, which lead nowhere outside the catalogue.
pub fn without_links(doc: &str) -> String {
    doc.replace("[`super::", "`").replace("[`", "`").replace("`]", "`")
}
