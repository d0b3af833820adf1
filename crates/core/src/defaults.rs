//! The optional traits of a game.

/// Implements optional traits of a game by their defaults.
///
/// A game implements [`Rules`](crate::Rules), [`Position`](crate::Position), [`FromSetup`](crate::FromSetup),
/// [`Notation`](crate::Notation), [`Observe`](crate::Observe), [`PolicyIndexed`](crate::PolicyIndexed) and
/// [`Render`](crate::view::Render). The six traits below are optional: a new game lists all of them here, and takes one out of
/// the list when it implements the trait itself.
///
/// | trait | default |
/// |---|---|
/// | [`FactoredPolicy`](crate::learn::FactoredPolicy) | every policy index is one value of the head |
/// | [`Symmetric`](crate::learn::Symmetric) | no reflection |
/// | [`Features`](crate::search::Features) | one feature, which every position has |
/// | [`Evaluate`](crate::search::Evaluate) | static evaluation 0; moves are ordered by what the search learns |
/// | [`Arrange`](crate::view::Arrange) | an editor has no figures, but a field with the text of the position |
/// | [`Explain`](crate::view::Explain) | "This move is not legal", without the rule |
///
/// ```ignore
/// sandtable_core::keep_defaults!(Nim: FactoredPolicy, Symmetric, Features, Evaluate, Arrange, Explain);
/// ```
#[macro_export]
macro_rules! keep_defaults {
    ($Position:ty: $($Trait:ident),+ $(,)?) => {
        $($crate::keep_defaults!(@one $Position, $Trait);)+
    };
    (@one $Position:ty, FactoredPolicy) => {
        impl $crate::learn::FactoredPolicy for $Position {}
    };
    (@one $Position:ty, Symmetric) => {
        impl $crate::learn::Symmetric for $Position {}
    };
    (@one $Position:ty, Features) => {
        impl $crate::search::Features for $Position {}
    };
    (@one $Position:ty, Evaluate) => {
        impl $crate::search::Evaluate for $Position {
            type View<'a> = &'a Self;

            fn view(&self) -> &Self {
                self
            }
        }
    };
    (@one $Position:ty, Arrange) => {
        impl $crate::view::Arrange for $Position {
            type CellError = $crate::view::ArrangeError;
        }
    };
    (@one $Position:ty, Explain) => {
        impl $crate::view::Explain for $Position {
            type Cell = ::std::string::String;
            type Obstacle = $crate::view::Unexplained;

            fn owner(&self, cell: ::std::string::String) -> ::std::option::Option<$crate::Player> {
                $crate::view::Unexplained::owner(self, &cell)
            }

            fn obstacle(
                &self,
                from: ::std::string::String,
                to: ::std::option::Option<::std::string::String>,
                group: &[&str],
            ) -> ::std::option::Option<$crate::view::Unexplained> {
                $crate::view::Unexplained::obstacle(self, &from, to.as_deref(), group)
            }
        }
    };
}
