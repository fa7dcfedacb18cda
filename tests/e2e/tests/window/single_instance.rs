//! One window per data folder.

use crate::harness::{on_stage, until};

#[test]
fn a_second_start_brings_the_first_window_to_the_front_and_ends() {
    on_stage("single_instance", async |stage| {
        let run = stage.open().await;
        let focused = async |stage: &crate::harness::Stage| stage.screen.focused().unwrap();
        until("the window has the focus", async || focused(stage).await.as_deref() == Some("Countersign")).await;
        stage.screen.minimize().unwrap();
        until("it is out of sight", async || focused(stage).await.is_none()).await;

        let mut second = stage.start();
        let status = second.child().wait().unwrap();
        assert!(status.success(), "the second start says nothing went wrong");
        until("the first window is in front", async || focused(stage).await.as_deref() == Some("Countersign")).await;
        until("and can be seen", async || run.page.visible().await).await;
        run.close().await;
    });
}

#[test]
fn who_closes_and_starts_again_at_once_gets_a_window() {
    on_stage("at_once", async |stage| {
        // Right after the window is gone, and right after the process is: the message bus lags behind both.
        for _ in 0..5 {
            stage.open().await.end().await;
            stage.open().await.close().await;
        }
        let run = stage.open().await;
        run.page.has(".frame").await;
        run.close().await;
    });
}

#[test]
fn another_app_on_the_same_folder_is_told_so_where_there_is_no_bus() {
    on_stage("in_use", async |stage| {
        let run = stage.open().await;
        run.page.has(".frame").await;
        stage.has_bus.set(false);
        let second = stage.open().await;
        second.page.has(".opening .problem").await;
        assert!(second.page.text(".opening .problem").await.contains("Another Countersign is using"));
        second.end().await;
        run.page.try_a_sample().await;
        run.close().await;
    });
}
