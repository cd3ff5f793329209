//! The quantities that a property shows: `finds`, `also` and `tempts`, and the keys behind them.

use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::{
    Error, Expr, ExprCall, ExprLit, ExprStruct, Ident, Lit, LitStr, Member, Path, Result, meta,
    spanned::Spanned,
};

use crate::formula::Formula;
use crate::optional;

/// Everything that the property shows, and what it tempts to report.
#[derive(Default)]
pub(crate) struct Finds {
    quantities: Vec<Quantity>,
    tempts: Vec<Ident>,
}

/// Something that the property shows.
struct Quantity {
    key: Ident,
    /// Whether it is to be found.
    is_found: bool,
    what: Tokens,
    /// Its symbol in mathematics.
    symbol: String,
    /// Its least value as mathematics, if it is a ratio.
    bound: Option<String>,
    formula: Option<Formula>,
    twin: Option<Formula>,
    places: Vec<Place>,
    causes: Vec<Cause>,
}

/// A cause of a wait, and its part of it; all that others leave if it has none.
struct Cause {
    kind: Formula,
    part: Option<Formula>,
}

/// A call path of a wait, and the seconds of a location there.
struct Place {
    call_path: LitStr,
    each: Option<Formula>,
}

/// The symbol of a wait.
const WAIT: &str = "W";

/// The symbol of a time.
const TIME: &str = "T";

/// The quantities that are not waits.
const VARIANTS: [&str; 3] = ["Count", "Time", "Ratio"];

