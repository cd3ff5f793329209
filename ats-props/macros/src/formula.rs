//! Formulas: expressions of Rust that the catalogue evaluates, each written as mathematics, too.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream as Tokens};
use quote::quote;
use syn::{
    BinOp, Block, Error, Expr, ExprCall, ExprClosure, ExprIf, ExprIndex, ExprLit, ExprRange, ExprUnary, Lit,
    Local, LocalInit, Pat, RangeLimits, Result, Stmt, UnOp, spanned::Spanned,
};

/// A formula: code of a number, and the same as mathematics.
pub(crate) struct Formula {
    code: Tokens,
    pub(crate) text: String,
    names: BTreeSet<String>,
}

/// The numbers that every formula has besides its parameters, and their fields of `ats_props::Location`.
const LOCATION: [(&str, &str); 5] =
    [("P", "ranks"), ("T", "threads"), ("i", "rank"), ("t", "thread"), ("eager_limit", "eager_limit")];

impl Formula {
    /// Reads an expression.
    ///
    /// # Errors
    /// It has a part that mathematics has no sign for here.
    pub(crate) fn read(expr: &Expr) -> Result<Self> {
        let mut names = BTreeSet::new();
        let Term { code, text } = term(expr, &mut names)?;
        Ok(Formula { code, text, names })
    }

    /// Whether this name occurs in it.
    fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// A function of the arguments and a location to a number; `parameters` are those of the property, with their values.
    pub(crate) fn function(&self, parameters: &[(Ident, Tokens)]) -> Tokens {
        self.function_to(&quote!(f64), parameters)
    }

    /// The same to a cause.
    pub(crate) fn cause(&self, parameters: &[(Ident, Tokens)]) -> Tokens {
        self.function_to(&quote!(::ats_props::CauseKind), parameters)
    }

    fn function_to(&self, value: &Tokens, parameters: &[(Ident, Tokens)]) -> Tokens {
        let of_property =
            parameters.iter().filter(|(name, _)| self.has(&name.to_string())).map(|(name, value)| {
                quote! {
                    let #name = #value;
                    let #name = ::ats_props::Term::term(&#name, location);
                }
            });
        let of_location = LOCATION.iter().filter(|(name, _)| self.has(name)).map(|(name, field)| {
            let [name, field] = [name, field].map(|name| Ident::new(name, Span::call_site()));
            quote!(#[allow(non_snake_case)] let #name = location.#field as f64;)
        });
        let code = &self.code;
        quote! {
            |arguments: &::ats_props::Arguments, location: &::ats_props::Location| -> #value {
                let _ = (arguments, location);
                #(#of_location)*
                #(#of_property)*
                #code
            }
        }
    }
}

/// A part of a formula.
struct Term {
    code: Tokens,
    text: String,
}

