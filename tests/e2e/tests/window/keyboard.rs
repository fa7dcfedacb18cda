//! Without a mouse.

use crate::harness::{on_stage, until};

#[test]
fn the_list_is_walked_and_opened_by_keys_and_help_is_one_key_away() {
    on_stage("keyboard", async |stage| {
        let run = stage.open().await;
        let page = &run.page;
        // With negotiation off both stay in one folder.
        page.switch_mode().await;
        page.has(".switch[aria-checked=false]").await;
        page.try_a_sample().await;
        page.go_to("needs-you").await;
        page.try_a_sample().await;
        page.go_to("live").await;
        until("both are listed", async || page.count(".row").await == 2).await;

        page.press("j").await;
        until("the first row", async || page.focused_row().await == Some(0)).await;
        page.press("j").await;
        until("the second row", async || page.focused_row().await == Some(1)).await;
        page.press("j").await;
        assert_eq!(page.focused_row().await, Some(1), "the last row is the last");
        page.press("k").await;
        until("the first row again", async || page.focused_row().await == Some(0)).await;
        page.press("Enter").await;
        page.has(".row[aria-current]").await;
        page.has(".reading h2").await;

        page.press("?").await;
        page.has(".help[open]").await;
        page.press("Escape").await;
        until("the help is gone", async || page.count(".help[open]").await == 0).await;
        run.close().await;
    });
}
