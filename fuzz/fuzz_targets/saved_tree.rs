//! `sandtable_fuzz::tree::saved_tree` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sandtable_fuzz::tree::saved_tree(bytes));
