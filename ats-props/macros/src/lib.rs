//! `#[property]`: a function's signature becomes its catalogue entry.
//!
//! The attribute leaves the function as it is written, marks it as a region of its own and puts a `pub static
//! PROPERTY: Property` beside it. All other forms of the property (its command line, its documentation, its truth)
//! derive from that entry.

mod balance;
mod finds;
mod formula;

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::{
    Attribute, Error, Expr, ExprArray, ExprLit, FnArg, Ident, ItemFn, Lit, LitFloat, LitInt, LitStr, Meta,
    Pat, PatType, Result, Type, TypeParamBound, TypeTraitObject, meta, parse_macro_input, parse_quote,
    spanned::Spanned,
};

use finds::Finds;

/// Turns a property function into a catalogue entry.
///
/// | key | meaning |
/// |---|---|
/// | `finds` | what it shows: a wait state, as a variant of `ats_model::WaitState`; or another quantity, as below |
/// | `formula` | how much there is of the quantity that stands before it, over all locations |
/// | `twin` | how much of it the balanced twin has; as many calls, messages or bytes unless given |
/// | `at` | the call path of the wait that stands before it, from the property's own region on: `"MPI_Recv"`; several where it waits at several |
/// | `each` | the seconds that a location waits there |
/// | `cause` | the cause of the wait state that stands before it: a variant of `ats_model::CauseKind`, or a formula of some |
/// | `part` | the seconds, over all locations, that this cause has of a wait with several; the last has all that is left |
/// | `also` | a wait state that it shows besides, and is not named for, with `at` and `each`, unless it is for the costs of operations to say how long; `None` for a wait that no metric counts |
/// | `tempts` | a wait state that is not there, though a careless rule might report it |
/// | `entry` | `Trace` for what only the virtual engine can do, and no program; `Function` unless given |
/// | `runs` | the numbers of ranks, or of threads, of the runs of an experiment, such as `[1, 2, 4]` |
/// | `min_ranks` | fewest ranks that it needs to show anything; 1 unless given |
/// | `min_threads` | fewest threads per process that it needs to show anything; 1 unless given |
/// | `send_mode` | how its messages are sent, a variant of `ats_mpi::SendMode`, where it depends on it |
/// | `progress` | the progress of transfers that its truth is of, a variant of `ats_mpi::Progress`, where it depends on it |
/// | `bandwidth` | bytes per second of the network that its truth is of, where it depends on the cost of transfers |
/// | `mpi_version` | the version of MPI that its functions are new in, where libraries in use lack them |
/// | `c` | the file beside it with the property in C, for one with a team |
///
/// | `finds = …` | quantity |
/// |---|---|
/// | `LateSender` | seconds of a wait state |
/// | `Count(Counter::BYTES_SENT, MpiFunction::Send.name())` | a number that belongs to a call, a construct or a region |
/// | `Time("solve")` | seconds in a region of the program, or in a call; without a formula they are the machine's affair |
/// | `Ratio { of: "strided", over: "packed", at_least: 1.5 }` | time of a region over that of another one, or over the processor's time in it, `"task_clock"`; without a formula its least value is all that is known of it |
///
/// A property shows one quantity or several, each with its formula, that of each location, or both; the first is the
/// one that it is named for. One that shows nothing gives its purpose with `tempts`.
///
/// # Formulas
/// A formula is an expression of Rust in which all names are numbers: the parameters, the number of ranks `P` and that
/// of threads `T` of each, the rank `i` and the thread `t` of the location, and the `eager_limit` in bytes. It holds
/// for one repetition or more. The catalogue has it as a function, and the same as mathematics for users.
///
/// | written | meaning |
/// |---|---|
/// | `2 * r`, `i % 2 == 1 && i > 0`, `if … { … } else { … }` | as in Rust; `5 / 2` is 2.5, and an `if` without `else` is 0 otherwise |
/// | `odd(i)`, `even(i)`, `floor(x)`, `ceil(x)`, `round(x)`, `log2(x)`, `max(a, b)`, `min(a, b)` | functions of numbers |
/// | `w[i]`, `max(w)`, `min(w)` | the share of a participant of a distribution, the most and the least |
/// | `over(w, n)` | the same distribution over n participants; others are over the ranks, or over the threads where there are no ranks |
/// | `sum(0..P, \|k\| …)`, `max(0..=i, \|k\| …)` | the sum and the most over whole numbers; the most of none is 0 |
/// | `alone(w)`, `alone(0..P, \|k\| …)` | whether one of three or more has all of the work, but for a hundredth |
/// | `idle(w)`, `idle(0..T, \|k\| …)` | whether one has no work, but for a fiftieth of the most |
/// | `{ let x = …; … }` | a name for a part |
/// | `f(a, b)` | a function of the property's module |
///
/// Every parameter has a doc comment and `#[default(…)]`. After the parameters come the function's needs: `c: &dyn
/// Communicator` for MPI, `team: &impl Team` for OpenMP, both in this order for a hybrid, nothing for one process of
/// one thread. With `process: &dyn Process` alone it is a program of its own, which initialises and finalizes MPI
/// itself.
///
/// The last parameter, `balance: Balance`, tells the property from its twin, which makes the same calls and does the same
/// work in total, but balanced. Callers do not see it: the twin is a function `balanced` with the other parameters. A
/// twin that has nothing in common with its property is written beside it, as `fn balanced` with the same parameters. A
/// property that shows nothing needs none.
///
/// # Examples
/// See `ats-props/src/mpi/messages/late_sender.rs`.
#[proc_macro_attribute]
pub fn property(attributes: TokenStream, item: TokenStream) -> TokenStream {
    let mut keys = Keys::default();
    let parser = meta::parser(|meta| keys.parse(meta));
    parse_macro_input!(attributes with parser);
    let function = parse_macro_input!(item as ItemFn);
    expand(keys, function).unwrap_or_else(Error::into_compile_error).into()
}

