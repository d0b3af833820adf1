//! `sandtable_fuzz::tribun::word` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sandtable_fuzz::tribun::word(bytes));
