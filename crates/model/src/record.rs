//! Records of event files, and how a table of them becomes events and their forms.
//!
//! A row of the table ([`crate::event`]) gives the number, name, class, form and fields of a record. From it come the
//! event, and the code that reads and writes it in every format: a format defines what to do with a field of each type
//! ([`ReadField`], [`WriteField`]) and around a record's fields ([`RecordReader`], [`RecordWriter`]).

use std::fmt;

/// A record of an event file, by its number in OTF2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Record(pub u8);

/// `MPI_SEND`, or `record 200` for one that is not in the table.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "record {}", self.0),
        }
    }
}

/// The subject of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Notes on the event that follows.
    Attribute,
    /// The measurement itself: buffers that were flushed, times without recording.
    Measurement,
    /// The program: its begin and its end.
    Program,
    /// Regions that are entered and left.
    Region,
    /// Calling contexts that are entered, left or sampled.
    CallingContext,
    /// Values of parameters.
    Parameter,
    /// Values of metrics.
    Metric,
    /// Messages between two processes.
    PointToPoint,
    /// Collective operations.
    Collective,
    /// Collective operations that do not block.
    NonBlockingCollective,
    /// Communicators that are made and freed.
    Communicator,
    /// One-sided communication.
    Rma,
    /// Input and output.
    Io,
    /// Threads, their teams and their locks.
    Thread,
    /// Tasks of threads.
    Task,
}

impl Class {
    /// Whether traces are full of such records.
    pub const fn is_common(self) -> bool {
        matches!(self, Class::Region | Class::PointToPoint | Class::Collective)
    }

    /// Whether such records are in a part of the table.
    pub const fn is_in<P: Part>(self) -> bool {
        if self.is_common() { P::COMMON } else { P::RARE }
    }
}

/// A part of the table, for formats that keep their code for common records small.
pub trait Part {
    /// Whether it holds the records that traces are full of: [`Class::is_common`].
    const COMMON: bool;
    /// Whether it has the others.
    const RARE: bool;
}

/// The whole table.
#[derive(Clone, Copy, Debug)]
pub enum Whole {}

/// The records that traces are full of.
#[derive(Clone, Copy, Debug)]
pub enum Common {}

/// All but that.
#[derive(Clone, Copy, Debug)]
pub enum Rare {}

impl Part for Whole {
    const COMMON: bool = true;
    const RARE: bool = true;
}

impl Part for Common {
    const COMMON: bool = true;
    const RARE: bool = false;
}

impl Part for Rare {
    const COMMON: bool = false;
    const RARE: bool = true;
}

/// The layout of a record's fields in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// After their length.
    Sized,
    /// A single number, without a length.
    Lone,
    /// After their length and the paradigm of the threads, which is OpenMP's.
    OfOpenMp,
}

/// A record's entry in the table, as writers need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The record.
    pub record: Record,
    /// The layout of its fields in a file.
    pub form: Form,
    /// The number of its event in the table, from 0.
    pub number: u8,
}

/// Writes records.
pub trait RecordWriter {
    /// State kept from the begin of a record to its end.
    type Body;

    /// Begins a record; its fields follow.
    fn begin(&mut self, row: Row) -> Self::Body;

    /// Ends a record.
    fn end(&mut self, body: Self::Body);
}

/// Writes a field of this type.
pub trait WriteField<T>: RecordWriter {
    /// Writes it.
    fn write_field(&mut self, value: T);
}

/// Reads records.
pub trait RecordReader {
    /// Why something cannot be read.
    type Error;
    /// State kept from the begin of a record to its end.
    type Body;

    /// Begins a record of this form; its fields follow.
    ///
    /// # Errors
    /// The record does not exist.
    fn begin(&mut self, form: Form) -> Result<Self::Body, Self::Error>;

    /// Ends a record. Yields whether all its fields have a meaning in the model.
    ///
    /// # Errors
    /// The fields are longer than the record.
    fn end(&mut self, body: Self::Body) -> Result<bool, Self::Error>;

    /// Skips a record that is not an event.
    ///
    /// # Errors
    /// The record does not exist.
    fn skip(&mut self, record: Record) -> Result<(), Self::Error>;
}

/// Reads a field of this type.
pub trait ReadField<T>: RecordReader {
    /// Reads it.
    ///
    /// # Errors
    /// The field does not exist.
    fn read_field(&mut self) -> Result<T, Self::Error>;
}

