//! Saved search trees.

use sandtable_chess::Chess;
use sandtable_core::Game;
use sandtable_core::search::Evaluate;
use sandtable_cotulenh::CoTuLenh;
use sandtable_search::{Limits, Mcts, MctsSettings, Static};
use sandtable_tribun::Tribun;

/// A byte that chooses the game and the settings, and a saved tree: it is rejected, or is a tree that is saved and restored
/// again, and that can be searched.
pub fn saved_tree(bytes: &[u8]) {
    let Some((&choice, saved)) = bytes.split_first() else { return };
    let settings = MctsSettings::default().with_gumbel_moves(if choice & 1 == 0 { 0 } else { 4 });
    match choice >> 1 {
        0 => restore(Game::<Chess>::default(), settings, saved),
        1 => restore(Game::<CoTuLenh>::default(), settings, saved),
        _ => restore(Game::<Tribun>::default(), settings, saved),
    }
}

fn restore<P: Evaluate>(game: Game<P>, settings: MctsSettings, saved: &[u8]) {
    let Ok(mut tree) = Mcts::restore(game.clone(), settings, &mut &saved[..]) else { return };
    let save = |tree: &Mcts<P>| {
        let mut bytes = Vec::new();
        tree.save(&mut bytes).expect("a restored tree has no batch");
        bytes
    };
    let written = save(&tree);
    let again = Mcts::restore(game, settings, &mut &written[..]).expect("a restored tree can be saved");
    assert_eq!(save(&again), written);

    for _ in 0..4 {
        tree.select(3, |_, _, _| {});
        tree.expand(|leaf, priors| {
            priors.fill(1.0);
            [-0.1, 0.0, 0.1][leaf % 3]
        });
    }
    tree.search(&Static::default(), &Limits::nodes(4));
    let mut policy = vec![0.0; tree.root_len()];
    tree.write_policy(&mut policy);
    assert!(tree.line().len() <= tree.size());
    if let Some(m) = tree.choose(1.0) {
        tree.advance(m).expect("a root move is legal");
    }
}
