//! Counting what the heap is asked for.

/// The fewest blocks that one of three runs allocates, in a process whose allocator is `dhat::Alloc` and whose profiler
/// runs. The test harness has a thread of its own, which allocates a little beside the first of them.
pub fn blocks_allocated(mut run: impl FnMut()) -> u64 {
    let mut count = || {
        let before = dhat::HeapStats::get().total_blocks;
        run();
        dhat::HeapStats::get().total_blocks - before
    };
    [count(), count(), count()].into_iter().fold(u64::MAX, u64::min)
}
