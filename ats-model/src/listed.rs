//! Enums whose list of variants is complete because nobody writes it.

/// Defines an enum with `ALL`, its variants in the order of their definition.
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
pub(crate) use listed;

/// Defines an enum with `ALL` and the name of each variant, which is its word in every document.
macro_rules! named {
    ($(#[$attribute:meta])* $vis:vis enum $name:ident {
        $($(#[$of_variant:meta])* $variant:ident = $word:tt),* $(,)?
    }) => {
        $crate::listed::listed! {
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
pub(crate) use named;
