//! The transposition table: search results by position, shared by all threads.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering};

/// How a stored score bounds the true score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The true score is at least this.
    Lower = 1,
    /// The true score is at most this.
    Upper = 2,
    /// The stored score is the true score.
    Exact = 3,
}

impl Bound {
    const fn from_bits(bits: u64) -> Option<Self> {
        match bits {
            1 => Some(Self::Lower),
            2 => Some(Self::Upper),
            3 => Some(Self::Exact),
            _ => None,
        }
    }

    /// Returns whether a stored `score` with this bound makes a search in the window unnecessary.
    pub(crate) const fn allows_cutoff(self, score: i32, alpha: i32, beta: i32) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score >= beta,
            Self::Upper => score <= alpha,
        }
    }
}

/// A search result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The [bits](sandtable_core::search::NodeView::move_bits) of the best move; 0 if it is unknown. A hash collision may yield the
    /// move of another position: it must be checked.
    pub(crate) move_bits: u32,
    pub(crate) score: i16,
    /// The static evaluation, or [`UNKNOWN`].
    pub(crate) static_eval: i16,
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
}

/// The static evaluation of an entry that was stored without one.
pub(crate) const UNKNOWN: i16 = i16::MIN;

/// The number of generations before the 6-bit counter wraps.
const GENERATIONS: u64 = 64;
/// The part of a key that a slot stores. The highest bits of the key select the bucket.
const KEY_BITS: u64 = (1 << 48) - 1;

/// The half of a slot that identifies and ages the entry: key, depth, bound and generation.
#[derive(Clone, Copy)]
struct Label(u64);

impl Label {
    const fn new(key: u64, generation: u64, entry: Entry) -> Self {
        Self(
            key & KEY_BITS
                | (entry.depth as u64) << 48
                | (entry.bound as u64) << 56
                | (generation % GENERATIONS) << 58,
        )
    }

    const fn is_for(self, key: u64) -> bool {
        (self.0 ^ key) & KEY_BITS == 0
    }

    const fn depth(self) -> u8 {
        (self.0 >> 48) as u8
    }

    const fn bound(self) -> Option<Bound> {
        Bound::from_bits(self.0 >> 56 & 3)
    }

    const fn generation(self) -> u64 {
        self.0 >> 58
    }
}

/// A label and the rest of the entry. Two threads may write a slot at the same time, so the label is stored xor'ed with the
/// rest: a torn pair matches no position.
#[derive(Debug, Default)]
struct Slot {
    label_xor_rest: AtomicU64,
    rest: AtomicU64,
}

impl Slot {
    fn load(&self) -> (Label, u64) {
        let rest = self.rest.load(Ordering::Relaxed);
        (Label(self.label_xor_rest.load(Ordering::Relaxed) ^ rest), rest)
    }

    fn store(&self, key: u64, generation: u64, entry: Entry) {
        let rest = u64::from(entry.move_bits)
            | u64::from(entry.score.cast_unsigned()) << 32
            | u64::from(entry.static_eval.cast_unsigned()) << 48;
        self.label_xor_rest.store(Label::new(key, generation, entry).0 ^ rest, Ordering::Relaxed);
        self.rest.store(rest, Ordering::Relaxed);
    }
}

fn entry(label: Label, rest: u64) -> Option<Entry> {
    Some(Entry {
        move_bits: rest as u32,
        score: ((rest >> 32) as u16).cast_signed(),
        static_eval: ((rest >> 48) as u16).cast_signed(),
        depth: label.depth(),
        bound: label.bound()?,
    })
}

/// The slots a key can be in: one cache line.
type Bucket = [Slot; 4];

/// A transposition table of a fixed size.
#[derive(Debug)]
pub(crate) struct Table {
    buckets: Box<[Bucket]>,
    generation: u64,
}

