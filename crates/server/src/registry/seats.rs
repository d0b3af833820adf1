//! Who holds the seats: invitations, transfers to another device, rematches, and the ends that need a seat.

use std::sync::Arc;

use sandtable_contract::{
    Action, ApiError, Both, Change, DeletedReason, ErrorCode, Rematch, Role, Seat, Session, Side, may,
};

use super::live_game::{LiveGame, LiveState, Update};
use super::{Actor, Registry, Request, flags, run_to_completion, store_error, summary};
use crate::blocking::run_blocking;
use crate::guests::Token;
use crate::seat_error::SeatError;
use crate::store::{SeatUpdate, StoreError, TokenHash, Write};

/// The guests who hold the seats of a new game: its creator holds every seat that people play. A game between engines
/// belongs to its creator too.
pub(super) fn creators_seats(seats: &Both<Seat>, creator: Option<TokenHash>) -> Both<Option<TokenHash>> {
    let is_human = |seat: &Seat| matches!(seat, Seat::Human { .. });
    let is_watched = !is_human(&seats.first) && !is_human(&seats.second);
    let holder = |seat: &Seat| creator.filter(|_| is_human(seat) || is_watched);
    Both { first: holder(&seats.first), second: holder(&seats.second) }
}

fn forbidden_unless(role: Role, action: Action) -> Result<(), ApiError> {
    may(role, action).map_err(|e| ApiError::forbidden(&e))
}

impl Registry {
    /// Creates an invitation to the open seat. Earlier ones become invalid.
    pub(crate) async fn invite(
        self: &Arc<Self>,
        id: &str,
        guest: Option<TokenHash>,
    ) -> Result<Token, ApiError> {
        self.new_link(id, guest, Action::Invite, |state| {
            state.session.open_side().ok_or_else(|| ApiError::conflict(&SeatError::NoneOpen))
        })
        .await
    }

    /// Creates a link that moves a seat to another device. Earlier ones become invalid.
    pub(crate) async fn transfer(
        self: &Arc<Self>,
        id: &str,
        guest: Option<TokenHash>,
        side: Side,
    ) -> Result<Token, ApiError> {
        self.new_link(id, guest, Action::Transfer(side), move |state| {
            let is_held = state.seats.side(side).holder.is_some()
                && matches!(state.session.seats().side(side), Seat::Human { .. });
            if is_held { Ok(side) } else { Err(ApiError::conflict(&SeatError::NotHeld)) }
        })
        .await
    }

    async fn new_link(
        self: &Arc<Self>,
        id: &str,
        guest: Option<TokenHash>,
        action: Action,
        seat: impl FnOnce(&LiveState) -> Result<Side, ApiError> + Send + 'static,
    ) -> Result<Token, ApiError> {
        let (registry, id) = (Arc::clone(self), id.to_owned());
        run_to_completion(async move {
            let game = registry.live_game(&id).await?;
            let mut state = game.state.lock().await;
            registry.catch_up_if_behind(&game, &mut state).await?;
            game.check_valid(&state)?;
            forbidden_unless(state.role(registry.access(), guest), action)?;
            let side = seat(&state)?;
            let token = Token::random()?;
            let hash = Some(token.hash());
            registry.write(&game, &mut state, Write::Link { id, side, hash }).await?;
            state.seats.side_mut(side).link = hash;
            Ok(token)
        })
        .await
    }

    /// Takes a seat: the one that a link gives, or the open seat of a game in the lobby. Returns the game.
    pub(crate) async fn take_seat(
        self: &Arc<Self>,
        id: &str,
        guest: TokenHash,
        link: Option<TokenHash>,
        name: Option<String>,
    ) -> Result<String, ApiError> {
        let (registry, id) = (Arc::clone(self), id.to_owned());
        run_to_completion(async move {
            let game = registry.live_game(&id).await?;
            let mut state = game.state.lock().await;
            game.check_valid(&state)?;
            // The links too: another instance may have created this one.
            registry.catch_up(&game, &mut state).await?;
            forbidden_unless(state.role(registry.access(), Some(guest)), Action::TakeSeat)?;
            let side = match link {
                Some(_) => {
                    let sides = [Side::First, Side::Second].into_iter();
                    let mut linked = sides.filter(|side| state.seats.side(*side).link == link);
                    linked.next().ok_or_else(|| ApiError::forbidden(&SeatError::InvalidLink))?
                }
                None if state.session.in_lobby() => {
                    state.session.open_side().ok_or_else(|| ApiError::conflict(&SeatError::NoneOpen))?
                }
                None => return Err(ApiError::forbidden(&SeatError::NotInvited)),
            };
            let seat = SeatUpdate { side, holder: guest, link };
            if *state.session.seats().side(side) == Seat::Open {
                let change = Change::Join { player: side, name };
                let mut request = Request::new(Actor::Guest(Some(guest)), None, change, registry.now());
                request.seat = Some(seat);
                registry.apply(&game, &mut state, request).await?;
            } else {
                registry.move_seat(&game, &mut state, seat).await?;
            }
            let snapshot = registry.snapshot(&game, &mut state).await?;
            Ok(registry.render(&game, &snapshot, Some(guest), 0))
        })
        .await
    }