#[derive(Default)]
struct Keys {
    finds: Finds,
    entry: Option<Ident>,
    runs: Option<ExprArray>,
    min_ranks: Option<LitInt>,
    min_threads: Option<LitInt>,
    send_mode: Option<Ident>,
    progress: Option<Ident>,
    bandwidth: Option<LitFloat>,
    mpi_version: Option<LitInt>,
    c: Option<LitStr>,
}

impl Keys {
    fn parse(&mut self, meta: meta::ParseNestedMeta<'_>) -> Result<()> {
        let key = meta.path.require_ident()?;
        match key.to_string().as_str() {
            "entry" => self.entry = Some(meta.value()?.parse()?),
            "runs" => self.runs = Some(meta.value()?.parse()?),
            "min_ranks" => self.min_ranks = Some(meta.value()?.parse()?),
            "min_threads" => self.min_threads = Some(meta.value()?.parse()?),
            "send_mode" => self.send_mode = Some(meta.value()?.parse()?),
            "progress" => self.progress = Some(meta.value()?.parse()?),
            "bandwidth" => self.bandwidth = Some(meta.value()?.parse()?),
            "mpi_version" => self.mpi_version = Some(meta.value()?.parse()?),
            "c" => self.c = Some(meta.value()?.parse()?),
            name => return self.finds.parse(name, &meta),
        }
        Ok(())
    }
}

/// A resource that a property runs on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Handle {
    Process,
    Communicator,
    Team,
}

impl Handle {
    /// Of a parameter's type; `None` if it is a value.
    fn from_type(ty: &Type) -> Result<Option<Self>> {
        let Type::Reference(reference) = ty else { return Ok(None) };
        match *reference.elem {
            Type::TraitObject(ref object) if names_process(object) => Ok(Some(Handle::Process)),
            Type::TraitObject(_) => Ok(Some(Handle::Communicator)),
            Type::ImplTrait(_) => Ok(Some(Handle::Team)),
            _ => Err(Error::new(
                ty.span(),
                "a reference is `&dyn Communicator`, `&impl Team` or `&dyn Process`",
            )),
        }
    }

