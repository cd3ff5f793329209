//! #[property]: a function's signature becomes its catalogue entry.
