//! From the sample button to an accepted opportunity, and after a restart.

use crate::harness::{on_stage, until};

#[test]
fn a_sample_is_negotiated_live_accepted_by_the_person_and_still_there_after_a_restart() {
    on_stage("thin_path", async |stage| {
        let run = stage.open().await;
        let page = &run.page;
        page.has(".empty").await;
        page.try_a_sample().await;

        // Turns appear one by one while the agents talk.
        page.has_turns(1).await;
        page.has_status("negotiating").await;
        assert!(page.turns().await < 5, "turns are taken at a pace that can be followed");
        page.has_turns(5).await;
        assert_eq!(page.actions().await, ["propose", "counter", "counter", "counter", "accept"]);
        assert!(page.text(".turn-reasoning").await.contains("The match looks worth a conversation"));

        // The agents agree; nothing is accepted before the person says so.
        page.has_status("pending").await;
        assert!(page.text(".verdict").await.contains("Nothing binds until you accept"));
        page.accept().await;
        page.has_status("accepted").await;
        assert_eq!(page.count(".decision").await, 0, "there is nothing left to decide");
        run.close().await;

        let run = stage.open().await;
        run.page.go_to("accepted").await;
        run.page.open_first().await;
        run.page.has_status("accepted").await;
        assert_eq!(run.page.turns().await, 5);
        run.close().await;
    });
}

#[test]
fn a_negotiation_goes_on_where_it_was_when_the_app_is_closed_in_the_middle() {
    on_stage("interrupted", async |stage| {
        let run = stage.open().await;
        run.page.try_a_sample().await;
        run.page.has_turns(2).await;
        run.close().await;

        let run = stage.open().await;
        run.page.has(".count.urgent:not(:empty)").await;
        run.page.open_first().await;
        run.page.has_status("pending").await;
        assert_eq!(run.page.actions().await, ["propose", "counter", "counter", "counter", "accept"]);
        run.close().await;
    });
}

#[test]
fn a_view_that_reconnects_gets_what_it_missed_once_each() {
    on_stage("reconnect", async |stage| {
        let run = stage.open().await;
        let page = &run.page;
        page.try_a_sample().await;
        page.has_turns(1).await;
        page.reload().await;
        page.has_turns(3).await;
        page.reload().await;
        page.has_status("pending").await;
        assert_eq!(page.actions().await, ["propose", "counter", "counter", "counter", "accept"]);
        run.close().await;
    });
}

#[test]
fn a_declined_opportunity_is_closed() {
    on_stage("decline", async |stage| {
        let run = stage.open().await;
        run.page.try_a_sample().await;
        run.page.has_status("pending").await;
        run.page.decline().await;
        run.page.has_status("declined").await;
        run.page.go_to("closed").await;
        until("it is in its folder", async || run.page.count(".row").await == 1).await;
        run.close().await;
    });
}

#[test]
fn off_means_off_and_survives_a_restart() {
    on_stage("mode", async |stage| {
        let run = stage.open().await;
        run.page.switch_mode().await;
        run.page.has(".switch[aria-checked=false]").await;
        run.page.has(".notice").await;
        run.page.try_a_sample().await;
        run.close().await;

        let run = stage.open().await;
        run.page.has(".switch[aria-checked=false]").await;
        run.page.go_to("live").await;
        run.page.open_first().await;
        assert_eq!(run.page.turns().await, 0, "no turn is taken while negotiation is off");
        run.page.switch_mode().await;
        run.page.has_status("pending").await;
        run.close().await;
    });
}

#[test]
fn what_was_shown_survives_a_killed_process() {
    on_stage("killed", async |stage| {
        let run = stage.open().await;
        run.page.try_a_sample().await;
        run.page.has_turns(2).await;
        run.kill().await;

        let run = stage.open().await;
        run.page.go_to("live").await;
        run.page.open_first().await;
        assert!(run.page.turns().await >= 2);
        run.page.has_status("pending").await;
        assert_eq!(run.page.actions().await, ["propose", "counter", "counter", "counter", "accept"]);
        run.close().await;
    });
}

#[test]
fn the_window_keeps_its_size() {
    on_stage("size", async |stage| {
        let run = stage.open().await;
        until("the focus", async || stage.screen.focused().unwrap().is_some()).await;
        stage.screen.resize(820, 600).unwrap();
        until("the new size", async || run.page.width().await == 820).await;
        run.close().await;

        let run = stage.open().await;
        until("the same size", async || run.page.width().await == 820).await;
        run.close().await;
    });
}
