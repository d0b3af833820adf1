//! `sandtable_fuzz::tribun::text` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sandtable_fuzz::tribun::text(bytes));
