//! Counts heap allocations.

/// Returns the minimum number of heap blocks that `run` allocates in three runs.
///
/// The process must use `dhat::Alloc` as its allocator and have a profiler running. The minimum of three runs leaves out the
/// allocations of the test harness's own thread.
pub fn blocks_allocated(mut run: impl FnMut()) -> u64 {
    let mut count = || {
        let before = dhat::HeapStats::get().total_blocks;
        run();
        dhat::HeapStats::get().total_blocks - before
    };
    [count(), count(), count()].into_iter().fold(u64::MAX, u64::min)
}
