-- The journal: everything that ever happened, in order. Rows are appended, never changed, never removed.
create table events (
    seq     integer primary key, -- place in the whole; what live views count by
    stream  text    not null,    -- what it happened to: a negotiation's id, or 'mode'
    version integer not null,    -- place in that stream, from 1; the compare-and-set against two speakers
    body    text    not null,    -- the event, as JSON
    unique (stream, version)
) strict;

create trigger events_are_not_changed before update on events
begin
    select raise(abort, 'the journal is append-only');
end;

create trigger events_are_not_removed before delete on events
begin
    select raise(abort, 'the journal is append-only');
end;
