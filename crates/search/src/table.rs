//! The transposition table: what has been found out about positions, shared by all threads.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering};

/// How a stored score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The true score is at least this.
    Lower = 1,
    /// The true score is at most this.
    Upper = 2,
    /// It is the true score.
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

    /// Does a stored `score` with this bound settle a search in the window?
    pub(crate) const fn settles(self, score: i32, alpha: i32, beta: i32) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score >= beta,
            Self::Upper => score <= alpha,
        }
    }
}

/// What the table knows of a position.
///
/// The best move is kept as its [signature](sandtable_core::Evaluate::signature): it is only ever *recognised* among
/// the legal moves of a position, so that no collision of keys can bring an illegal move into play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) signature: u16,
    pub(crate) score: i16,
    pub(crate) evaluation: i16,
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
}

/// Searches whose entries can be told apart by age.
const GENERATIONS: u64 = 64;

impl Entry {
    const fn pack(self, generation: u64) -> u64 {
        self.signature as u64
            | (self.score.cast_unsigned() as u64) << 16
            | (self.evaluation.cast_unsigned() as u64) << 32
            | (self.depth as u64) << 48
            | (self.bound as u64) << 56
            | (generation % GENERATIONS) << 58
    }

    const fn unpack(data: u64) -> Option<Self> {
        let Some(bound) = Bound::from_bits(data >> 56 & 3) else { return None };
        Some(Self {
            signature: data as u16,
            score: ((data >> 16) as u16).cast_signed(),
            evaluation: ((data >> 32) as u16).cast_signed(),
            depth: (data >> 48) as u8,
            bound,
        })
    }
}

/// Two words that were perhaps written by two threads: the key is stored xor'ed with the data, so that a torn pair
/// matches no position.
#[derive(Debug, Default)]
struct Slot {
    guard: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    fn load(&self) -> (u64, u64) {
        let data = self.data.load(Ordering::Relaxed);
        (self.guard.load(Ordering::Relaxed) ^ data, data)
    }

    fn store(&self, key: u64, data: u64) {
        self.guard.store(key ^ data, Ordering::Relaxed);
        self.data.store(data, Ordering::Relaxed);
    }
}

/// Slots that a key can be in: as many as share a cache line.
type Bucket = [Slot; 4];

/// A table of a fixed size.
#[derive(Debug)]
pub(crate) struct Table {
    buckets: Box<[Bucket]>,
    generation: u64,
}

impl Table {
    /// A table of about that many MiB; of one bucket if that is 0.
    pub(crate) fn try_new(mebibytes: usize) -> Result<Self, TryReserveError> {
        let count = (mebibytes.saturating_mul(1 << 20) / size_of::<Bucket>()).max(1);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count)?;
        buckets.resize_with(count, Bucket::default);
        Ok(Self { buckets: buckets.into_boxed_slice(), generation: 0 })
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        for slot in self.buckets.iter_mut().flatten() {
            *slot = Slot::default();
        }
        self.generation = 0;
    }

    /// From now on, what is there is old.
    pub(crate) const fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[((u128::from(key) * self.buckets.len() as u128) >> 64) as usize]
    }

    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        let (_, data) = self.bucket(key).iter().map(Slot::load).find(|&(stored, _)| stored == key)?;
        Entry::unpack(data)
    }

    /// Stores an entry in place of an older one of the same position, or else of the one least worth keeping.
    ///
    /// What is known of a position gives way to something that is not much shallower, exact, or of a newer search.
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
        let worth = |slot: &&Slot| {
            let (_, data) = slot.load();
            Entry::unpack(data).map(|old| i64::from(old.depth) - 8 * age(data) as i64)
        };
        let slot = same.or_else(|| slots.iter().min_by_key(worth)).expect("a bucket has slots");
        slot.store(key, entry.pack(self.generation));
    }

    /// How many of a thousand slots hold something of this search, judged by the first ones.
    pub(crate) fn per_mille_full(&self) -> u32 {
        let sample = self.buckets.iter().flatten().take(1000);
        let (mut used, mut all) = (0, 0);
        for slot in sample {
            let (_, data) = slot.load();
            all += 1;
            used += u32::from(Entry::unpack(data).is_some() && data >> 58 == self.generation);
        }
        used * 1000 / all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: Entry =
        Entry { signature: 0xBEEF, score: -31_999, evaluation: 17, depth: 255, bound: Bound::Exact };

    #[test]
    fn a_table_that_no_memory_can_hold_is_refused() {
        for mebibytes in [usize::MAX, usize::MAX >> 20, 1 << 40] {
            assert!(Table::try_new(mebibytes).is_err(), "{mebibytes}");
        }
    }

    #[test]
    fn entries_come_back_as_they_were() {
        for bound in [Bound::Lower, Bound::Upper, Bound::Exact] {
            for score in [i16::MIN, -1, 0, i16::MAX] {
                let entry = Entry { score, bound, ..ENTRY };
                assert_eq!(Entry::unpack(entry.pack(63)), Some(entry));
            }
        }
        assert_eq!(Entry::unpack(0), None);
    }

    #[test]
    fn an_entry_is_found_by_its_key_alone() {
        let table = Table::try_new(0).unwrap();
        assert_eq!(table.get(1), None);
        table.put(1, ENTRY);
        assert_eq!(table.get(1), Some(ENTRY));
        assert_eq!(table.get(2), None);
    }

    #[test]
    fn a_torn_pair_is_no_entry() {
        let table = Table::try_new(0).unwrap();
        table.put(1, ENTRY);
        let slot = table.buckets[0].iter().find(|slot| slot.load().1 != 0).unwrap();
        slot.data.store(Entry { depth: 3, ..ENTRY }.pack(0), Ordering::Relaxed);
        assert_eq!(table.get(1), None);
    }

    #[test]
    fn deep_knowledge_gives_way_only_to_what_is_nearly_as_deep_exact_or_newer() {
        let mut table = Table::try_new(0).unwrap();
        let depth = |depth| Entry { depth, bound: Bound::Lower, ..ENTRY };
        let held = |table: &Table| table.get(1).map(|entry| entry.depth);
        table.put(1, depth(10));
        table.put(1, depth(6));
        assert_eq!(held(&table), Some(10));
        table.put(1, depth(7));
        assert_eq!(held(&table), Some(7));
        table.put(1, Entry { depth: 1, ..ENTRY });
        assert_eq!(held(&table), Some(1));
        table.put(1, depth(10));
        table.age();
        table.put(1, depth(0));
        assert_eq!(held(&table), Some(0));
    }

    #[test]
    fn a_full_bucket_gives_up_what_is_old_then_what_is_shallow() {
        let mut table = Table::try_new(0).unwrap();
        table.put(1, Entry { depth: 9, ..ENTRY });
        table.age();
        for (key, depth) in [(2, 5), (3, 2), (4, 7), (5, 1)] {
            table.put(key, Entry { depth, ..ENTRY });
        }
        assert!([2, 3, 4, 5].iter().all(|&key| table.get(key).is_some()));
        assert_eq!(table.get(1), None);
        table.put(6, ENTRY);
        assert_eq!(table.get(5), None);
        assert!([2, 3, 4, 6].iter().all(|&key| table.get(key).is_some()));
        assert_eq!(table.per_mille_full(), 1000);
        table.clear();
        assert_eq!((table.get(6), table.per_mille_full()), (None, 0));
    }
}
