//! `sandtable_fuzz::tribun::play` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sandtable_fuzz::tribun::play(bytes));