/// The catalogue's expression for a quantity, its symbol and, of a ratio, its bound: a bare name is a wait state, anything
/// else a variant with its fields.
fn quantity(written: &Expr) -> Result<(Tokens, String, Option<String>)> {
    let is_variant =
        |path: &Path| path.get_ident().is_some_and(|name| VARIANTS.iter().any(|one| name == one));
    match written {
        Expr::Path(state) if state.path.get_ident().is_some() => {
            Ok((quote!(Wait(::ats_props::WaitState::#state)), WAIT.to_owned(), None))
        }
        Expr::Call(ExprCall { func, .. }) if matches!(&**func, Expr::Path(path) if is_variant(&path.path)) => {
            let is_time = matches!(&**func, Expr::Path(path) if path.path.is_ident("Time"));
            Ok((quote!(#written), if is_time { TIME } else { "N" }.to_owned(), None))
        }
        Expr::Struct(fields) if is_variant(&fields.path) => {
            let symbol = format!("T({})/T({})", field(fields, "of"), field(fields, "over"));
            let bound = format!("{symbol} ≥ {}", field(fields, "at_least"));
            Ok((quote!(#written), symbol, Some(bound)))
        }
        _ => Err(Error::new(
            written.span(),
            "expected a wait state, `Count(counter, region)`, `Time(region)` or `Ratio { of, over, at_least }`",
        )),
    }
}

/// The region or number in a field of a ratio.
fn field(ratio: &ExprStruct, name: &str) -> String {
    let is_it = |member: &Member| matches!(member, Member::Named(field) if field == name);
    ratio
        .fields
        .iter()
        .find(|field| is_it(&field.member))
        .and_then(|field| match &field.expr {
            Expr::Lit(ExprLit { lit: Lit::Str(region), .. }) => Some(region.value()),
            Expr::Lit(ExprLit { lit: Lit::Float(number), .. }) => Some(number.to_string()),
            _ => None,
        })
        .unwrap_or_else(|| name.to_owned())
}

impl Finds {
    pub(crate) fn parse(&mut self, name: &str, meta: &meta::ParseNestedMeta<'_>) -> Result<()> {
        let key = meta.path.require_ident()?;
        match name {
            "finds" => {
                let (what, symbol, bound) = quantity(&meta.value()?.parse()?)?;
                self.begin(key, true, what, symbol, bound);
            }
            "also" => {
                let state: Ident = meta.value()?.parse()?;
                let what =
                    if state == "None" { quote!(None) } else { quote!(Some(::ats_props::WaitState::#state)) };
                self.begin(key, false, what, WAIT.to_owned(), None);
            }
            "tempts" => self.tempts.push(meta.value()?.parse()?),
            "formula" => self.found(meta)?.formula = Some(Formula::read(&meta.value()?.parse()?)?),
            "twin" => self.found(meta)?.twin = Some(Formula::read(&meta.value()?.parse()?)?),
            "at" => {
                let place = Place { call_path: meta.value()?.parse()?, each: None };
                self.last(meta)?.places.push(place);
            }
            "each" => {
                let quantity = self.last(meta)?;
                if quantity.symbol != WAIT {
                    return Err(meta.error("`each` is of a wait; a number or a time has its `formula` alone"));
                }
                let place = quantity
                    .places
                    .last_mut()
                    .ok_or_else(|| meta.error("`each` stands behind its call path: `at = …`"))?;
                place.each = Some(Formula::read(&meta.value()?.parse()?)?);
            }
            "cause" => {
                let cause = Cause { kind: Formula::read(&meta.value()?.parse()?)?, part: None };
                let causes = &mut self.found(meta)?.causes;
                if causes.last().is_some_and(|before| before.part.is_none()) {
                    return Err(
                        meta.error("a wait has one cause, unless each before the last has its `part`")
                    );
                }
                causes.push(cause);
            }
            "part" => {
                let cause = self.found(meta)?.causes.last_mut();
                let cause = cause.ok_or_else(|| meta.error("`part` stands behind its cause: `cause = …`"))?;
                cause.part = Some(Formula::read(&meta.value()?.parse()?)?);
            }
            _ => {
                return Err(meta.error(
                    "expected finds, formula, twin, at, each, cause, part, also, tempts, entry, runs, min_ranks, min_threads, \
                     send_mode, progress, bandwidth, mpi_version or c",
                ));
            }
        }
        Ok(())
    }

    fn begin(&mut self, key: &Ident, is_found: bool, what: Tokens, symbol: String, bound: Option<String>) {
        self.quantities.push(Quantity {
            key: key.clone(),
            is_found,
            what,
            symbol,
            bound,
            formula: None,
            twin: None,
            places: Vec::new(),
            causes: Vec::new(),
        });
    }

    /// The quantity that a key belongs to.
    fn last(&mut self, meta: &meta::ParseNestedMeta<'_>) -> Result<&mut Quantity> {
        self.quantities.last_mut().ok_or_else(|| meta.error("this stands behind what it is of: `finds = …`"))
    }

    /// The same, for keys of what is to be found.
    fn found(&mut self, meta: &meta::ParseNestedMeta<'_>) -> Result<&mut Quantity> {
        let last = self.last(meta)?;
        if last.is_found {
            Ok(last)
        } else {
            Err(meta.error("behind `also = …` stand `at` and `each` alone"))
        }
    }

    /// Whether there is nothing to find.
    pub(crate) fn is_silent(&self) -> bool {
        !self.quantities.iter().any(|quantity| quantity.is_found)
    }

    /// The catalogue's expression for all; `parameters` are those of the property, with their values, and `index` is that
    /// of a location in mathematics.
    pub(crate) fn expression(
        &self,
        function: &Ident,
        parameters: &[(Ident, Tokens)],
        index: &str,
    ) -> Result<Tokens> {
        if self.is_silent() && self.tempts.is_empty() {
            let message = "#[property] needs `finds = …`; or `tempts = …` where there is nothing to find";
            return Err(Error::new(function.span(), message));
        }
        let (shown, also): (Vec<_>, Vec<_>) = self.quantities.iter().partition(|quantity| quantity.is_found);
        let shown = shown.into_iter().map(|quantity| quantity.shown(parameters, index));
        let shown = shown.collect::<Result<Vec<_>>>()?;
        let also = also.into_iter().map(|quantity| quantity.also(parameters, index));
        let also = also.collect::<Result<Vec<_>>>()?;
        let tempts = &self.tempts;
        Ok(quote! {
            ::ats_props::Finds {
                shown: &[#(#shown),*],
                also: &[#(#also),*],
                tempts: &[#(::ats_props::WaitState::#tempts),*],
            }
        })
    }
}

impl Quantity {
    /// Whether there is a formula for each of its places.
    fn is_known_at_each(&self) -> bool {
        !self.places.is_empty() && self.places.iter().all(|place| place.each.is_some())
    }

    fn also(&self, parameters: &[(Ident, Tokens)], index: &str) -> Result<Tokens> {
        let Quantity { key, what, places, .. } = self;
        if places.is_empty() {
            return Err(Error::new(key.span(), "#[property] needs `at = …` behind `also = …`"));
        }
        let formula = self.text(index);
        let places = places.iter().map(|place| place.expression(parameters));
        Ok(quote!(::ats_props::Also { state: #what, formula: #formula, places: &[#(#places),*] }))
    }

    fn shown(&self, parameters: &[(Ident, Tokens)], index: &str) -> Result<Tokens> {
        let Quantity { key, what, places, causes, .. } = self;
        // How long calls take may be the machine's affair.
        let is_open = self.bound.is_some() || self.symbol == TIME;
        if self.formula.is_none() && !self.is_known_at_each() && !is_open {
            let message =
                format!("#[property] needs `formula = …`, or `at = …` and `each = …`, behind `{key} = …`");
            return Err(Error::new(key.span(), message));
        }
        let [total, twin] = [&self.formula, &self.twin]
            .map(|formula| optional(formula.as_ref().map(|formula| formula.function(parameters))));
        let formula = self.text(index);
        let places = places.iter().map(|place| place.expression(parameters));
        let cause = self.cause();
        let causes = causes.iter().map(|Cause { kind, part }| {
            let kind = kind.cause(parameters);
            let part = optional(part.as_ref().map(|part| part.function(parameters)));
            quote!(::ats_props::Cause { kind: #kind, part: #part })
        });
        Ok(quote! {
            ::ats_props::Shown {
                what: ::ats_props::What::#what,
                formula: #formula,
                total: #total,
                of_twin: #twin,
                places: &[#(#places),*],
                cause: #cause,
                causes: &[#(#causes),*],
            }
        })
    }

    /// Its causes as mathematics, each with its part if there are several.
    fn cause(&self) -> String {
        let cause = |Cause { kind, part }: &Cause| match part {
            Some(part) => format!("{} for {} of it", kind.text, part.text),
            None => kind.text.clone(),
        };
        self.causes.iter().map(cause).collect::<Vec<_>>().join("; else ")
    }

    /// All of its formulas as mathematics, with this index of a location.
    fn text(&self, index: &str) -> String {
        let Quantity { symbol, bound, formula, twin, places, .. } = self;
        let each = places.iter().filter_map(|Place { call_path, each }| {
            let place = if places.len() > 1 { format!(" at {}", call_path.value()) } else { String::new() };
            Some(format!("{symbol}{index}{place} = {}", each.as_ref()?.text))
        });
        let all = match (formula, bound) {
            (Some(formula), _) => format!("{symbol} = {}", formula.text),
            (None, Some(bound)) => bound.clone(),
            (None, None) if self.is_known_at_each() => format!("{symbol} = Σ {symbol}{index}"),
            (None, None) => format!("{symbol} by the costs of operations"),
        };
        let twin = twin.iter().map(|twin| format!("{} in the twin", twin.text));
        [all].into_iter().chain(twin).chain(each).collect::<Vec<_>>().join("; ")
    }
}

impl Place {
    fn expression(&self, parameters: &[(Ident, Tokens)]) -> Tokens {
        let (call_path, each) =
            (&self.call_path, optional(self.each.as_ref().map(|each| each.function(parameters))));
        quote!(::ats_props::Place { call_path: #call_path, each: #each })
    }
}
