//! A negotiation as the person reviews it.

use countersign_kernel::{
    AgentKind, Ask, Awaiting, Decision, Folder, Move, Opportunity, PersonAct, RejectCode, Role, Side, Span, Timer,
};

use crate::kit::{NOON, Table, propose, reject};

#[test]
fn what_waits_for_the_person_is_found_where_they_are_needed() {
    let mut table = talking();
    assert_eq!(table.n.folder(), Folder::Live);
    table.person(PersonAct::Hold).unwrap();
    assert_eq!((table.n.folder(), table.n.opportunity().awaiting), (Folder::NeedsYou, Awaiting::Person(Ask::Hold)));
    table.person(PersonAct::Resume).unwrap();
    assert_eq!(table.n.folder(), Folder::Live);
    table.says(Side::Responder, Move::Accept).unwrap();
    assert_eq!(table.n.folder(), Folder::NeedsYou);
    table.decides(Decision::Approved).unwrap();
    assert_eq!(table.n.folder(), Folder::Accepted);

    let mut table = talking();
    table.says(Side::Responder, reject(RejectCode::Unsuitable, false)).unwrap();
    assert_eq!(table.n.folder(), Folder::Rejected);
}

#[test]
fn a_digest_is_shown_while_there_is_something_to_decide() {
    let mut table = talking();
    assert_eq!(table.n.opportunity().digest, None);
    table.says(Side::Responder, Move::Accept).unwrap();
    let pending = table.n.opportunity();
    assert_eq!(pending.digest, Some(table.n.digest()));
    assert_eq!(pending.due.map(|due| due.timer), Some(Timer::Approval));
    let conclusion = pending.conclusion.unwrap();
    assert_eq!((conclusion.last_side, conclusion.own_role), (Side::Responder, Some(Role::Peer)));
    table.decides(Decision::Rejected).unwrap();
    assert_eq!(table.n.opportunity().digest, None);
}

#[test]
fn what_is_due_first_comes_first_where_the_person_is_needed_and_the_newest_elsewhere() {
    let (mut older, mut newer) = (talking(), talking());
    newer.later(Span::minutes(5));
    assert!(older.n.opportunity().place() == -NOON.0);
    older.says(Side::Responder, Move::Accept).unwrap();
    newer.says(Side::Responder, Move::Accept).unwrap();
    assert!(older.n.opportunity().place() < newer.n.opportunity().place());
}

#[test]
fn it_survives_being_written_down() {
    let mut table = talking();
    table.says(Side::Responder, Move::Accept).unwrap();
    let opportunity = table.n.opportunity();
    let written = serde_json::to_string(&opportunity).unwrap();
    assert_eq!(serde_json::from_str::<Opportunity>(&written).unwrap(), opportunity);
}

#[test]
fn every_folder_has_a_name_that_leads_back_to_it() {
    for folder in Folder::ALL {
        assert_eq!(Folder::named(folder.as_str()), Some(folder));
        assert_eq!(serde_json::to_value(folder).unwrap(), folder.as_str());
    }
    assert_eq!(Folder::named("elsewhere"), None);
}

fn talking() -> Table {
    let mut table = Table::index(AgentKind::System, AgentKind::System);
    table.says(Side::Initiator, propose()).unwrap();
    table
}
