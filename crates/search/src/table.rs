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
///
/// The best move is stored as its [signature](sandtable_core::Evaluate::signature) and looked up among the legal moves,
/// so a hash collision cannot produce an illegal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) signature: u16,
    pub(crate) score: i16,
    pub(crate) static_eval: i16,
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
}

/// The number of generations before the 6-bit counter wraps.
const GENERATIONS: u64 = 64;

impl Entry {
    const fn pack(self, generation: u64) -> u64 {
        self.signature as u64
            | (self.score.cast_unsigned() as u64) << 16
            | (self.static_eval.cast_unsigned() as u64) << 32
            | (self.depth as u64) << 48
            | (self.bound as u64) << 56
            | (generation % GENERATIONS) << 58
    }

    const fn unpack(data: u64) -> Option<Self> {
        let Some(bound) = Bound::from_bits(data >> 56 & 3) else { return None };
        Some(Self {
            signature: data as u16,
            score: ((data >> 16) as u16).cast_signed(),
            static_eval: ((data >> 32) as u16).cast_signed(),
            depth: (data >> 48) as u8,
            bound,
        })
    }
}

/// A key and its data. Two threads may write a slot at the same time, so the key is stored xor'ed with the data: a torn
/// pair matches no position.
#[derive(Debug, Default)]
struct Slot {
    key_xor_data: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    fn load(&self) -> (u64, u64) {
        let data = self.data.load(Ordering::Relaxed);
        (self.key_xor_data.load(Ordering::Relaxed) ^ data, data)
    }

    fn store(&self, key: u64, data: u64) {
        self.key_xor_data.store(key ^ data, Ordering::Relaxed);
        self.data.store(data, Ordering::Relaxed);
    }
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
        let (_, data) = self.bucket(key).iter().map(Slot::load).find(|&(stored, _)| stored == key)?;
        Entry::unpack(data)
    }

    /// Stores an entry. It replaces the entry of the same position, or else the least valuable one of the bucket: shallow
    /// and old ones first.
    ///
    /// An entry of the same position and generation is kept if it is more than three plies deeper and the new one is
    /// not exact.
    pub(crate) fn put(&self, key: u64, entry: Entry) {
        let age = |data: u64| (GENERATIONS + self.generation - (data >> 58)) % GENERATIONS;
        let slots = self.bucket(key);
        let same = slots.iter().find(|slot| slot.load().0 == key);
        let keep = |old: Entry, data: u64| {
            entry.bound != Bound::Exact && age(data) == 0 && old.depth > entry.depth.saturating_add(3)
        };
        let data = same.map_or(0, |slot| slot.load().1);
        if Entry::unpack(data).is_some_and(|old| keep(old, data)) {
            return;
        }
        let value = |slot: &&Slot| {
            let (_, data) = slot.load();
            Entry::unpack(data).map(|old| i64::from(old.depth) - 8 * age(data) as i64)
        };
        let slot = same.or_else(|| slots.iter().min_by_key(value)).expect("a bucket has slots");
        slot.store(key, entry.pack(self.generation));
    }

    /// Returns how many slots per mille are used by the current generation, estimated from the first thousand.
    pub(crate) fn hashfull(&self) -> u32 {
        let (mut used, mut total) = (0, 0);
        for slot in self.buckets.iter().flatten().take(1000) {
            let (_, data) = slot.load();
            total += 1;
            used += u32::from(Entry::unpack(data).is_some() && data >> 58 == self.generation);
        }
        used * 1000 / total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: Entry =
        Entry { signature: 0xBEEF, score: -31_999, static_eval: 17, depth: 255, bound: Bound::Exact };

    #[test]
    fn rejects_a_table_larger_than_memory() {
        for mebibytes in [usize::MAX, usize::MAX >> 20, 1 << 40] {
            assert!(Table::try_new(mebibytes).is_err(), "{mebibytes}");
        }
    }

    #[test]
    fn packing_an_entry_round_trips() {
        for bound in [Bound::Lower, Bound::Upper, Bound::Exact] {
            for score in [i16::MIN, -1, 0, i16::MAX] {
                let entry = Entry { score, bound, ..ENTRY };
                assert_eq!(Entry::unpack(entry.pack(63)), Some(entry));
            }
        }
        assert_eq!(Entry::unpack(0), None);
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
        slot.data.store(Entry { depth: 3, ..ENTRY }.pack(0), Ordering::Relaxed);
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
