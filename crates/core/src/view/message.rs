//! Messages that can be translated: a code and its parameters beside the English text.

use std::any::type_name;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

/// A message in machine-readable form: the code of a sentence and its parameters.
///
/// The English sentence is the `Display` of the value that [describes](Describe) itself. A translation maps the code to
/// a sentence with the names of the parameters as placeholders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The code, such as `chess_fen.ranks`: stable, and unique among all messages.
    pub code: Cow<'static, str>,
    /// The parameters by name, in the order of the fields.
    pub params: Vec<(&'static str, Param)>,
}

impl Message {
    /// A message without parameters.
    #[must_use]
    pub fn new(code: impl Into<Cow<'static, str>>) -> Self {
        Self { code: code.into(), params: Vec::new() }
    }

    /// The same message with one more parameter.
    #[must_use]
    pub fn with(mut self, name: &'static str, param: Param) -> Self {
        self.params.push((name, param));
        self
    }
}

/// A parameter of a [`Message`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Param {
    /// Text that is the same in every language: user input, a move, a square.
    Text(String),
    /// A number.
    Number(i64),
    /// A word of the game, such as a piece, a player or the reason of an end, in English.
    Term(String),
    /// A message within the message.
    Message(Message),
    /// Several parameters: alternatives if they are text or terms.
    List(Vec<Self>),
}

impl Param {
    /// The text of a value.
    #[must_use]
    pub fn text(value: impl Display) -> Self {
        Self::Text(value.to_string())
    }

    /// A number; one beyond the range of `i64` becomes text.
    #[must_use]
    pub fn number(value: impl TryInto<i64> + Display + Copy) -> Self {
        value.try_into().map_or_else(|_| Self::text(value), Self::Number)
    }

    /// A word of the game.
    #[must_use]
    pub fn term(value: impl Display) -> Self {
        Self::Term(value.to_string())
    }

    /// The message of a value.
    #[must_use]
    pub fn message(value: &impl Describe) -> Self {
        Self::Message(value.message())
    }

    /// The texts of several values.
    #[must_use]
    pub fn list(values: impl IntoIterator<Item: Display>) -> Self {
        Self::List(values.into_iter().map(Self::text).collect())
    }
}

/// A value whose English text can be translated; every error that can reach a player implements it.
///
/// Derive it beside `thiserror::Error`:
///
/// ```
/// use sandtable_core::Describe;
/// use sandtable_core::view::{Message, Param};
///
/// /// The reason why a text is not a dice roll.
/// #[derive(Debug, thiserror::Error, Describe)]
/// #[code("dice")]
/// enum DiceError {
///     #[error("expected {0} dice")]
///     Count(#[param(name = "expected")] u8),
///     #[error("die {number}: {error}")]
///     Die { number: usize, #[param(message)] error: DieError },
/// }
///
/// /// The reason why a text is not a number on a die.
/// #[derive(Debug, thiserror::Error, Describe)]
/// #[code("die")]
/// #[error("unknown number `{text}`")]
/// struct DieError { text: String }
///
/// let error = DiceError::Die { number: 2, error: DieError { text: "7".into() } };
/// assert_eq!(error.to_string(), "die 2: unknown number `7`");
/// let nested = Message::new("die").with("text", Param::text("7"));
/// let message = Message::new("dice.die").with("number", Param::Number(2)).with("error", Param::Message(nested));
/// assert_eq!(error.message(), message);
/// assert_eq!(DiceError::Count(2).message().code, "dice.count");
/// ```
///
/// # The derive macro
///
/// `#[code("…")]` on the type is the code of a struct and the prefix of the codes of an enum: `prefix.variant_name`.
/// A variant with `#[error(transparent)]` has the message of its field. Every other field is a parameter with the
/// field's name, or `value` in a tuple; integers are numbers, everything else is text. `#[param(…)]` changes that:
///
/// | attribute | meaning |
/// |---|---|
/// | `name = "…"` | another name; required for a tuple of several fields |
/// | `term` | a word of the game |
/// | `number` | a number, although it is computed or the type is an alias |
/// | `list` | a list of texts |
/// | `message` | a nested message; in a tuple its default name is `error` |
/// | `value = expression` | a value computed from the fields, which are references named as the fields, `_0` in a tuple |
/// | `message = Type, value = expression` | a nested message that is computed |
/// | `skip` | no parameter |
///
/// A field may have several such attributes, one for each parameter.
pub trait Describe: Display {
    /// The code and the parameters. Built when asked for, so that an error that nobody shows costs nothing.
    #[must_use]
    fn message(&self) -> Message;

    /// Adds every code that [`message`](Self::message) can return, at any depth.
    fn collect_codes(codes: &mut Codes)
    where
        Self: Sized;
}

impl<T: Describe> Describe for Box<T> {
    fn message(&self) -> Message {
        (**self).message()
    }

    fn collect_codes(codes: &mut Codes) {
        T::collect_codes(codes);
    }
}

/// The codes of many types, each with the names of its parameters.
#[derive(Clone, Debug, Default)]
pub struct Codes {
    by_code: BTreeMap<Cow<'static, str>, (&'static str, Vec<&'static str>)>,
    types: BTreeSet<&'static str>,
}

