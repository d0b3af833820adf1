//! Who follows a game: the sockets of the seat holders, since when a holder is gone, and the lag of the connections.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sandtable_contract::{Both, Presence, Seat, Side};

use crate::store::{StoredPresence, TokenHash};

/// The round trip time of a connection in milliseconds; `u64::MAX` before it is measured.
pub(crate) type RoundTrip = Arc<AtomicU64>;

/// Who follows a game.
pub(super) struct PresenceBoard(Mutex<Board>);

struct Board {
    players: Both<Occupant>,
    connections: HashMap<u64, Connection>,
    next_number: u64,
    /// The connections to other instances.
    elsewhere: Both<StoredPresence>,
    /// The time on the monotonic clock since which a guest who holds a seat has had no connection.
    gone_since: Both<Option<u64>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Occupant {
    Engine,
    Nobody,
    Guest(TokenHash),
}

struct Connection {
    guest: Option<TokenHash>,
    round_trip: RoundTrip,
}

impl PresenceBoard {
    /// The board of a game that nobody follows yet.
    pub(super) fn new(seats: &Both<Seat>, holders: Both<Option<TokenHash>>, now: u64) -> Self {
        let board = Board {
            players: occupants(seats, holders),
            connections: HashMap::new(),
            next_number: 0,
            elsewhere: Both::default(),
            gone_since: Both::default(),
        };
        let board = Self(Mutex::new(board));
        board.update(now, |_| ());
        board
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the board. Returns whether a player came or left.
    fn update(&self, now: u64, change: impl FnOnce(&mut Board)) -> bool {
        let mut board = self.board();
        let before = board.connected();
        change(&mut board);
        let after = board.connected();
        for side in [Side::First, Side::Second] {
            let is_gone = !after.side(side) && matches!(board.players.side(side), Occupant::Guest(_));
            let gone_since = board.gone_since.side_mut(side);
            *gone_since = is_gone.then(|| gone_since.unwrap_or(now));
        }
        before != after
    }

    /// Updates the holders of the seats. Returns whether a player came or left.
    pub(super) fn set_players(&self, seats: &Both<Seat>, holders: Both<Option<TokenHash>>, now: u64) -> bool {
        self.update(now, |board| board.players = occupants(seats, holders))
    }

    /// Updates the connections to other instances. Returns whether a player came or left.
    pub(super) fn set_elsewhere(&self, elsewhere: Both<StoredPresence>, now: u64) -> bool {
        self.update(now, |board| {
            board.elsewhere = elsewhere;
            for side in [Side::First, Side::Second] {
                // A player whom another instance saw leave has been gone since then.
                if let Some(since) = board.elsewhere.side(side).gone_since
                    && !board.has_connection(side)
                {
                    *board.gone_since.side_mut(side) = Some(since.min(now));
                }
            }
        })
    }

    /// The guests who play and have a connection to this instance.
    pub(super) fn connected_here(&self) -> Both<bool> {
        let board = self.board();
        Both { first: board.has_connection(Side::First), second: board.has_connection(Side::Second) }
    }

    /// Adds a connection. Returns its number, and whether a player came.
    pub(super) fn join(&self, guest: Option<TokenHash>, round_trip: RoundTrip, now: u64) -> (u64, bool) {
        let mut number = 0;
        let changed = self.update(now, |board| {
            number = board.next_number;
            board.next_number += 1;
            board.connections.insert(number, Connection { guest, round_trip });
        });
        (number, changed)
    }

    /// Removes a connection. Returns whether a player left.
    pub(super) fn leave(&self, number: u64, now: u64) -> bool {
        self.update(now, |board| {
            board.connections.remove(&number);
        })
    }

    /// Whether the player of a side follows the game.
    pub(super) fn is_connected(&self, side: Side) -> bool {
        *self.board().connected().side(side)
    }

    /// How long the guest who plays a side has been gone.
    pub(super) fn gone_for(&self, side: Side, now: u64) -> Option<u64> {
        self.board().gone_since.side(side).map(|since| now.saturating_sub(since))
    }

    /// The round trip time of a player's best connection.
    pub(super) fn round_trip(&self, side: Side) -> Option<u64> {
        let board = self.board();
        let Occupant::Guest(guest) = *board.players.side(side) else { return None };
        let own = board.connections.values().filter(|connection| connection.guest == Some(guest));
        let fastest = own.map(|connection| connection.round_trip.load(Ordering::Relaxed)).min();
        fastest.filter(|time| *time != u64::MAX)
    }

    /// The presence as JSON: `now` on the monotonic clock is `wall_time` since 1970.
    pub(super) fn view(&self, abandon_after: u64, wall_time: u64, now: u64) -> Presence {
        let board = self.board();
        let claim_from = |since: u64| (wall_time + abandon_after).saturating_sub(now.saturating_sub(since));
        Presence {
            connected: board.connected(),
            claim_from: board.gone_since.map(|since| since.map(claim_from)),
        }
    }
}

impl Board {
    fn connected(&self) -> Both<bool> {
        let connected = |side| match self.players.side(side) {
            Occupant::Engine => true,
            Occupant::Nobody => false,
            Occupant::Guest(_) => self.has_connection(side) || self.elsewhere.side(side).is_connected,
        };
        Both { first: connected(Side::First), second: connected(Side::Second) }
    }

