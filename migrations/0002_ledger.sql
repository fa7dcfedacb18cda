-- The journal, hashed and sealed. What was in `events` is copied here by the program, which has the key.
create table entries (
    seq     integer primary key, -- place in the whole, from 1, without gaps; what live views count by
    stream  text    not null,    -- what it happened to: a negotiation's id, or 'mode'
    version integer not null,    -- place in that stream, from 1; the compare-and-set against two speakers
    body    text    not null,    -- what happened, as canonical JSON
    hash    blob    not null,    -- of this entry and every one before it in its stream
    seal    blob    not null,    -- over this entry and every one before it in the journal
    unique (stream, version)
) strict;

create trigger entries_are_not_changed before update on entries
begin
    select raise(abort, 'the journal is append-only');
end;

create trigger entries_are_not_removed before delete on entries
begin
    select raise(abort, 'the journal is append-only');
end;

-- Where the journal ends, sealed: cutting entries off leaves a trace.
create table head (
    id   integer primary key check (id = 1),
    seq  integer not null,
    seal blob    not null
) strict;
