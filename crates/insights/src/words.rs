//! The week in sentences, for the person.

use crate::{Came, MANY_TURNS, MatchType, Raised, Recommended, Scenario, ScenarioTurns, Silent, TurnCount, Week};

impl Week {
    /// Plain, short, one thought each. What did not happen is left out.
    pub fn lines(&self) -> Vec<String> {
        let decided = self.recommended.total() + self.overrides.of;
        if self.opened + self.ended + decided == 0 && self.themes.is_empty() {
            return vec!["Nothing happened this week.".into()];
        }
        let mut lines = vec![self.overview()];
        lines.extend(self.recommended());
        lines.extend(self.matches.iter().map(|one| matched(one.match_type, one.came)));
        lines.extend(self.themes());
        lines.extend(self.turns.iter().filter_map(turns));
        lines.extend(self.overrides());
        lines.extend(self.silent());
        lines
    }

    fn overview(&self) -> String {
        let opened = counted(self.opened, "negotiation", "negotiations");
        let samples = match self.samples {
            0 => String::new(),
            count if count == self.ended => ", with sample counterparts only".into(),
            count => format!(", {count} of them with sample counterparts"),
        };
        format!("{opened} opened and {} ended this week{samples}.", self.ended)
    }

    fn recommended(&self) -> Option<String> {
        let Recommended { accepted, declined, sent_back, lapsed } = self.recommended;
        let said = listed(
            &[
                some(accepted, |count| format!("accepted {count}")),
                some(declined, |count| format!("declined {count}")),
                some(sent_back, |count| format!("sent {count} back")),
                some(lapsed, |count| format!("let {count} lapse")),
            ],
            "and",
        )?;
        let matches = counted(self.recommended.total(), "match", "matches");
        Some(format!("Your agent recommended {matches}; you {said}."))
    }

    fn themes(&self) -> Option<String> {
        let name = |(place, one): (usize, &crate::ThemeCount)| {
            let Raised { ours, theirs } = one.raised;
            let whose = match (ours, theirs) {
                (_, 0) if place == 0 => format!(" ({} by your agent)", times(ours)),
                (0, _) if place == 0 => format!(" ({} by theirs)", times(theirs)),
                _ if place == 0 => format!(" ({} by your agent, {} by theirs)", times(ours), times(theirs)),
                _ => format!(" ({})", one.raised.total()),
            };
            Some(format!("{}{whose}", one.theme.name()))
        };
        let named = listed(&self.themes.iter().enumerate().map(name).collect::<Vec<_>>(), "and")?;
        Some(format!("What agents objected to most: {named}."))
    }

    fn overrides(&self) -> Option<String> {
        let rate = self.overrides;
        if rate.of == 0 {
            return None;
        }
        let how = listed(
            &[
                some(self.recommended.declined, |count| format!("declined {count}")),
                some(self.answered.otherwise, |count| format!("answered {count} otherwise")),
                some(self.taken_over, |count| format!("took over {}", times(count))),
            ],
            "and",
        );
        Some(match how {
            Some(how) => format!("You went against your agent in {rate} cases: you {how}."),
            None if rate.of == 1 => "You followed your agent.".into(),
            None => format!("You followed your agent in all of {} cases.", rate.of),
        })
    }

    fn silent(&self) -> Option<String> {
        let several = self.silent.len() > 1;
        let from = |(silent, count): (&Silent, &u64)| {
            let who = match silent {
                Silent::You => "you",
                Silent::YourAgent => "your agent",
                Silent::Theirs => "the other side",
                Silent::Approver => "somebody who had to approve",
            };
            Some(if several { format!("from {who} ({count})") } else { format!("from {who}") })
        };
        let from = listed(&self.silent.iter().map(from).collect::<Vec<_>>(), "or")?;
        let ended = counted(self.silent.values().sum(), "negotiation", "negotiations");
        Some(format!("{ended} ended without a word {from}."))
    }
}

fn matched(match_type: MatchType, came: Came) -> String {
    let part = match match_type {
        MatchType::Helper => "Where you would help",
        MatchType::Seeker => "Where you would get help",
        MatchType::Peer => "Where you would be peers",
        MatchType::Governed => "Where you share something",
    };
    let Came { agreed, rejected, neither } = came;
    let stopped = if neither == 0 { String::new() } else { format!(", {neither} came to neither") };
    format!("{part}: the agents agreed on {agreed} and rejected {rejected}{stopped}.")
}

fn turns(of: &ScenarioTurns) -> Option<String> {
    let who = match of.scenario {
        Scenario::SystemSystem => "Between two built-in agents",
        Scenario::Mixed => "Between a built-in and a personal agent",
        Scenario::PersonalPersonal => "Between two personal agents",
    };
    let told = |turns: u32| if turns < MANY_TURNS { turns.to_string() } else { format!("{MANY_TURNS} or more") };
    let (first, last) = (of.counts.first()?, of.counts.last()?);
    if first.turns == last.turns {
        let word = if first.turns == 1 { "turn" } else { "turns" };
        return Some(format!("{who} it took {} {word}.", told(first.turns)));
    }
    // Of two that are as frequent, the shorter.
    let usual = of.counts.iter().rev().max_by_key(|count: &&TurnCount| count.negotiations)?;
    let (fewest, most, usual) = (told(first.turns), told(last.turns), told(usual.turns));
    Some(format!("{who} it took {fewest} to {most} turns, most often {usual}."))
}

fn some(count: u64, words: impl FnOnce(u64) -> String) -> Option<String> {
    (count > 0).then(|| words(count))
}

/// Those that are there, as a list in a sentence.
fn listed(parts: &[Option<String>], last_by: &str) -> Option<String> {
    let parts: Vec<&str> = parts.iter().flatten().map(String::as_str).collect();
    match parts.as_slice() {
        [] => None,
        [one] => Some((*one).to_owned()),
        [first @ .., last] => Some(format!("{} {last_by} {last}", first.join(", "))),
    }
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn times(count: u64) -> String {
    match count {
        1 => "once".into(),
        2 => "twice".into(),
        _ => format!("{count} times"),
    }
}
