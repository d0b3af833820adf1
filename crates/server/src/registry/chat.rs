//! The chat of the two players of a game.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};

use sandtable_contract::{Action, ApiError, ChatMessage, ErrorCode, GameMessage, Role, Side, may};

use super::live_game::{LiveGame, LiveState};
use super::{Registry, run_to_completion, store_error};
use crate::seat_error::SeatError;
use crate::store::{TokenHash, Write};

/// The longest message, in characters.
const MAX_LENGTH: usize = 200;
/// A player may send this many messages …
const BURST: usize = 5;
/// … in this time, in milliseconds.
const WINDOW: u64 = 10_000;

/// When a player sent the last messages.
#[derive(Default)]
pub(super) struct ChatRate(VecDeque<u64>);

impl ChatRate {
    /// Counts a message, if the player may send one now.
    fn admit(&mut self, now: u64) -> bool {
        self.0.retain(|at| now.saturating_sub(*at) < WINDOW);
        let is_free = self.0.len() < BURST;
        if is_free {
            self.0.push_back(now);
        }
        is_free
    }
}

impl Registry {
    /// The messages of a game, for its players.
    pub(crate) async fn chat(
        self: &Arc<Self>,
        id: &str,
        guest: Option<TokenHash>,
    ) -> Result<Vec<ChatMessage>, ApiError> {
        let game = self.live_game(id).await?;
        let mut state = game.state.lock().await;
        self.catch_up_if_behind(&game, &mut state).await?;
        self.check_chat(&game, &state, guest)?;
        self.chat_messages(id).await
    }

    pub(super) async fn chat_messages(&self, id: &str) -> Result<Vec<ChatMessage>, ApiError> {
        let messages = self.store.chat(id).await.map_err(|e| store_error("cannot read a chat", &e))?;
        let message = |m: crate::store::ChatMessage| ChatMessage {
            number: m.number,
            at: m.at,
            player: m.side,
            text: m.text,
        };
        Ok(messages.into_iter().map(message).collect())
    }

    /// Sends a message to the other player.
    pub(crate) async fn send_chat(
        self: &Arc<Self>,
        id: &str,
        guest: Option<TokenHash>,
        text: String,
    ) -> Result<ChatMessage, ApiError> {
        let text = text.trim().to_owned();
        let length = text.chars().count();
        if length > MAX_LENGTH {
            return Err(ApiError::bad_request(&SeatError::ChatTooLong { length, limit: MAX_LENGTH }));
        }
        if length == 0 {
            return Err(ApiError::bad_request(&SeatError::ChatEmpty));
        }
        let (registry, id) = (Arc::clone(self), id.to_owned());
        run_to_completion(async move {
            let game = registry.live_game(&id).await?;
            let mut state = game.state.lock().await;
            registry.catch_up_if_behind(&game, &mut state).await?;
            let side = registry.check_chat(&game, &state, guest)?;
            let now = registry.now();
            let admitted = {
                let mut rates = game.chat_rate.lock().unwrap_or_else(PoisonError::into_inner);
                rates.side_mut(side).admit(now)
            };
            if !admitted {
                let error = ApiError::new(ErrorCode::TooManyRequests, &SeatError::ChatTooFast);
                return Err(error.with_retry_after(WINDOW / 1_000));
            }
            let at = registry.wall_time();
            let write = Write::Chat { id: id.clone(), side, text, at };
            registry.store.write(write).await.map_err(|e| store_error("cannot write a message", &e))?;
            // Another instance may have added a message since.
            let messages = registry.chat_messages(&id).await?;
            let own = messages.into_iter().rfind(|message| message.player == side && message.at == at);
            let message = own.ok_or_else(|| ApiError::game_not_found(&id))?;
            game.notify(&GameMessage::Chat { message: message.clone() });
            Ok(message)
        })
        .await
    }

    /// The side for which a guest writes, if the guest may.
    fn check_chat(
        &self,
        game: &LiveGame,
        state: &LiveState,
        guest: Option<TokenHash>,
    ) -> Result<Side, ApiError> {
        game.check_valid(state)?;
        let role = state.role(self.access(), guest);
        may(role, Action::Chat).map_err(|e| ApiError::forbidden(&e))?;
        match role {
            Role::Host(side) | Role::Player(side) if state.session.settings().has_chat() => Ok(side),
            _ => Err(ApiError::conflict(&SeatError::ChatOff)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_limited_in_a_window() {
        let mut rate = ChatRate::default();
        assert!((0..BURST as u64).all(|now| rate.admit(now)));
        assert!(!rate.admit(WINDOW - 1));
        assert!(rate.admit(WINDOW) && !rate.admit(WINDOW));
    }
}