    /// Whether the guest who plays a side has a connection to this instance.
    fn has_connection(&self, side: Side) -> bool {
        match *self.players.side(side) {
            Occupant::Guest(guest) => self.connections.values().any(|other| other.guest == Some(guest)),
            Occupant::Engine | Occupant::Nobody => false,
        }
    }
}

fn occupants(seats: &Both<Seat>, holders: Both<Option<TokenHash>>) -> Both<Occupant> {
    let occupant = |seat: &Seat, holder: Option<TokenHash>| match (seat, holder) {
        (Seat::Engine { .. }, _) => Occupant::Engine,
        (Seat::Human { .. }, Some(guest)) => Occupant::Guest(guest),
        (Seat::Human { .. }, None) | (Seat::Open, _) => Occupant::Nobody,
    };
    Both { first: occupant(&seats.first, holders.first), second: occupant(&seats.second, holders.second) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AN: TokenHash = TokenHash([1; 32]);
    const BINH: TokenHash = TokenHash([2; 32]);

    fn rtt(milliseconds: u64) -> RoundTrip {
        Arc::new(AtomicU64::new(milliseconds))
    }

    #[test]
    fn a_player_is_gone_when_the_last_connection_ends() {
        let human = || Seat::Human { name: None };
        let seats = Both { first: human(), second: human() };
        let board = PresenceBoard::new(&seats, Both { first: Some(AN), second: Some(BINH) }, 1_000);
        assert_eq!(board.gone_for(Side::First, 5_000), Some(4_000));
        let (first, came) = board.join(Some(AN), rtt(30), 2_000);
        assert!(came && board.is_connected(Side::First) && !board.is_connected(Side::Second));
        let (second, came) = board.join(Some(AN), rtt(u64::MAX), 2_000);
        assert!(!came);
        let (_, came) = board.join(None, rtt(1), 2_000);
        assert!(!came, "a spectator");
        assert_eq!((board.round_trip(Side::First), board.round_trip(Side::Second)), (Some(30), None));
        assert!(!board.leave(first, 3_000));
        assert_eq!(board.gone_for(Side::First, 9_000), None);
        assert!(board.leave(second, 4_000));
        assert_eq!(board.gone_for(Side::First, 9_000), Some(5_000));
        let view = board.view(60_000, 1_000_000, 9_000);
        assert_eq!(view.claim_from, Both { first: Some(1_055_000), second: Some(1_052_000) });
        // The seat moves to another device.
        board.set_players(&seats, Both { first: Some(AN), second: Some(AN) }, 9_000);
        assert_eq!(board.gone_for(Side::Second, 9_000), Some(8_000));
    }

    #[test]
    fn engines_are_always_there_and_open_seats_never_gone() {
        let seats = Both { first: Seat::Engine { level: 1 }, second: Seat::Open };
        let board = PresenceBoard::new(&seats, Both::default(), 0);
        assert!(board.is_connected(Side::First) && !board.is_connected(Side::Second));
        assert_eq!((board.gone_for(Side::First, 9), board.gone_for(Side::Second, 9)), (None, None));
    }
}
