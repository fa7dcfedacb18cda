//! What the agent may not say by itself waits with its words, and the person's answer decides.

use crate::harness::on_stage;

const ASK_BEFORE_COUNTERS: &str = r#"{"autonomy":{"counter":"ask"}}"#;

#[test]
fn what_the_agent_asks_is_answered_in_the_window_and_a_yes_sends_it() {
    on_stage("asked", async |stage| {
        stage.mandate(ASK_BEFORE_COUNTERS).await;
        let run = stage.open().await;
        let page = &run.page;
        page.try_a_sample().await;
        page.has(".asked .asked-draft").await;
        assert_eq!(page.turns().await, 1, "nothing of ours was said");
        let words = page.text(".asked-draft .turn-message").await;
        assert!(page.text(".asked").await.contains("Your agent asks"));
        assert!(page.text(".asked").await.contains("If you do nothing"));
        page.answer(true).await;

        page.has_turns(3).await;
        assert_eq!(page.text(".turn.own .turn-message").await, words, "exactly that was sent");
        page.has(".asked .asked-draft").await;
        page.answer(false).await;
        // Its other words are the same words: they are asked about again, and nothing is sent meanwhile.
        page.has(".asked").await;
        assert_eq!(page.turns().await, 3);
        run.close().await;
    });
}