impl Table {
    /// Creates a table of about `mebibytes` MiB, at least one bucket.
    pub(crate) fn try_new(mebibytes: usize) -> Result<Self, TryReserveError> {
        let count = (mebibytes.saturating_mul(1 << 20) / size_of::<Bucket>()).max(1);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count)?;
        buckets.resize_with(count, Bucket::default);
        Ok(Self { buckets: buckets.into_boxed_slice(), generation: 0 })
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        for slot in self.buckets.iter_mut().flatten() {
            *slot = Slot::default();
        }
        self.generation = 0;
    }

    /// Starts a new generation, which makes all present entries old.
    pub(crate) const fn new_generation(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[((u128::from(key) * self.buckets.len() as u128) >> 64) as usize]
    }

    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        let (label, rest) = self.bucket(key).iter().map(Slot::load).find(|(label, _)| label.is_for(key))?;
        entry(label, rest)
    }

    /// Stores an entry. It replaces the entry of the same position, or else the least valuable entry of the bucket:
    /// shallow and old entries first.
    ///
    /// An entry of the same position and generation is kept if it is more than three plies deeper and the new one is
    /// not exact. An entry without a move keeps the move of the entry it replaces.
    pub(crate) fn put(&self, key: u64, mut entry: Entry) {
        let age = |label: Label| (GENERATIONS + self.generation - label.generation()) % GENERATIONS;
        let slots = self.bucket(key);
        let same = slots.iter().find(|slot| {
            let (label, _) = slot.load();
            label.is_for(key) && label.bound().is_some()
        });
        if let Some(slot) = same {
            let (old, rest) = slot.load();
            if entry.bound != Bound::Exact && age(old) == 0 && old.depth() > entry.depth.saturating_add(3) {
                return;
            }
            if entry.move_bits == 0 {
                entry.move_bits = rest as u32;
            }
            slot.store(key, self.generation, entry);
            return;
        }
        let value = |slot: &&Slot| {
            let (label, _) = slot.load();
            label.bound().map(|_| i64::from(label.depth()) - 8 * age(label) as i64)
        };
        let slot = slots.iter().min_by_key(value).expect("a bucket has slots");
        slot.store(key, self.generation, entry);
    }

    /// Returns how many slots per mille are used by the current generation, estimated from the first thousand.
    pub(crate) fn hashfull(&self) -> u32 {
        let (mut used, mut total) = (0, 0);
        for slot in self.buckets.iter().flatten().take(1000) {
            let (label, _) = slot.load();
            total += 1;
            used += u32::from(label.bound().is_some() && label.generation() == self.generation);
        }
        used * 1000 / total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: Entry =
        Entry { move_bits: 0xDEAD_BEEF, score: -31_999, static_eval: 17, depth: 255, bound: Bound::Exact };

    #[test]
    fn rejects_a_table_larger_than_memory() {
        for mebibytes in [usize::MAX, usize::MAX >> 20, 1 << 40] {
            assert!(Table::try_new(mebibytes).is_err(), "{mebibytes}");
        }
    }

    #[test]
    fn storing_an_entry_round_trips() {
        for bound in [Bound::Lower, Bound::Upper, Bound::Exact] {
            for score in [i16::MIN, -1, 0, i16::MAX] {
                for static_eval in [UNKNOWN, -1, i16::MAX] {
                    let entry = Entry { score, static_eval, bound, ..ENTRY };
                    let table = Table::try_new(0).unwrap();
                    table.put(u64::MAX, entry);
                    assert_eq!(table.get(u64::MAX), Some(entry));
                }
            }
        }
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_old_one() {
        let table = Table::try_new(0).unwrap();
        table.put(1, ENTRY);
        table.put(1, Entry { move_bits: 0, ..ENTRY });
        assert_eq!(table.get(1), Some(ENTRY));
    }

    #[test]
    fn finds_an_entry_only_by_its_key() {
        let table = Table::try_new(0).unwrap();
        assert_eq!(table.get(1), None);
        table.put(1, ENTRY);
        assert_eq!(table.get(1), Some(ENTRY));
        assert_eq!(table.get(2), None);
    }

    #[test]
    fn ignores_a_torn_write() {
        let table = Table::try_new(0).unwrap();
        table.put(1, ENTRY);
        let slot = table.buckets[0].iter().find(|slot| slot.load().1 != 0).unwrap();
        slot.rest.store(7, Ordering::Relaxed);
        assert_eq!(table.get(1), None);
    }

    #[test]
    fn replaces_a_deep_entry_only_by_a_nearly_as_deep_exact_or_newer_one() {
        let mut table = Table::try_new(0).unwrap();
        let depth = |depth| Entry { depth, bound: Bound::Lower, ..ENTRY };
        let stored_depth = |table: &Table| table.get(1).map(|entry| entry.depth);
        table.put(1, depth(10));
        table.put(1, depth(6));
        assert_eq!(stored_depth(&table), Some(10));
        table.put(1, depth(7));
        assert_eq!(stored_depth(&table), Some(7));
        table.put(1, Entry { depth: 1, ..ENTRY });
        assert_eq!(stored_depth(&table), Some(1));
        table.put(1, depth(10));
        table.new_generation();
        table.put(1, depth(0));
        assert_eq!(stored_depth(&table), Some(0));
    }

    #[test]
    fn a_full_bucket_replaces_old_entries_first_then_shallow_ones() {
        let mut table = Table::try_new(0).unwrap();
        table.put(1, Entry { depth: 9, ..ENTRY });
        table.new_generation();
        for (key, depth) in [(2, 5), (3, 2), (4, 7), (5, 1)] {
            table.put(key, Entry { depth, ..ENTRY });
        }
        assert!([2, 3, 4, 5].iter().all(|&key| table.get(key).is_some()));
        assert_eq!(table.get(1), None);
        table.put(6, ENTRY);
        assert_eq!(table.get(5), None);
        assert!([2, 3, 4, 6].iter().all(|&key| table.get(key).is_some()));
        assert_eq!(table.hashfull(), 1000);
        table.clear();
        assert_eq!((table.get(6), table.hashfull()), (None, 0));
    }
}