fn term(expr: &Expr, names: &mut BTreeSet<String>) -> Result<Term> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => {
            let value: f64 = number.base10_parse()?;
            Ok(Term { code: quote!(#value), text: number.base10_digits().to_owned() })
        }
        Expr::Lit(ExprLit { lit: Lit::Float(number), .. }) => {
            Ok(Term { code: quote!(#number), text: number.base10_digits().to_owned() })
        }
        Expr::Path(path) => {
            let name = path.path.require_ident()?.to_string();
            if name.contains(char::is_lowercase) && name.starts_with(char::is_uppercase) {
                return Ok(Term { code: quote!(::ats_props::CauseKind::#path), text: snake_case(&name) });
            }
            names.insert(name.clone());
            Ok(Term { code: quote!(#path), text: name })
        }
        Expr::Paren(inner) => {
            let Term { code, text } = term(&inner.expr, names)?;
            Ok(Term { code: quote!((#code)), text: format!("({text})") })
        }
        Expr::Unary(unary) => of_unary(unary, names),
        Expr::Binary(binary) => {
            let (sign, op) = (sign(&binary.op)?, &binary.op);
            let [left, right] = [operand(&binary.left, names)?, operand(&binary.right, names)?];
            let (a, b) = (left.code, right.code);
            Ok(Term { code: quote!(#a #op #b), text: format!("{}{sign}{}", left.text, right.text) })
        }
        Expr::Index(ExprIndex { expr, index, .. }) => {
            let [of, index] = [operand(expr, names)?, term(index, names)?];
            let (a, b) = (of.code, index.code);
            Ok(Term { code: quote!(#a.share(#b)), text: format!("{}[{}]", of.text, index.text) })
        }
        Expr::If(condition) => of_condition(condition, names),
        Expr::Block(block) => of_block(&block.block, names),
        Expr::Call(call) => of_call(call, names),
        _ => Err(Error::new(
            expr.span(),
            "a formula has numbers, names, arithmetic, comparisons, `if`, `let`, and calls of functions",
        )),
    }
}

/// The name of a variant, as documents have it.
fn snake_case(variant: &str) -> String {
    let mut name = String::new();
    for (index, letter) in variant.char_indices() {
        if letter.is_uppercase() && index > 0 {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

/// An operand, in parentheses where its text ends with a clause.
fn operand(expr: &Expr, names: &mut BTreeSet<String>) -> Result<Term> {
    let operand = term(expr, names)?;
    Ok(match expr {
        Expr::If(_) | Expr::Block(_) => {
            let (code, text) = (operand.code, operand.text);
            Term { code: quote!((#code)), text: format!("({text})") }
        }
        _ => operand,
    })
}

fn of_unary(ExprUnary { op, expr, .. }: &ExprUnary, names: &mut BTreeSet<String>) -> Result<Term> {
    let sign = match op {
        UnOp::Neg(_) => "−",
        UnOp::Not(_) => "not ",
        _ => return Err(Error::new(op.span(), "expected `-` or `!`")),
    };
    let Term { code, text } = operand(expr, names)?;
    Ok(Term { code: quote!(#op #code), text: format!("{sign}{text}") })
}

/// The sign of an operation.
fn sign(op: &BinOp) -> Result<&'static str> {
    Ok(match op {
        BinOp::Add(_) => " + ",
        BinOp::Sub(_) => " − ",
        BinOp::Mul(_) => "·",
        BinOp::Div(_) => "/",
        BinOp::Rem(_) => " mod ",
        BinOp::And(_) => " and ",
        BinOp::Or(_) => " or ",
        BinOp::Eq(_) => " = ",
        BinOp::Ne(_) => " ≠ ",
        BinOp::Lt(_) => " < ",
        BinOp::Le(_) => " ≤ ",
        BinOp::Gt(_) => " > ",
        BinOp::Ge(_) => " ≥ ",
        _ => return Err(Error::new(op.span(), "a formula has arithmetic, comparisons, `&&` and `||`")),
    })
}

/// A number under a condition; 0 where there is no `else`.
fn of_condition(condition: &ExprIf, names: &mut BTreeSet<String>) -> Result<Term> {
    let [cond, then] = [term(&condition.cond, names)?, of_block(&condition.then_branch, names)?];
    let other = match &condition.else_branch {
        Some((_, other)) => {
            let Term { code, text } = term(other, names)?;
            Term { code, text: format!(", else {text}") }
        }
        None => Term { code: quote!(0.0), text: String::new() },
    };
    let (a, b, c) = (cond.code, then.code, other.code);
    let text = format!("{} if {}{}", then.text, cond.text, other.text);
    Ok(Term { code: quote!(if #a { #b } else { #c }), text })
}

/// An expression, and the names that stand for parts of it.
fn of_block(block: &Block, names: &mut BTreeSet<String>) -> Result<Term> {
    let wrong = || Error::new(block.span(), "a block of a formula is `let name = …;` and an expression");
    let Some((Stmt::Expr(value, None), lets)) = block.stmts.split_last() else { return Err(wrong()) };
    let (mut codes, mut texts) = (Vec::new(), Vec::new());
    for stmt in lets {
        let Stmt::Local(Local { pat: Pat::Ident(name), init: Some(LocalInit { expr, .. }), .. }) = stmt
        else {
            return Err(wrong());
        };
        let Term { code, text } = term(expr, names)?;
        codes.push(quote!(let #name = #code;));
        texts.push(format!("{} = {text}", name.ident));
    }
    let Term { code, text } = term(value, names)?;
    if lets.is_empty() {
        return Ok(Term { code, text });
    }
    Ok(Term { code: quote!({ #(#codes)* #code }), text: format!("{text} with {}", texts.join(", ")) })
}

/// A function that all formulas have, or one of the property's module.
fn of_call(ExprCall { func, args, .. }: &ExprCall, names: &mut BTreeSet<String>) -> Result<Term> {
    let Expr::Path(path) = &**func else {
        return Err(Error::new(func.span(), "expected the name of a function"));
    };
    let name = path.path.require_ident()?.to_string();
    let given: Vec<&Expr> = args.iter().collect();
    if let [Expr::Range(range), Expr::Closure(closure)] = given[..] {
        return of_range(&name, range, closure, names);
    }
    let terms = given.into_iter().map(|expr| term(expr, names)).collect::<Result<Vec<_>>>()?;
    let codes: Vec<&Tokens> = terms.iter().map(|term| &term.code).collect();
    let texts: Vec<&str> = terms.iter().map(|term| &*term.text).collect();
    let written = format!("{name}({})", texts.join(", "));
    let (code, text) = match (&*name, &codes[..], &texts[..]) {
        ("max" | "min" | "alone" | "idle", [of], _) => (quote!(#of.#path()), written),
        ("max" | "min", [first, others @ ..], _) => (quote!((#first)#(.#path(#others))*), written),
        ("floor" | "ceil" | "round" | "log2", [of], _) => (quote!(f64::#path(#of)), written),
        ("odd", [of], [text]) => (quote!((#of) % 2.0 == 1.0), format!("{text} odd")),
        ("even", [of], [text]) => (quote!((#of) % 2.0 == 0.0), format!("{text} even")),
        ("over", [of, members], [text, among]) => {
            (quote!(#of.over(#members)), format!("{text} over {among}"))
        }
        _ => (quote!(#path(#(#codes),*)), written),
    };
    Ok(Term { code, text })
}

/// A function of the numbers that another one has over whole numbers.
fn of_range(
    name: &str,
    range: &ExprRange,
    closure: &ExprClosure,
    names: &mut BTreeSet<String>,
) -> Result<Term> {
    let wrong = || Error::new(range.span(), "expected `sum(from..to, |k| …)` or `max(from..to, |k| …)`");
    let (sign, function) = match name {
        "sum" => ("Σ", quote!(sum)),
        "max" => ("max", quote!(most)),
        "alone" => ("alone", quote!(alone)),
        "idle" => ("idle", quote!(idle)),
        _ => return Err(wrong()),
    };
    let (Some(from), Some(to), Some(Pat::Ident(k))) = (&range.start, &range.end, closure.inputs.first())
    else {
        return Err(wrong());
    };
    let [from, to, body] = [term(from, names)?, term(to, names)?, term(&closure.body, names)?];
    let (a, b, c) = (from.code, to.code, body.code);
    let (end, below) = match range.limits {
        RangeLimits::HalfOpen(_) => (quote!(#b), "<"),
        RangeLimits::Closed(_) => (quote!(#b + 1.0), "≤"),
    };
    let text = format!("{sign}({}, {} ≤ {} {below} {})", body.text, from.text, k.ident, to.text);
    Ok(Term { code: quote!(::ats_props::formula::#function(#a, #end, |#k: f64| #c)), text })
}
