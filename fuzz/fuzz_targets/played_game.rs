//! `sandtable_fuzz::played_game::played_game` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sandtable_fuzz::played_game::played_game(bytes));
