CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE events (
	table_id VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	time DOUBLE NOT NULL, 
	identity VARCHAR, 
	command_id VARCHAR, 
	body TEXT NOT NULL, 
	PRIMARY KEY (table_id, number)
)
 WITHOUT ROWID

;
CREATE TABLE finished (
	table_id VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	ended DOUBLE NOT NULL, 
	face_1 INTEGER NOT NULL, 
	face_2 INTEGER NOT NULL, 
	face_3 INTEGER NOT NULL, 
	face_4 INTEGER NOT NULL, 
	face_5 INTEGER NOT NULL, 
	face_6 INTEGER NOT NULL, 
	PRIMARY KEY (table_id)
);
CREATE TABLE presence (
	table_id VARCHAR NOT NULL, 
	identity VARCHAR NOT NULL, 
	seen DOUBLE NOT NULL, 
	PRIMARY KEY (table_id, identity)
);
CREATE TABLE reviews (
	table_id VARCHAR NOT NULL, 
	made_by VARCHAR NOT NULL, 
	facts TEXT NOT NULL, 
	PRIMARY KEY (table_id)
);
CREATE TABLE seats (
	identity VARCHAR NOT NULL, 
	table_id VARCHAR NOT NULL, 
	outcome VARCHAR, 
	PRIMARY KEY (identity, table_id)
);
CREATE TABLE tables (
	table_id VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	created DOUBLE NOT NULL, 
	creator VARCHAR, 
	wake DOUBLE, 
	summary TEXT NOT NULL, 
	PRIMARY KEY (table_id)
);
CREATE TABLE tokens (
	hash VARCHAR NOT NULL, 
	identity VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	expires DOUBLE, 
	PRIMARY KEY (hash)
);
CREATE UNIQUE INDEX events_by_command ON events (table_id, identity, command_id);
CREATE INDEX ix_tables_state ON tables (state);
CREATE INDEX ix_tables_created ON tables (created);
CREATE INDEX ix_tables_creator ON tables (creator);
CREATE INDEX ix_tables_wake ON tables (wake);
CREATE INDEX seats_by_table ON seats (table_id);
CREATE INDEX ix_tokens_identity ON tokens (identity);
CREATE INDEX ix_presence_seen ON presence (seen);