impl Codes {
    /// Whether the codes of `T` still have to be added; types may contain each other.
    pub fn enter<T>(&mut self) -> bool {
        self.types.insert(type_name::<T>())
    }

    /// Adds a code of `T`.
    ///
    /// # Panics
    ///
    /// Panics if another type has the same code.
    pub fn add<T>(&mut self, code: impl Into<Cow<'static, str>>, params: &[&'static str]) {
        // A generic type has the same codes for all its arguments.
        let owner = type_name::<T>().split('<').next().unwrap_or_default();
        let (first, _) = self.by_code.entry(code.into()).or_insert_with(|| (owner, params.to_vec()));
        assert_eq!(*first, owner, "two types have the same code");
    }

    /// Every code with the names of its parameters, in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[&'static str])> {
        self.by_code.iter().map(|(code, (_, params))| (&**code, &**params))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{IllegalMove, PlayError, PlayTextError, SetupError};
    use crate::{Describe, Outcome};

    #[derive(Debug, thiserror::Error, Describe)]
    #[code("test")]
    enum TestError {
        #[error("at {}: {rule}", .at + 1)]
        HTTPPlace {
            #[param(number, value = at + 1)]
            at: usize,
            #[param(term)]
            #[param(name = "length", value = rule.len())]
            rule: &'static str,
        },
        #[error("{0} or {1:?}")]
        Pair(#[param(name = "first")] char, #[param(name = "second", list)] Vec<u8>),
        #[error("step: {0}")]
        Step(#[param(message)] Box<TestError>),
        #[error(transparent)]
        Move(IllegalMove),
        #[error("played")]
        Skipped(#[param(skip)] ()),
        #[error("{}", Rule(.0))]
        Computed(
            #[param(skip)]
            #[param(name = "rule", message = Rule<'static>, value = Rule(_0))]
            &'static str,
        ),
    }

    #[derive(Debug, thiserror::Error, Describe)]
    #[code("test_rule")]
    #[error("rule {0}")]
    struct Rule<'a>(#[param(name = "name")] &'a str);

    impl std::fmt::Display for NotDebug {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("no error type is needed")
        }
    }

    #[derive(Describe)]
    #[code("not_debug")]
    struct NotDebug;

    #[test]
    fn fields_become_parameters() {
        let message = TestError::HTTPPlace { at: 2, rule: "king" }.message();
        let expected = Message::new("test.http_place")
            .with("at", Param::Number(3))
            .with("rule", Param::Term("king".into()))
            .with("length", Param::Text("4".into()));
        assert_eq!(message, expected);
        let list = Param::List(vec![Param::Text("1".into()), Param::Text("2".into())]);
        let expected = Message::new("test.pair").with("first", Param::Text("x".into())).with("second", list);
        assert_eq!(TestError::Pair('x', vec![1, 2]).message(), expected);
        assert_eq!(TestError::Skipped(()).message(), Message::new("test.skipped"));
        assert_eq!(NotDebug.message(), Message::new("not_debug"));
    }

    #[test]
    fn messages_nest() {
        let message = TestError::Step(Box::new(TestError::Move(IllegalMove))).message();
        let inner = Param::Message(Message::new("illegal_move"));
        assert_eq!(message, Message::new("test.step").with("error", inner));
        let rule = Param::Message(Message::new("test_rule").with("name", Param::Text("a".into())));
        assert_eq!(TestError::Computed("a").message(), Message::new("test.computed").with("rule", rule));
    }

    #[test]
    fn codes_of_nested_types_are_collected_once() {
        let mut codes = Codes::default();
        TestError::collect_codes(&mut codes);
        SetupError::<Rule>::collect_codes(&mut codes);
        let found: Vec<_> =
            codes.iter().map(|(code, params)| format!("{code} {}", params.join(" "))).collect();
        let expected = [
            "illegal_move ",
            "setup reasons",
            "test.computed rule",
            "test.http_place at rule length",
            "test.pair first second",
            "test.skipped ",
            "test.step error",
            "test_rule name",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_generic_type_describes_its_argument() {
        type Error = PlayTextError<TestError, ()>;
        assert_eq!(Error::Text(TestError::Skipped(())).message().code, "test.skipped");
        assert_eq!(Error::Over(Outcome::Ongoing).message(), Message::new("play_text.over"));
        assert_eq!(PlayError::<()>::Illegal(IllegalMove).message().code, "illegal_move");
        let mut codes = Codes::default();
        Error::collect_codes(&mut codes);
        assert!(codes.iter().any(|(code, _)| code == "test.step"));
        PlayTextError::<Rule, u8>::collect_codes(&mut codes);
        assert!(codes.iter().any(|(code, _)| code == "test_rule"));
    }

    #[test]
    #[should_panic(expected = "two types have the same code")]
    fn a_code_belongs_to_one_type() {
        let mut codes = Codes::default();
        codes.add::<u8>("same", &[]);
        codes.add::<u16>("same", &[]);
    }

    #[test]
    fn numbers_beyond_the_range_become_text() {
        assert_eq!(Param::number(7_u8), Param::Number(7));
        assert_eq!(Param::number(u64::MAX), Param::Text(u64::MAX.to_string()));
    }
}
