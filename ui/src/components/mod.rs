//! Parts of the window, one per file, each with its stylesheet beside it.

mod decision_bar;
mod header;
mod help_dialog;
mod mark;
mod notices;
mod problem_card;
mod rail;
mod sample_button;
mod turn_rail;

pub(crate) use decision_bar::DecisionBar;
pub(crate) use header::Header;
pub(crate) use help_dialog::HelpDialog;
pub(crate) use mark::Mark;
pub(crate) use notices::Notices;
pub(crate) use problem_card::ProblemCard;
pub(crate) use rail::Rail;
pub(crate) use sample_button::SampleButton;
pub(crate) use turn_rail::TurnRail;
