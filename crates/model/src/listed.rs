//! Enums whose list of variants is complete because it is generated.

/// Defines an enum with `ALL`, its variants in the order of their definition.
#[macro_export]
macro_rules! listed {
    ($(#[$attribute:meta])* $vis:vis enum $name:ident {
        $($(#[$of_variant:meta])* $variant:ident $(= $number:literal)?),* $(,)?
    }) => {
        $(#[$attribute])*
        $vis enum $name {
            $($(#[$of_variant])* $variant $(= $number)?),*
        }

        impl $name {
            /// Every variant, in the order of the definition.
            $vis const ALL: [Self; [$(stringify!($variant)),*].len()] = [$(Self::$variant),*];
        }
    };
}

/// Defines an enum with `ALL` and the name of each variant, which is its word in every document.
#[macro_export]
macro_rules! named {
    ($(#[$attribute:meta])* $vis:vis enum $name:ident {
        $($(#[$of_variant:meta])* $variant:ident = $word:tt),* $(,)?
    }) => {
        $crate::listed! {
            $(#[$attribute])*
            $vis enum $name {
                $($(#[$of_variant])* #[serde(rename = $word)] $variant),*
            }
        }

        impl $name {
            /// As in every document.
            $vis fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),*
                }
            }
        }
    };
}

/// As [`named!`], with the definition of each variant, which is its documentation: a line.
#[macro_export]
macro_rules! defined {
    ($(#[$attribute:meta])* $vis:vis enum $name:ident {
        $(#[doc = $definition:literal] $variant:ident = $word:tt),* $(,)?
    }) => {
        $crate::named! {
            $(#[$attribute])*
            $vis enum $name {
                $(#[doc = $definition] $variant = $word),*
            }
        }

        impl $name {
            /// The definition, in a sentence.
            $vis fn definition(self) -> &'static str {
                match self {
                    $(Self::$variant => $definition.trim_ascii_start()),*
                }
            }
        }
    };
}
