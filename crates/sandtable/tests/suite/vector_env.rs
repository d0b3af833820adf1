//! Vector environments against single games.

use sandtable::core::Player;
use sandtable::core::learn::{Layout, PolicyIndex};
use sandtable::games::complete_games;
use sandtable::training::{ArrayBuffers, BoxedEnv, StepError, VectorSettings, vector_env};
use sandtable::{BoxedGame, GAMES, GameKind};

const SETTINGS: VectorSettings = VectorSettings::new(5);

fn new_env(kind: &GameKind, settings: &VectorSettings, seed: u64) -> (BoxedEnv, ArrayBuffers) {
    let mut env = vector_env(kind, kind.rules[0], settings).unwrap();
    let seeds: Vec<u64> = (0..settings.envs as u64).map(|number| seed + number).collect();
    env.seed(&seeds).unwrap();
    let mut arrays = ArrayBuffers::new(kind, settings.envs);
    env.reset(None, arrays.arrays()).unwrap();
    (env, arrays)
}

/// The expected row of a game: observation, mask, player.
fn row(game: &BoxedGame, layout: Layout) -> (Vec<f32>, Vec<bool>, i8) {
    let mut observation = vec![0.0; game.shape().len()];
    game.write_observation(layout, &mut observation).unwrap();
    let mut mask = vec![false; game.policy_size()];
    game.write_mask(&mut mask).unwrap();
    (observation, mask, game.turn().index() as i8)
}

#[test]
fn every_environment_matches_a_single_game() {
    for kind in GAMES {
        let settings = SETTINGS.with_max_plies(Some(90)).with_threads(2).with_layout(Layout::Chw);
        let (mut env, mut arrays) = new_env(kind, &settings, 7);
        let start = kind.start(kind.rules[0]).unwrap();
        let mut games: Vec<BoxedGame> = (0..settings.envs).map(|_| start.clone_box()).collect();
        let mut actions = vec![0; settings.envs];
        let (mut terminated, mut truncated) = (0, 0);
        for _ in 0..200 {
            env.sample(&mut actions).unwrap();
            env.step(&actions, arrays.arrays()).unwrap();
            for (number, game) in games.iter_mut().enumerate() {
                game.play_index(PolicyIndex(u32::try_from(actions[number]).unwrap())).unwrap();
                let outcome = game.outcome();
                assert_eq!(arrays.terminated[number], outcome.is_over());
                assert_eq!(arrays.truncated[number], !outcome.is_over() && game.ply() >= 90);
                let rewards = Player::ALL.map(|player| outcome.value_for(player).unwrap_or(0.0));
                assert_eq!(arrays.rewards[2 * number..][..2], rewards);
                let board = number * kind.shape.len()..(number + 1) * kind.shape.len();
                if arrays.terminated[number] || arrays.truncated[number] {
                    let (last, _, _) = row(game, Layout::Chw);
                    assert_eq!(arrays.final_observations[board.clone()], last);
                    *game = start.clone_box();
                    terminated += u32::from(arrays.terminated[number]);
                    truncated += u32::from(arrays.truncated[number]);
                }
                let (observation, mask, player) = row(game, Layout::Chw);
                assert_eq!(arrays.observations[board], observation);
                assert_eq!(arrays.masks[number * kind.policy_size..][..kind.policy_size], mask);
                assert_eq!(arrays.players[number], player);
                assert!(env.game(number).unwrap().is_same_game(&**game));
            }
        }
        assert!(terminated + truncated > 5, "{}: {terminated} and {truncated}", kind.name);
    }
}

#[test]
fn results_are_independent_of_the_number_of_threads() {
    for kind in GAMES {
        let play = |threads| {
            let settings = SETTINGS.with_threads(threads).with_opening_plies(3).with_max_plies(Some(40));
            let (mut env, mut arrays) = new_env(kind, &settings, 3);
            let mut actions = vec![0; settings.envs];
            for _ in 0..60 {
                env.sample(&mut actions).unwrap();
                env.step(&actions, arrays.arrays()).unwrap();
            }
            (arrays, actions)
        };
        let one = play(1);
        for threads in [2, 3, 5, 8] {
            assert!(play(threads) == one, "{} on {threads} threads", kind.name);
        }
    }
}

#[test]
fn illegal_action_changes_no_environment() {
    let (mut env, mut arrays) = new_env(&GAMES[0], &SETTINGS, 0);
    let before = arrays.clone();
    let mut actions = vec![0; SETTINGS.envs];
    env.sample(&mut actions).unwrap();
    for wrong in [-1, 0, 4_672, i64::MAX, i64::MIN] {
        let actions = [&actions[..3], &[wrong], &actions[4..]].concat();
        let result = env.step(&actions, arrays.arrays());
        assert_eq!(result, Err(StepError::Illegal { env: 3, action: wrong }));
        assert!(arrays == before && env.game(0).unwrap().ply() == 0);
    }
    assert!(env.step(&actions[..4], arrays.arrays()).is_err());
    arrays.rewards.pop();
    assert!(matches!(env.step(&actions, arrays.arrays()), Err(StepError::WrongLength(_))));
}

#[test]
fn openings_follow_the_seed_and_never_end_a_game() {
    for kind in complete_games() {
        let settings = SETTINGS.with_opening_plies(30);
        let texts = |seed| -> Vec<String> {
            let (env, _) = new_env(kind, &settings, seed);
            (0..settings.envs).map(|number| env.game(number).unwrap().position_text()).collect()
        };
        assert_eq!(texts(1), texts(1));
        assert_ne!(texts(1), texts(100));
        let long = VectorSettings::new(3).with_opening_plies(2_000);
        let (env, _) = new_env(kind, &long, 5);
        for number in 0..long.envs {
            let game = env.game(number).unwrap();
            assert!(!game.is_over() && game.ply() > 10, "{}", kind.name);
        }
    }
}
