//! `sandtable_fuzz::cotulenh::lan` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sandtable_fuzz::cotulenh::lan(bytes));
