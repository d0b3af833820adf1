//! Errors as JavaScript exceptions.

use std::fmt::Display;

use js_sys::{Error, Reflect};
use wasm_bindgen::JsValue;

/// The result of a call from JavaScript: the error is thrown.
pub(crate) type Result<T> = std::result::Result<T, JsValue>;

/// The class of an error. The package throws one subclass of `SandtableError` for each.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Code {
    /// An argument has a value that no position allows.
    Argument,
    /// The text of a position cannot be read, or the position is invalid.
    Position,
    /// A move, turn or action is not legal.
    Move,
    /// A record cannot be read.
    Record,
    /// The state of the draw offer does not allow the action.
    Draw,
    /// There is not enough memory.
    Memory,
}

impl Code {
    const fn name(self) -> &'static str {
        match self {
            Self::Argument => "invalid_argument",
            Self::Position => "invalid_position",
            Self::Move => "illegal_move",
            Self::Record => "invalid_record",
            Self::Draw => "draw_action",
            Self::Memory => "out_of_memory",
        }
    }

    /// An exception of this class with the message of a Rust error.
    pub(crate) fn error(self, message: impl Display) -> JsValue {
        let error = Error::new(&message.to_string());
        // Setting a property of a new object cannot fail.
        let _ = Reflect::set(&error, &JsValue::from_str("code"), &JsValue::from_str(self.name()));
        error.into()
    }
}
