#!/bin/sh
# Run once, by the image, on an empty data directory: the roles of the application and of Dagster, and Dagster's database.
# Palimpsest's own role owns nothing and passes no row-level security; `palimpsest init` gives it what it needs.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
    --set app="$PALIMPSEST_PASSWORD" --set dagster="$DAGSTER_PASSWORD" <<'SQL'
CREATE ROLE palimpsest LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE PASSWORD :'app';
CREATE ROLE dagster LOGIN PASSWORD :'dagster';
CREATE DATABASE dagster OWNER dagster;
SQL
