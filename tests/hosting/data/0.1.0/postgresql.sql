CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.events (
    table_id character varying NOT NULL,
    number integer NOT NULL,
    "time" double precision NOT NULL,
    identity character varying,
    command_id character varying,
    body text NOT NULL
);
CREATE TABLE public.finished (
    table_id character varying NOT NULL,
    game character varying NOT NULL,
    ended double precision NOT NULL,
    face_1 integer NOT NULL,
    face_2 integer NOT NULL,
    face_3 integer NOT NULL,
    face_4 integer NOT NULL,
    face_5 integer NOT NULL,
    face_6 integer NOT NULL
);
CREATE TABLE public.presence (
    table_id character varying NOT NULL,
    identity character varying NOT NULL,
    seen double precision NOT NULL
);
CREATE TABLE public.reviews (
    table_id character varying NOT NULL,
    made_by character varying NOT NULL,
    facts text NOT NULL
);
CREATE TABLE public.seats (
    identity character varying NOT NULL,
    table_id character varying NOT NULL,
    outcome character varying
);
CREATE TABLE public.tables (
    table_id character varying NOT NULL,
    game character varying NOT NULL,
    state character varying NOT NULL,
    created double precision NOT NULL,
    creator character varying,
    wake double precision,
    summary text NOT NULL
);
CREATE TABLE public.tokens (
    hash character varying NOT NULL,
    identity character varying NOT NULL,
    kind character varying NOT NULL,
    expires double precision
);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (table_id, number);
ALTER TABLE ONLY public.finished
    ADD CONSTRAINT finished_pkey PRIMARY KEY (table_id);
ALTER TABLE ONLY public.presence
    ADD CONSTRAINT presence_pkey PRIMARY KEY (table_id, identity);
ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_pkey PRIMARY KEY (table_id);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT seats_pkey PRIMARY KEY (identity, table_id);
ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_pkey PRIMARY KEY (table_id);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (hash);
CREATE UNIQUE INDEX events_by_command ON public.events USING btree (table_id, identity, command_id);
CREATE INDEX ix_presence_seen ON public.presence USING btree (seen);
CREATE INDEX ix_tables_created ON public.tables USING btree (created);
CREATE INDEX ix_tables_creator ON public.tables USING btree (creator);
CREATE INDEX ix_tables_state ON public.tables USING btree (state);
CREATE INDEX ix_tables_wake ON public.tables USING btree (wake);
CREATE INDEX ix_tokens_identity ON public.tokens USING btree (identity);
CREATE INDEX seats_by_table ON public.seats USING btree (table_id);
