//! The reviews of finished games.

use std::sync::Arc;

use sandtable_contract::{AnnotationsJson, ApiError, Change, GameReview, ReviewGameRequest, ReviewRequest};

use super::{Actor, Registry, Request, run_to_completion};
use crate::blocking::run_blocking;

/// How a game is to be reviewed.
pub(crate) enum ReviewPlan {
    /// The game has a review.
    Known(Box<GameReview>),
    /// The game at this version is to be searched.
    Search(ReviewRequest, u64),
}

impl Registry {
    /// The review of a game, if it has one.
    pub(crate) async fn review(self: &Arc<Self>, id: &str) -> Result<Option<GameReview>, ApiError> {
        let game = self.live_game(id).await?;
        let mut state = game.state.lock().await;
        self.catch_up_if_behind(&game, &mut state).await?;
        game.check_valid(&state)?;
        let session = Arc::clone(&state.session);
        drop(state);
        run_blocking(move || Ok(session.review())).await
    }

    /// Begins the review of a game. Rejects a game that is not over.
    pub(crate) async fn begin_review(
        self: &Arc<Self>,
        request: &ReviewGameRequest,
    ) -> Result<ReviewPlan, ApiError> {
        if let Some(review) = self.review(&request.game).await? {
            return Ok(ReviewPlan::Known(Box::new(review)));
        }
        let game = self.live_game(&request.game).await?;
        let state = game.state.lock().await;
        game.check_valid(&state)?;
        let search = state.session.review_request(request.id, request.nodes)?;
        Ok(ReviewPlan::Search(search, state.session.version()))
    }

    /// Stores the review of a game that is still over with the same moves. One that another client has stored meanwhile stays.
    pub(crate) async fn store_review(
        self: &Arc<Self>,
        id: &str,
        (search, version): (ReviewRequest, u64),
        annotations: AnnotationsJson,
    ) -> Result<(), ApiError> {
        let (registry, id) = (Arc::clone(self), id.to_owned());
        run_to_completion(async move {
            let game = registry.live_game(&id).await?;
            let mut state = game.state.lock().await;
            registry.catch_up_if_behind(&game, &mut state).await?;
            loop {
                game.check_valid(&state)?;
                if state.session.is_reviewed() {
                    return Ok(());
                }
                // A rematch makes a new version, too, but with the same moves.
                if !state.session.has_moves_of(&search) {
                    return state.session.check_version(Some(version));
                }
                // Another instance may change the game after the moves were compared.
                let version = state.session.version();
                let change = Change::Review { annotations: annotations.clone() };
                let request = Request::new(Actor::Server, Some(version), change, registry.now());
                match registry.apply(&game, &mut state, request).await {
                    Err(_) if state.session.version() != version => {}
                    result => return result,
                }
            }
        })
        .await
    }
}