    /// Gives a seat to another device of its holder. The game itself does not change.
    async fn move_seat(
        self: &Arc<Self>,
        game: &Arc<LiveGame>,
        state: &mut LiveState,
        seat: SeatUpdate,
    ) -> Result<(), ApiError> {
        let session = &state.session;
        let write = Write::Append {
            id: game.id.clone(),
            first_number: session.version() + 1,
            entries: Vec::new(),
            summary: summary(session, &game.id, state.timestamps),
            seat: Some(seat),
            flags: flags(session),
            at: state.timestamps.updated,
            job: None,
        };
        match self.store.write(write).await {
            Ok(()) => {}
            Err(StoreError::Stale) if self.store.shared().is_some() => {
                self.catch_up(game, state).await?;
                return Err(ApiError::forbidden(&SeatError::InvalidLink));
            }
            Err(error) => return Err(self.failed_write(game, state, &error)),
        }
        self.seat_taken(game, state, seat);
        // Followers learn which sides they play now.
        let snapshot = self.snapshot(game, state).await?;
        game.updates.send_replace(Update::Game(snapshot));
        Ok(())
    }

    /// Updates memory after a seat was taken.
    pub(super) fn seat_taken(
        self: &Arc<Self>,
        game: &Arc<LiveGame>,
        state: &mut LiveState,
        seat: SeatUpdate,
    ) {
        let taken = state.seats.side_mut(seat.side);
        (taken.holder, taken.link) = (Some(seat.holder), None);
        if game.presence.set_players(state.session.seats(), state.holders(), self.now()) {
            self.notify_presence(game);
        }
    }

    /// Ends the game because the opponent of a player has been gone for long enough.
    pub(crate) async fn claim_victory(
        self: &Arc<Self>,
        id: &str,
        guest: Option<TokenHash>,
        expected_version: Option<u64>,
        player: Side,
    ) -> Result<String, ApiError> {
        let (registry, id) = (Arc::clone(self), id.to_owned());
        run_to_completion(async move {
            let game = registry.live_game(&id).await?;
            let mut state = game.state.lock().await;
            registry.catch_up_if_behind(&game, &mut state).await?;
            game.check_valid(&state)?;
            let role = state.role(registry.access(), guest);
            forbidden_unless(role, Action::ClaimVictory(player))?;
            registry.update_presence(&game).await?;
            let (gone_for, limit) =
                (game.presence.gone_for(player.opponent(), registry.now()), registry.abandon_after());
            if matches!(role, Role::Sole) || gone_for.is_none_or(|time| time < limit) {
                let seconds = limit / 1_000;
                return Err(ApiError::conflict(&SeatError::OpponentPresent { seconds }));
            }
            let change = Change::Abandon { player: player.opponent() };
            let request = Request::new(Actor::Guest(guest), expected_version, change, registry.now());
            registry.apply(&game, &mut state, request).await?;
            let snapshot = registry.snapshot(&game, &mut state).await?;
            Ok(registry.render(&game, &snapshot, guest, 0))
        })
        .await
    }

    /// The next game between the same players, with the sides swapped. It is created by the first request.
    pub(crate) async fn rematch(
        self: &Arc<Self>,
        id: &str,
        guest: Option<TokenHash>,
    ) -> Result<String, ApiError> {
        let (registry, id) = (Arc::clone(self), id.to_owned());
        let next = run_to_completion(async move {
            let game = registry.live_game(&id).await?;
            let mut state = game.state.lock().await;
            registry.catch_up_if_behind(&game, &mut state).await?;
            game.check_valid(&state)?;
            let role = state.role(registry.access(), guest);
            forbidden_unless(role, Action::Rematch)?;
            if let Some(rematch) = state.session.rematch() {
                return Ok(rematch.id.clone());
            }
            let settings = state.session.rematch_settings()?;
            let session = run_blocking(move || Session::new(settings)).await?;
            let next = registry.create_game(session, state.holders().swapped()).await?;
            let by = match role {
                Role::Host(side) | Role::Player(side) => side,
                Role::Sole | Role::Spectator | Role::Server => Side::First,
            };
            let change = Change::Rematch { rematch: Rematch { id: next.id.clone(), by } };
            let request = Request::new(Actor::Guest(guest), None, change, registry.now());
            if let Err(error) = registry.apply(&game, &mut state, request).await {
                // Nobody knows the new game.
                let id = next.id.clone();
                let deleted = registry.store.write(Write::Delete { id }).await;
                deleted.map_err(|e| store_error("cannot delete a game", &e))?;
                return Err(error);
            }
            Ok(next.id.clone())
        })
        .await?;
        self.game(&next, guest).await
    }

    /// Aborts a game in which not both players have moved: it is deleted.
    pub(crate) async fn abort(self: &Arc<Self>, id: &str, guest: Option<TokenHash>) -> Result<(), ApiError> {
        self.remove(id, guest, DeletedReason::Aborted).await
    }

    /// Deletes a game.
    pub(crate) async fn delete(self: &Arc<Self>, id: &str, guest: Option<TokenHash>) -> Result<(), ApiError> {
        self.remove(id, guest, DeletedReason::Deleted).await
    }

    async fn remove(
        self: &Arc<Self>,
        id: &str,
        guest: Option<TokenHash>,
        reason: DeletedReason,
    ) -> Result<(), ApiError> {
        let (registry, id) = (Arc::clone(self), id.to_owned());
        run_to_completion(async move {
            let game = match registry.live_game(&id).await {
                Err(error) if error.code() == ErrorCode::Internal && reason == DeletedReason::Deleted => {
                    return registry.delete_damaged(&id, guest).await;
                }
                game => game?,
            };
            let mut state = game.state.lock().await;
            registry.catch_up_if_behind(&game, &mut state).await?;
            game.check_valid(&state)?;
            let role = state.role(registry.access(), guest);
            match reason {
                DeletedReason::Aborted => {
                    forbidden_unless(role, Action::Abort)?;
                    state.session.check_abortable()?;
                }
                DeletedReason::Deleted => forbidden_unless(role, Action::Delete)?,
            }
            registry.write(&game, &mut state, Write::Delete { id }).await?;
            registry.evict(&game, &mut state, Update::Deleted(reason));
            Ok(())
        })
        .await
    }
}
