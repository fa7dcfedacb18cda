//! Light and dark.

use crate::harness::{on_stage, until};

const LIGHT: &str = "rgb(250, 248, 244)";
const DARK: &str = "rgb(20, 24, 31)";

#[test]
fn the_theme_switches_at_once_and_is_remembered() {
    on_stage("theme", async |stage| {
        let run = stage.open().await;
        run.page.go_to("settings").await;
        run.page.choose_theme("dark").await;
        until("it is dark", async || run.page.background().await == DARK).await;
        run.close().await;

        let run = stage.open().await;
        assert_eq!(run.page.background().await, DARK, "the choice outlives the app");
        run.page.go_to("settings").await;
        run.page.choose_theme("light").await;
        until("it is light", async || run.page.background().await == LIGHT).await;
        run.page.choose_theme("system").await;
        until("nothing is forced", async || run.page.count("html[data-theme]").await == 0).await;
        run.close().await;
    });
}
