//! What everything adds up to.

use crate::harness::{on_stage, until};

#[test]
fn what_was_decided_is_counted_while_one_looks() {
    on_stage("insights", async |stage| {
        let run = stage.open().await;
        let page = &run.page;
        page.try_a_sample().await;
        page.has_status("pending").await;
        page.accept().await;
        page.has_status("accepted").await;
        page.go_to("insights").await;
        page.has("main.page table").await;
        until("the week is counted", async || page.text("main.page ul").await.contains("you accepted 1")).await;
        run.close().await;
    });
}
