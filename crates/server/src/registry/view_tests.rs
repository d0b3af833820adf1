//! Views are built off the threads that serve requests.

use std::pin::pin;
use std::sync::Arc;

use futures_util::FutureExt as _;
use sandtable_contract::{Access, NewGame, Session, Timestamps, from_json};
use tokio::sync::Semaphore;

use super::live_game::build_json;
use crate::blocking::with_client_jobs;

/// A position with 45,261 actions, of which a view lists the first 4,096.
const RICH: &str = "black:a1=1*,a3=8,a5=8,b2=8,b7=8,c1=8,c4=8,c6=8,d3=8,d8=8,e2=8,e7=8,e10=8,f4=8,f6=8,f9=8,g3=8,g8=8,\
    g11=6,h5=8,h7=8,h11=8,i4=8,i10=8,j6=8,j8=8,k10=3 white:k11=1* b -";

fn rich_session() -> Session {
    let request = format!(r#"{{"kind":"tribun","position":"{RICH}"}}"#);
    Session::new(from_json::<NewGame>(&request).unwrap().settings(Access::Open).unwrap()).unwrap()
}

#[tokio::test(flavor = "current_thread")]
async fn a_rich_game_does_not_hold_up_other_requests() {
    let jobs = Arc::new(Semaphore::new(0));
    let timestamps = Timestamps { created: 1, updated: 1 };
    let view = build_json(Arc::new(rich_session()), "id".into(), timestamps);
    let mut view = pin!(with_client_jobs(Arc::clone(&jobs), view));
    // A view that this thread built would be ready now, without a worker.
    assert!(view.as_mut().now_or_never().is_none());
    jobs.add_permits(1);
    view.await.unwrap();
}
