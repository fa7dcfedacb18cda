//! The words for what the core reports. Plain, short, second person.

use countersign_api_types::{Action, Ask, Awaiting, Folder, Opportunity, Role, Side, Status, Timestamp};

pub(crate) fn folder(folder: Folder) -> &'static str {
    match folder {
        Folder::NeedsYou => "Needs you",
        Folder::Live => "Live",
        Folder::Accepted => "Accepted",
        Folder::Stalled => "Stalled",
        Folder::Rejected => "Rejected",
        Folder::Closed => "Closed",
    }
}

/// What will appear in a folder that has nothing in it.
pub(crate) fn nothing_in(folder: Folder) -> &'static str {
    match folder {
        Folder::NeedsYou => "Nothing needs you. Opportunities that wait for your decision appear here.",
        Folder::Live => "No negotiation is under way. While agents talk, you can follow every turn here.",
        Folder::Accepted => "Nothing accepted yet. What you accept appears here.",
        Folder::Stalled => {
            "Nothing has stalled. Negotiations that ran out of turns appear here, with what blocked them."
        }
        Folder::Rejected => "Nothing was rejected. Matches that an agent turned down appear here, with the reason.",
        Folder::Closed => "Nothing is closed. What you decline appears here.",
    }
}

pub(crate) fn status(status: Status) -> &'static str {
    match status {
        Status::Negotiating => "negotiating",
        Status::Pending => "pending",
        Status::Accepted => "accepted",
        Status::Declined => "declined",
        Status::Rejected => "rejected",
        Status::Stalled => "stalled",
        Status::Aborted => "aborted",
        Status::Expired => "expired",
    }
}

pub(crate) fn action(action: Action) -> &'static str {
    match action {
        Action::Propose => "propose",
        Action::Counter => "counter",
        Action::Accept => "accept",
        Action::Reject => "reject",
        Action::Question => "question",
        Action::Answer => "answer",
        Action::Inquire => "inquire",
        Action::Describe => "describe",
    }
}

pub(crate) fn role(role: Role) -> &'static str {
    match role {
        Role::Agent => "helper",
        Role::Patient => "seeker",
        Role::Peer => "peer",
    }
}

/// The verdict: how it stands and what that means for the person, in one or two sentences.
pub(crate) fn verdict(o: &Opportunity) -> String {
    let turns = turns(o.turn_count);
    let Some(verdict) = &o.conclusion else {
        return match o.turn_cap {
            _ if o.awaiting == Awaiting::Person(Ask::Escalation) => {
                format!(
                    "Your agent asks you before it goes on, after {turns}. The other side knows that a person is looking."
                )
            }
            _ if o.awaiting == Awaiting::Person(Ask::Draft) => {
                "Your agent is about to speak. You can still stop it.".into()
            }
            Some(cap) => format!("The agents are talking: {} of {cap} turns taken.", o.turn_count),
            None => format!("The agents are talking: {turns} so far."),
        };
    };
    let roles = match (verdict.own_role, verdict.other_role) {
        (Some(own), Some(other)) => {
            format!(" You would be the {}, {} the {}.", role(own), o.counterpart, role(other))
        }
        (Some(_) | None, _) => String::new(),
    };
    let ours = verdict.last_side == o.ours;
    match o.status {
        Status::Negotiating => String::new(),
        Status::Pending => format!("Both agents recommend it after {turns}.{roles} Nothing binds until you accept."),
        Status::Accepted => format!("You accepted it.{roles}"),
        Status::Declined => format!("You declined it, although both agents recommended it after {turns}."),
        Status::Rejected if ours => format!("Your agent turned it down after {turns}: {}", verdict.reasoning),
        Status::Rejected => format!("Their agent turned it down after {turns}: {}", verdict.reasoning),
        Status::Stalled if o.turn_cap == Some(o.turn_count) => {
            format!("It stalled: all {turns} were used and nothing was settled.")
        }
        Status::Stalled => format!("It stalled after {turns}: {}", verdict.reasoning),
        Status::Aborted => format!("It was stopped after {turns}: {}", verdict.reasoning),
        Status::Expired => format!("Both agents recommended it after {turns}, and nobody decided in time."),
    }
}

/// What happens if nobody does anything, and when.
pub(crate) fn otherwise(then: &str, at: Timestamp) -> String {
    #[expect(clippy::cast_precision_loss, reason = "milliseconds since 1970 fit a double")]
    let at = js_sys::Date::new(&wasm_bindgen::JsValue::from_f64(at.0 as f64));
    let (day, time) =
        (at.to_locale_date_string("en-GB", &wasm_bindgen::JsValue::UNDEFINED), at.to_locale_time_string("en-GB"));
    format!("If you do nothing: on {} at {}, {then}.", String::from(day), String::from(time))
}

/// The second line of a list row.
pub(crate) fn row(o: &Opportunity) -> String {
    match (o.status, o.conclusion.as_ref().and_then(|verdict| verdict.own_role)) {
        (Status::Negotiating, _) if o.awaiting == Awaiting::Person(Ask::Escalation) => {
            format!("with {} · your agent asks", o.counterpart)
        }
        (Status::Negotiating, _) => format!("with {} · turn {}", o.counterpart, o.turn_count),
        (Status::Pending, Some(own)) => format!("with {} · you’d be the {}", o.counterpart, role(own)),
        (
            Status::Pending
            | Status::Accepted
            | Status::Declined
            | Status::Rejected
            | Status::Stalled
            | Status::Aborted
            | Status::Expired,
            _,
        ) => format!("with {} · {}", o.counterpart, turns(o.turn_count)),
    }
}

pub(crate) fn thinking(o: &Opportunity, side: Side) -> String {
    if side == o.ours { "Your agent is thinking …".into() } else { "Their agent is thinking …".into() }
}

pub(crate) fn turns(count: u32) -> String {
    if count == 1 { "1 turn".into() } else { format!("{count} turns") }
}

/// How long ago, the way people say it.
pub(crate) fn ago(at: Timestamp, now: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "milliseconds since 1970 fit")]
    let seconds = (now as i64 - at.0).max(0) / 1000;
    match seconds {
        0..=44 => "now".into(),
        45..=3_569 => format!("{} min", (seconds + 30) / 60),
        3_570..=86_399 => format!("{} h", (seconds + 1_800) / 3_600),
        _ => format!("{} d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_told_the_way_people_say_it() {
        let at = Timestamp(0);
        for (seconds, told) in [(0., "now"), (60., "1 min"), (3_600., "1 h"), (7_200., "2 h"), (200_000., "2 d")] {
            assert_eq!(ago(at, seconds * 1000.), told);
        }
        assert_eq!(ago(Timestamp(5_000), 0.), "now", "a clock that was set back");
    }
}
