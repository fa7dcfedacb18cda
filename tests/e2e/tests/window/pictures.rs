//! Pictures of every screen, for people to look at.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::harness::{Run, Stage, on_stage, until};

#[test]
#[ignore = "makes pictures, checks nothing: cargo xtask pictures"]
fn pictures() {
    on_stage("pictures", async |stage| {
        let run = stage.open().await;
        let mut album = Album { stage, run: &run, number: 0 };
        album.take("empty").await;
        run.page.go_to("live").await;
        album.take("empty-folder").await;

        run.page.try_a_sample().await;
        run.page.has_turns(2).await;
        run.page.switch_mode().await;
        run.page.has(".notices .notice").await;
        album.take("live-and-off").await;
        run.page.switch_mode().await;
        run.page.has_status("pending").await;
        run.page.accept().await;
        run.page.has_status("accepted").await;
        album.take("accepted").await;
        run.page.try_a_sample().await;
        run.page.has_status("pending").await;
        run.page.try_a_sample().await;
        run.page.has_status("pending").await;
        run.page.go_to("needs-you").await;
        album.take("needs-you").await;
        run.page.open_first().await;
        run.page.has_turns(5).await;
        album.take("pending").await;
        for page in ["insights", "mandate", "record", "settings"] {
            run.page.go_to(page).await;
            album.take(page).await;
        }
        run.page.press("?").await;
        run.page.has("dialog[open]").await;
        album.take("help").await;
        run.page.press("Escape").await;
        run.close().await;

        stage.mandate(r#"{"autonomy":{"counter":"ask"}}"#).await;
        let run = stage.open().await;
        run.page.try_a_sample().await;
        run.page.has(".asked .asked-draft").await;
        Album { stage, run: &run, number: 80 }.take("asked").await;
        run.close().await;

        let journal = stage.home.join("journal.db");
        fs::write(&journal, "a shopping list, by a strange name").unwrap();
        let run = stage.open().await;
        run.page.has(".opening .problem").await;
        Album { stage, run: &run, number: 90 }.take("problem").await;
        run.close().await;
    });
}

struct Album<'a> {
    stage: &'a Stage,
    run: &'a Run<'a>,
    number: u32,
}

impl Album<'_> {
    /// What is on the screen now, in both themes and two sizes.
    async fn take(&mut self, name: &str) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
        fs::create_dir_all(&folder).unwrap();
        self.number += 1;
        for (width, height) in [(1280, 770), (900, 640)] {
            self.stage.screen.resize(width, height).unwrap();
            until("the new size", async || self.run.page.width().await == u64::from(width)).await;
            for theme in ["light", "dark"] {
                self.run.page.paint(theme).await;
                let file = format!("{:02}-{name}-{width}-{theme}.png", self.number);
                // The page does not know when the screen has it, nor when a transition is over. Nothing is checked here.
                tokio::time::sleep(Duration::from_millis(400)).await;
                self.stage.screen.picture(&folder.join(file)).unwrap();
            }
        }
    }
}
