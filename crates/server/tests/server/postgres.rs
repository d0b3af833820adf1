//! Several servers on one `PostgreSQL` database.

use crate::cluster::{Cluster, Durability, connect};

#[tokio::test]
async fn clusters_start_stop_and_keep_their_databases() {
    let Some(shared) = Cluster::shared() else { return };
    let (first, second) = (shared.database().await, shared.database().await);
    assert_ne!(first, second);
    let Some(cluster) = Cluster::start(Durability::Durable) else { return };
    let url = cluster.database().await;
    let client = connect(&url).await;
    client.batch_execute("CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)").await.unwrap();
    cluster.stop_server();
    assert!(client.batch_execute("SELECT 1").await.is_err());
    cluster.start_server();
    let row = connect(&url).await.query_one("SELECT n FROM kept", &[]).await.unwrap();
    assert_eq!(row.get::<_, i32>(0), 7);
}
