//! A value of whatever type a parameter has.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::{CValue, ParameterType};

/// A value of a parameter.
///
/// ```
/// use ats_props::{Seconds, Value};
///
/// let value = Value::new(Seconds(0.01));
/// assert_eq!(value.get::<Seconds>(), Some(&Seconds(0.01)));
/// assert_eq!(value.scaled(2.0), Ok(Value::new(Seconds(0.02))));
/// ```
#[derive(Clone)]
pub struct Value(Arc<dyn Typed>);

impl Value {
    /// A value of a type.
    pub fn new(value: impl ParameterType) -> Self {
        Value(Arc::new(value))
    }

    /// The value, if it is of this type.
    pub fn get<T: ParameterType>(&self) -> Option<&T> {
        (&*self.0 as &dyn Any).downcast_ref()
    }

    /// The kind of value, in one word: [`ParameterType::KIND`].
    pub fn kind(&self) -> &'static str {
        self.0.kind()
    }

    /// The values passed to a function of C.
    pub fn to_c(&self) -> Vec<CValue> {
        self.0.to_c()
    }

    /// The value plus `step`, for values that vary from run to run.
    ///
    /// # Errors
    /// It does not grow by steps, or leaves its range.
    pub fn stepped(&self, step: f64) -> Result<Value, String> {
        self.0.stepped(step)
    }

    /// The value times `factor`.
    ///
    /// # Errors
    /// It does not grow, or leaves its range.
    pub fn scaled(&self, factor: f64) -> Result<Value, String> {
        self.0.scaled(factor)
    }

    /// Whether it depends on a property of the MPI library that the ranks of a run probe before the property runs.
    pub fn is_probed(&self) -> bool {
        self.0.is_probed()
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.text())
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(other)
    }
}

/// A [`ParameterType`] behind a pointer.
trait Typed: Any + Send + Sync {
    fn kind(&self) -> &'static str;
    fn text(&self) -> String;
    fn equals(&self, other: &Value) -> bool;
    fn to_c(&self) -> Vec<CValue>;
    fn stepped(&self, step: f64) -> Result<Value, String>;
    fn scaled(&self, factor: f64) -> Result<Value, String>;
    fn is_probed(&self) -> bool;
}

impl<T: ParameterType> Typed for T {
    fn kind(&self) -> &'static str {
        T::KIND
    }

    fn text(&self) -> String {
        ParameterType::text(self)
    }

    fn equals(&self, other: &Value) -> bool {
        other.get() == Some(self)
    }

    fn to_c(&self) -> Vec<CValue> {
        ParameterType::to_c(self)
    }

    fn stepped(&self, step: f64) -> Result<Value, String> {
        ParameterType::stepped(self, step).map(Value::new)
    }

    fn scaled(&self, factor: f64) -> Result<Value, String> {
        ParameterType::scaled(self, factor).map(Value::new)
    }
    fn is_probed(&self) -> bool {
        ParameterType::is_probed(self)
    }
}
