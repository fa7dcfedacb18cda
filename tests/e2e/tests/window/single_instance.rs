//! One window per data folder.

use crate::harness::{on_stage, until};

#[test]
fn a_second_start_brings_the_first_window_to_the_front_and_ends() {
    on_stage("single_instance", async |stage| {
        let run = stage.open().await;
        let focused = async |stage: &crate::harness::Stage| stage.screen.focused().unwrap();
        until("the window has the focus", async || focused(stage).await.as_deref() == Some("Countersign")).await;
        run.page.minimize().await;
        until("it is out of sight", async || focused(stage).await.is_none()).await;

        let mut second = stage.start();
        let status = second.child().wait().unwrap();
        assert!(status.success(), "the second start says nothing went wrong");
        until("the first window is in front", async || focused(stage).await.as_deref() == Some("Countersign")).await;
        until("and can be seen", async || run.page.visible().await).await;
        run.close().await;
    });
}