    fn argument(self) -> Tokens {
        match self {
            Handle::Process => quote!(context.process()),
            Handle::Communicator => quote!(context.communicator()),
            Handle::Team => quote!(&context.team()),
        }
    }
}

/// Whether it is `dyn Process`.
fn names_process(object: &TypeTraitObject) -> bool {
    let is_process = |bound: &TypeParamBound| match bound {
        TypeParamBound::Trait(bound) => {
            bound.path.segments.last().is_some_and(|last| last.ident == "Process")
        }
        _ => false,
    };
    object.bounds.iter().any(is_process)
}

/// The forms in which a function may end its parameters.
const WRITTEN: &str =
    "`c: &dyn Communicator`, `team: &impl Team`, both in this order, or `process: &dyn Process` alone";

fn expand(keys: Keys, mut function: ItemFn) -> Result<Tokens> {
    let ident = function.sig.ident.clone();
    let least = |least: &Option<LitInt>| least.as_ref().map_or_else(|| quote!(1), |least| quote!(#least));
    let [min_ranks, min_threads] = [&keys.min_ranks, &keys.min_threads].map(least);
    let send_mode = optional(keys.send_mode.map(|mode| quote!(::ats_props::SendMode::#mode)));
    let progress = optional(keys.progress.map(|progress| quote!(::ats_props::Progress::#progress)));
    let bandwidth = optional(keys.bandwidth.map(|bandwidth| quote!(#bandwidth)));
    let mpi_version = optional(keys.mpi_version.map(|version| quote!(#version)));
    let c_source = optional(keys.c.map(|file| quote!(include_str!(#file))));
    let balance = balance::take(&mut function);
    let Signature { parameters, values, arguments, process, ranks, team } =
        Signature::from_function(&mut function)?;
    let index = match (ranks, team) {
        (true, true) => "ᵢₜ",
        (false, true) => "ₜ",
        (_, false) => "ᵢ",
    };
    let finds = keys.finds.expression(&ident, &values, index)?;
    let entry = match (&keys.entry, &keys.runs, process) {
        (None, None, true) => quote!(Program),
        (None, None, false) => quote!(Function),
        (Some(entry), None, false) => quote!(#entry),
        (None, Some(runs), false) if !runs.elems.is_empty() => quote!(Experiment(&#runs)),
        _ => {
            let message = "#[property] is of one kind: it has `entry = …`, `runs = […]` or a `&dyn Process`";
            return Err(Error::new(ident.span(), message));
        }
    };
    let name = ident.to_string();
    let (twin, run_balanced) = twin(&ident, &arguments, keys.finds.is_silent());
    let doc = doc_of(&function.attrs);
    let divided = balance.map(|balance| balance::divide(&mut function, balance));
    let body = &function.block;
    function.block = parse_quote!({
        let _region = ::ats_props::region(#name);
        ::ats_props::in_a_frame(|| #body)
    });
    function.attrs.push(parse_quote!(#[inline(never)]));
    let doc_of_entry = format!("The catalogue entry of [`{name}`].");
    Ok(quote! {
        #function
        #divided

        #[doc = #doc_of_entry]
        pub static PROPERTY: ::ats_props::Property = ::ats_props::Property {
            name: #name,
            twin: #twin,
            doc: #doc,
            file: file!(),
            origin: ::ats_props::Origin {
                package: env!("CARGO_PKG_NAME"),
                folder: env!("CARGO_MANIFEST_DIR"),
                module: module_path!(),
            },
            entry: ::ats_props::Entry::#entry,
            needs: ::ats_props::Needs { ranks: #ranks, team: #team },
            finds: #finds,
            min_ranks: #min_ranks,
            min_threads: #min_threads,
            send_mode: #send_mode,
            progress: #progress,
            bandwidth: #bandwidth,
            mpi_version: #mpi_version,
            c_source: #c_source,
            parameters: &[#(#parameters),*],
            run: |context, arguments| #ident(#(#arguments),*),
            run_balanced: |context, arguments| #run_balanced,
        };
    })
}

/// The expression of an `Option`.
fn optional(value: Option<Tokens>) -> Tokens {
    value.map_or_else(|| quote!(None), |value| quote!(Some(#value)))
}

/// The name of the balanced twin, and its call; a property that shows nothing is its own twin.
fn twin(ident: &Ident, arguments: &[Tokens], silent: bool) -> (String, Tokens) {
    if silent {
        return (ident.to_string(), quote!(#ident(#(#arguments),*)));
    }
    let twin = format!("{ident}_balanced");
    let call = quote!({
        let _region = ::ats_props::region(#twin);
        balanced(#(#arguments),*)
    });
    (twin, call)
}

/// The parts of a property's signature.
struct Signature {
    /// The catalogue's entries of its parameters.
    parameters: Vec<Tokens>,
    /// Their names, and the expressions that read their values from the arguments.
    values: Vec<(Ident, Tokens)>,
    /// The arguments that it is called with.
    arguments: Vec<Tokens>,
    process: bool,
    ranks: bool,
    team: bool,
}

impl Signature {
    fn from_function(function: &mut ItemFn) -> Result<Self> {
        let (mut parameters, mut values, mut arguments, mut handles) = (vec![], vec![], vec![], vec![]);
        for input in &mut function.sig.inputs {
            let FnArg::Typed(input) = input else {
                return Err(Error::new(input.span(), "a property is a free function"));
            };
            if let Some(handle) = Handle::from_type(&input.ty)? {
                handles.push(handle);
                arguments.push(handle.argument());
            } else if handles.is_empty() {
                let (name, parameter, value) = parameter(input)?;
                parameters.push(parameter);
                arguments.push(value.clone());
                values.push((name, value));
            } else {
                return Err(Error::new(input.span(), format!("parameters come before {WRITTEN}")));
            }
        }
        let process = handles.contains(&Handle::Process);
        if !handles.is_sorted_by(|a, b| a < b) || process && handles.len() > 1 {
            let message = format!("a property ends its parameters with {WRITTEN}");
            return Err(Error::new(function.sig.ident.span(), message));
        }
        let ranks = process || handles.contains(&Handle::Communicator);
        let team = handles.contains(&Handle::Team);
        Ok(Signature { parameters, values, arguments, process, ranks, team })
    }
}

/// A parameter's name, its catalogue entry, and the expression that reads its value from the arguments.
fn parameter(input: &mut PatType) -> Result<(Ident, Tokens, Tokens)> {
    let Pat::Ident(pattern) = &*input.pat else {
        return Err(Error::new(input.pat.span(), "a parameter has a plain name"));
    };
    let ident = pattern.ident.clone();
    let name = ident.to_string();
    let doc = doc_of(&input.attrs);
    if doc.is_empty() {
        return Err(Error::new(input.span(), format!("`{name}` needs a doc comment: it becomes its help")));
    }
    let default = input
        .attrs
        .iter()
        .find(|attribute| attribute.path().is_ident("default"))
        .ok_or_else(|| Error::new(input.span(), format!("`{name}` needs #[default(…)]")))?
        .parse_args::<Expr>()?;
    input
        .attrs
        .retain(|attribute| !attribute.path().is_ident("default") && !attribute.path().is_ident("doc"));
    let ty = &input.ty;
    let entry = quote! {
        ::ats_props::Parameter {
            name: #name,
            doc: #doc,
            kind: ::ats_props::ParameterKind::for_type::<#ty>(),
            default: || {
                let default: #ty = #default;
                ::ats_props::Value::new(default)
            },
        }
    };
    Ok((ident, entry, quote!(arguments.get::<#ty>(#name))))
}

fn doc_of(attributes: &[Attribute]) -> String {
    let lines: Vec<String> = attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                    let text = text.value();
                    Some(text.strip_prefix(' ').unwrap_or(&text).trim_end().to_owned())
                }
                _ => None,
            },
            _ => None,
        })
        .collect();
    lines.join("\n")
}
