//! What a generated program does around its property: arguments, phases, alignment, witness, summary.