/// Makes the enumeration of a table's events, which reads and writes itself.
///
/// Each row is an event: `NUMBER NAME Event: Class, Form { field: Type, … }`. Rows of `former` are older records of the same
/// events: they are read and not written.
#[macro_export]
macro_rules! events {
    (
        $(#[$about:meta])*
        pub enum $Event:ident {$(
            $(#[$doc:meta])*
            $id:literal $NAME:ident $name:ident: $class:ident, $form:ident
            $({ $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })?
        )*}
        former {$(
            $old_id:literal $OLD:ident $old:ident: $old_class:ident, $old_form:ident
            $({ $($old_field:ident: $old_type:ty,)* })?
        )*}
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $Event {
            $($(#[$doc])* $name $({ $($(#[$field_doc])* $field: $type,)* })?,)*
            /// Any other record; its fields were skipped.
            Other {
                /// The record.
                record: $crate::record::Record,
            },
        }

        impl $Event {
            /// The records of all events, in the order of their numbers.
            pub const RECORDS: &'static [$crate::record::Record] = &[$($crate::record::Record($id)),*];

            /// The record that it is written as.
            pub fn record(&self) -> $crate::record::Record {
                match *self {
                    $(Self::$name { .. } => $crate::record::Record($id),)*
                    Self::Other { record } => record,
                }
            }

            /// Writes it, if it is in this part of the table; nothing of [`Self::Other`], whose fields are not known.
            #[inline(always)]
            pub fn write<P, W>(self, to: &mut W)
            where
                P: $crate::record::Part,
                W: $crate::record::RecordWriter $($($(+ $crate::record::WriteField<$type>)*)?)*
            {
                #[repr(u8)]
                enum Number { $($name),* }
                match self {
                    $(Self::$name $({ $($field),* })? if const { $crate::record::Class::$class.is_in::<P>() } => {
                        let body = to.begin($crate::record::Row {
                            record: $crate::record::Record($id),
                            form: $crate::record::Form::$form,
                            number: Number::$name as u8,
                        });
                        $($(<W as $crate::record::WriteField<$type>>::write_field(to, $field);)*)?
                        to.end(body);
                    })*
                    _ => {}
                }
            }

            /// Reads a record of this part of the table.
            ///
            /// # Errors
            /// The record does not exist.
            #[inline(always)]
            pub fn read<P, R>(record: $crate::record::Record, from: &mut R) -> Result<Self, R::Error>
            where
                P: $crate::record::Part,
                R: $crate::record::RecordReader $($($(+ $crate::record::ReadField<$type>)*)?)*
            {
                match record.0 {
                    $($id if const { $crate::record::Class::$class.is_in::<P>() } => {
                        let body = from.begin($crate::record::Form::$form)?;
                        let event = Self::$name $({
                            $($field: <R as $crate::record::ReadField<$type>>::read_field(from)?,)*
                        })?;
                        Ok(if from.end(body)? { event } else { Self::Other { record } })
                    })*
                    $($old_id if const { $crate::record::Class::$old_class.is_in::<P>() } => {
                        let body = from.begin($crate::record::Form::$old_form)?;
                        let event = Self::$old $({
                            $($old_field: <R as $crate::record::ReadField<$old_type>>::read_field(from)?,)*
                        })?;
                        Ok(if from.end(body)? { event } else { Self::Other { record } })
                    })*
                    _ if const { P::RARE } => {
                        from.skip(record)?;
                        Ok(Self::Other { record })
                    }
                    _ => Ok(Self::Other { record }),
                }
            }
        }
    };
}

/// Generates the code for all records of the table, and hands its events to [`events!`].
macro_rules! records {
    (
        $(#[$about:meta])*
        pub enum $Event:ident {$(
            $(#[$doc:meta])*
            $id:literal $NAME:ident $name:ident: $class:ident, $form:ident
            $({ $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })?
        )*}
        former {$(
            $old_id:literal $OLD:ident $old:ident: $old_class:ident, $old_form:ident
            $({ $($old_field:ident: $old_type:ty,)* })?
        )*}
        unread {$(
            $unread_id:literal $UNREAD:ident: $unread_class:ident, $unread_form:ident
            { $($unread_field:ident: $unread_type:ty),* }
        )*}
    ) => {
        $crate::events! {
            $(#[$about])*
            pub enum $Event {$(
                $(#[$doc])*
                $id $NAME $name: $class, $form $({ $($(#[$field_doc])* $field: $type,)* })?
            )*}
            former {$(
                $old_id $OLD $old: $old_class, $old_form $({ $($old_field: $old_type,)* })?
            )*}
        }

        impl $crate::record::Record {
            $(
                #[doc = concat!("`", stringify!($NAME), "`.")]
                pub const $NAME: Self = Self($id);
            )*
            $(
                #[doc = concat!("`", stringify!($OLD), "`, of the format's first version.")]
                pub const $OLD: Self = Self($old_id);
            )*
            $(
                #[doc = concat!("`", stringify!($UNREAD), "`, which is no event.")]
                pub const $UNREAD: Self = Self($unread_id);
            )*

            /// All records of the table.
            pub const ALL: &'static [Self] =
                &[$(Self($id),)* $(Self($old_id),)* $(Self($unread_id),)*];

            /// OTF2's name of it; `None` if it is not in the table.
            pub const fn name(self) -> Option<&'static str> {
                Some(match self.0 {
                    $($id => stringify!($NAME),)*
                    $($old_id => stringify!($OLD),)*
                    $($unread_id => stringify!($UNREAD),)*
                    _ => return None,
                })
            }

            /// Its subject; `None` if it is not in the table.
            pub const fn class(self) -> Option<$crate::record::Class> {
                Some(match self.0 {
                    $($id => $crate::record::Class::$class,)*
                    $($old_id => $crate::record::Class::$old_class,)*
                    $($unread_id => $crate::record::Class::$unread_class,)*
                    _ => return None,
                })
            }

            /// Whether traces are full of it: [`Class::is_common`](crate::record::Class::is_common).
            #[inline(always)]
            pub const fn is_common(self) -> bool {
                match self.0 {
                    $($id => $crate::record::Class::$class.is_common(),)*
                    _ => false,
                }
            }

            /// The layout of its fields in a file; those of unknown records follow their length.
            pub const fn form(self) -> $crate::record::Form {
                match self.0 {
                    $($id => $crate::record::Form::$form,)*
                    $($old_id => $crate::record::Form::$old_form,)*
                    $($unread_id => $crate::record::Form::$unread_form,)*
                    _ => $crate::record::Form::Sized,
                }
            }

            /// The names and types of its fields, as the table has them.
            pub const fn fields(self) -> &'static [(&'static str, &'static str)] {
                match self.0 {
                    $($id => &[$($((stringify!($field), stringify!($type)),)*)?],)*
                    $($old_id => &[$($((stringify!($old_field), stringify!($old_type)),)*)?],)*
                    $($unread_id => &[$((stringify!($unread_field), stringify!($unread_type)),)*],)*
                    _ => &[],
                }
            }
        }
    };
}
pub(crate) use records;
