//! What lists and timers are read from: one row a negotiation, written in the commit that changes it.

use std::collections::BTreeMap;

use countersign_kernel::{Event, Folder, Negotiation, NegotiationId, Opportunity, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Transaction, named_params};

use crate::{Entry, Overview, Standing, StoreError};

/// Writes how a negotiation stands. What is closed stays as it is, unless the news is of the kind that follows an end.
pub(crate) fn put(tx: &Transaction<'_>, standing: &Standing, follows_an_end: bool) -> Result<(), StoreError> {
    let Standing { opportunity, is_ready, is_closed } = standing;
    let card = serde_json::to_string(opportunity).map_err(|error| StoreError::Unwritable(error.to_string()))?;
    let written = tx
        .prepare_cached(
            "insert into opportunities (id, folder, place, due, ready, closed, card)
             values (:id, :folder, :place, :due, :ready, :closed, :card)
             on conflict do update set folder = excluded.folder, place = excluded.place, due = excluded.due,
                 ready = excluded.ready, closed = excluded.closed, card = excluded.card
             where not closed or :follows_an_end",
        )?
        .execute(named_params! {
            ":id": opportunity.id.0,
            ":folder": opportunity.folder().as_str(),
            ":place": opportunity.place(),
            ":due": opportunity.due.map(|due| due.at.0),
            ":ready": is_ready,
            ":closed": is_closed,
            ":card": card,
            ":follows_an_end": follows_an_end,
        })?;
    if written == 0 { Err(StoreError::Over) } else { Ok(()) }
}

pub(crate) fn due(db: &Connection, limit: u32) -> Result<Vec<(NegotiationId, Timestamp)>, StoreError> {
    let mut select =
        db.prepare_cached("select id, due from opportunities where due is not null order by due limit :limit")?;
    let row = |row: &rusqlite::Row<'_>| Ok((NegotiationId(row.get(0)?), Timestamp(row.get(1)?)));
    Ok(select.query_map(named_params! {":limit": limit}, row)?.collect::<Result<_, _>>()?)
}

pub(crate) fn ready(
    db: &Connection,
    after: Option<&NegotiationId>,
    limit: u32,
) -> Result<Vec<NegotiationId>, StoreError> {
    let mut select =
        db.prepare_cached("select id from opportunities where ready = 1 and id > :after order by id limit :limit")?;
    let after = after.map_or("", |id| &id.0);
    let row = |row: &rusqlite::Row<'_>| Ok(NegotiationId(row.get(0)?));
    Ok(select.query_map(named_params! {":after": after, ":limit": limit}, row)?.collect::<Result<_, _>>()?)
}

pub(crate) fn list(
    db: &Connection,
    folder: Folder,
    after: Option<&Opportunity>,
    limit: u32,
) -> Result<Vec<Opportunity>, StoreError> {
    let mut select = db.prepare_cached(
        "select card from opportunities where folder = :folder and (place, id) > (:place, :id)
         order by place, id limit :limit",
    )?;
    let (place, id) = after.map_or((i64::MIN, ""), |last| (last.place(), &last.id.0));
    let params = named_params! {":folder": folder.as_str(), ":place": place, ":id": id, ":limit": limit};
    select.query_and_then(params, |row| card(&row.get::<_, String>(0)?))?.collect()
}

/// All of it as of one place in the journal.
pub(crate) fn overview(db: &mut Connection, limit: u32) -> Result<Overview, StoreError> {
    let tx = db.transaction()?;
    let seq = tx.query_row("select coalesce(max(seq), 0) from entries", (), |row| row.get(0))?;
    let mut opportunities = Vec::new();
    for folder in Folder::ALL {
        opportunities.extend(list(&tx, folder, None, limit)?);
    }
    Ok(Overview { seq, counts: counts(&tx)?, opportunities })
}

fn counts(db: &Connection) -> Result<BTreeMap<Folder, u64>, StoreError> {
    let mut select = db.prepare_cached("select folder, count from counts where count > 0")?;
    let rows = select.query_map((), |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))?;
    let known = rows.filter_map(|row| row.map(|(name, count)| Some((Folder::named(&name)?, count))).transpose());
    Ok(known.collect::<Result<_, _>>()?)
}

/// Folds every negotiation anew, one at a time.
pub(crate) fn rebuild(tx: &Transaction<'_>) -> Result<u64, StoreError> {
    tx.execute("delete from opportunities", ())?;
    tx.execute("delete from counts", ())?;
    let mut count = 0;
    each(tx, |negotiation| {
        count += 1;
        put(tx, &Standing::from(negotiation), true)
    })?;
    Ok(count)
}

/// The negotiations whose rows are not what their entries come to.
pub(crate) fn out_of_step(db: &mut Connection) -> Result<Vec<NegotiationId>, StoreError> {
    let tx = db.transaction()?;
    let mut select = tx.prepare("select folder, place, due, ready, closed, card from opportunities where id = :id")?;
    let mut wrong = Vec::new();
    each(&tx, |negotiation| {
        let Standing { opportunity, is_ready, is_closed } = Standing::from(negotiation);
        let due = opportunity.due.map(|due| due.at.0);
        let is_so = select
            .query_row(named_params! {":id": opportunity.id.0}, |row| {
                let folder: String = row.get(0)?;
                let same = (row.get::<_, i64>(1)?, row.get::<_, Option<i64>>(2)?) == (opportunity.place(), due)
                    && (row.get::<_, bool>(3)?, row.get::<_, bool>(4)?) == (is_ready, is_closed);
                Ok(same
                    && folder == opportunity.folder().as_str()
                    && card(&row.get::<_, String>(5)?) == Ok(opportunity.clone()))
            })
            .optional()?;
        if is_so != Some(true) {
            wrong.push(opportunity.id);
        }
        Ok(())
    })?;
    Ok(wrong)
}

/// Every negotiation as its entries make it, by name.
fn each(tx: &Transaction<'_>, mut visit: impl FnMut(&Negotiation) -> Result<(), StoreError>) -> Result<(), StoreError> {
    let mut next = tx.prepare("select min(stream) from entries where stream > :last")?;
    let mut select = tx.prepare("select body from entries where stream = :stream order by version")?;
    let mut last = String::new();
    while let Some(stream) = next.query_row([&last], |row| row.get::<_, Option<String>>(0)).optional()?.flatten() {
        let mut rows = select.query(named_params! {":stream": stream})?;
        let mut negotiation: Option<Negotiation> = None;
        while let Some(row) = rows.next()? {
            // What cannot be read is reported when it is looked at; a list goes without it.
            let Some(event) = event(&row.get::<_, String>(0)?) else { break };
            match &mut negotiation {
                Some(negotiation) => negotiation.apply(&event),
                None => negotiation = Negotiation::replay([&event]),
            }
        }
        if let Some(negotiation) = &negotiation {
            visit(negotiation)?;
        }
        last = stream;
    }
    Ok(())
}

fn event(body: &str) -> Option<Event> {
    match serde_json::from_str(body) {
        Ok(Entry::Negotiation { event, .. }) => Some(event),
        Ok(Entry::Mode { .. } | Entry::Mandate { .. } | Entry::Policies { .. } | Entry::Checkpoint(_)) | Err(_) => None,
    }
}

fn card(text: &str) -> Result<Opportunity, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Damaged(format!("a list: {error}")))
}
