//! Shows results: tables, pages and files that other programs read.
