-- What lists and timers are read from. It follows from the entries, and can be made anew from them at any time.
create table opportunities (
    id     text    primary key, -- the negotiation's
    folder text    not null,    -- where the person finds it
    place  integer not null,    -- its place there, smallest first
    due    integer,             -- when something happens by itself, if anything does
    ready  integer not null,    -- 1 when an agent in this process has to speak
    closed integer not null,    -- 1 when nothing more happens but what may follow an end
    card   text    not null     -- what is shown of it, as JSON
) strict;

create index opportunities_by_place on opportunities (folder, place, id);
create index opportunities_by_due on opportunities (due) where due is not null;
create index opportunities_ready on opportunities (id) where ready = 1;

-- How many there are in each folder.
create table counts (
    folder text    primary key,
    count  integer not null
) strict, without rowid;

create trigger opportunities_counted after insert on opportunities
begin
    insert into counts values (new.folder, 1) on conflict do update set count = count + 1;
end;

create trigger opportunities_moved after update of folder on opportunities when old.folder <> new.folder
begin
    update counts set count = count - 1 where folder = old.folder;
    insert into counts values (new.folder, 1) on conflict do update set count = count + 1;
end;

create trigger opportunities_uncounted after delete on opportunities
begin
    update counts set count = count - 1 where folder = old.folder;
end;

-- Which form the above is in.
create table views (
    id   integer primary key check (id = 1),
    form integer not null
) strict;
