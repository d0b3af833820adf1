//! The numbers of the selective search, which each game sets for itself.

/// A parameter of the search by name, with the range in which tuning may move it.
#[derive(Debug)]
pub struct NamedParameter<'a> {
    /// The name of the field.
    pub name: &'static str,
    /// The value.
    pub value: &'a mut i32,
    /// The smallest sensible value.
    pub low: i32,
    /// The largest sensible value.
    pub high: i32,
}

/// Defines the parameters: documentation, name, default value and range of each.
macro_rules! parameters {
    ($($(#[doc = $doc:literal])+ $name:ident = $default:literal in $low:literal..=$high:literal;)+) => {
        /// The margins, depths and rates of the selective search.
        ///
        /// Margins are in the units of [`NodeView::evaluate`](crate::search::NodeView::evaluate), depths in plies.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct SearchParameters {
            $($(#[doc = $doc])+ pub $name: i32,)+
        }

        impl SearchParameters {
            /// Values that work in most games.
            pub const DEFAULT: Self = Self { $($name: $default,)+ };

            /// All parameters, in a fixed order.
            pub fn named(&mut self) -> Vec<NamedParameter<'_>> {
                vec![$(NamedParameter {
                    name: stringify!($name),
                    value: &mut self.$name,
                    low: $low,
                    high: $high,
                },)+]
            }
        }
    };
}

parameters! {
    /// The half width of the first aspiration window.
    aspiration_margin = 25 in 5..=100;
    /// The greatest depth of reverse futility pruning.
    reverse_futility_depth = 8 in 3..=12;
    /// Reverse futility pruning: how far the static evaluation must exceed beta, for each ply.
    reverse_futility_margin = 80 in 20..=300;
    /// The greatest depth of razoring.
    razoring_depth = 2 in 0..=5;
    /// Razoring: how far the static evaluation must be below alpha, for each ply.
    razoring_margin = 280 in 100..=900;
    /// Null-move pruning: the reduction at depth 0.
    null_move_reduction = 3 in 2..=5;
    /// Null-move pruning: one more ply of reduction for this many plies of depth.
    null_move_depth_step = 4 in 2..=8;
    /// Null-move pruning: one more ply of reduction for this much evaluation above beta, at most three.
    null_move_margin = 200 in 50..=600;
    /// Late move pruning: the number of quiet moves searched at depth 0.
    late_moves = 4 in 1..=20;
    /// Late move pruning: the number of quiet moves searched grows by this many hundredths of the squared depth.
    late_moves_growth = 80 in 20..=300;
    /// The greatest depth of late move pruning.
    late_moves_depth = 7 in 3..=12;
    /// Futility pruning of quiet moves: the margin at depth 0.
    futility_base = 110 in 20..=500;
    /// Futility pruning of quiet moves: the margin for each ply left after the reduction.
    futility_slope = 90 in 20..=400;
    /// The greatest reduced depth of futility pruning.
    futility_depth = 7 in 3..=12;
    /// The greatest depth of pruning quiet moves by their history.
    history_depth = 4 in 0..=8;
    /// Quiet moves whose history is below minus this, for each ply, are pruned.
    history_margin = 4000 in 1000..=12000;
    /// The greatest depth of pruning captures that lose material.
    exchange_depth = 6 in 0..=10;
    /// Captures that lose more than this, for each ply, are pruned.
    exchange_margin = 90 in 20..=400;
    /// Quiet moves that lose more than this, for each ply left after the reduction, are pruned.
    quiet_exchange_margin = 60 in 15..=400;
    /// Correction history: the share of the mean error in similar positions that corrects the static evaluation, in per
    /// cent.
    correction_weight = 100 in 0..=250;
    /// Late move reductions: the constant term, in hundredths of a ply.
    reduction_base = 60 in 0..=200;
    /// Late move reductions: a ply for this many hundredths of the product of the binary logarithms of depth and move
    /// number.
    reduction_divisor = 430 in 200..=900;
    /// Late move reductions: a ply less for this much history.
    reduction_history = 9000 in 3000..=30000;
    /// The smallest depth of singular extensions.
    singular_depth = 7 in 5..=12;
    /// Singular extensions: how far all other moves must be below the table move, for each ply, in tenths.
    singular_margin = 20 in 5..=60;
    /// Quiescence search: a capture is pruned if the static evaluation plus its gain plus this margin does not exceed
    /// alpha.
    delta_margin = 180 in 50..=600;
    /// The depth that a move costs if the same side is to move after it, in plies.
    same_side_cost = 1 in 0..=1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_within_their_ranges_and_names_are_unique() {
        let mut parameters = SearchParameters::DEFAULT;
        let named = parameters.named();
        assert!(named.iter().all(|parameter| (parameter.low..=parameter.high).contains(parameter.value)));
        let mut unique: Vec<_> = named.iter().map(|parameter| parameter.name).collect();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), named.len());
    }

    #[test]
    fn a_named_parameter_changes_its_field() {
        let mut parameters = SearchParameters::DEFAULT;
        let mut named = parameters.named();
        let delta = named.iter_mut().find(|parameter| parameter.name == "delta_margin").unwrap();
        *delta.value = 77;
        assert_eq!(parameters.delta_margin, 77);
    }
}
