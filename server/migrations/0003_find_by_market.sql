CREATE TABLE "market_names" (
	"market_id" text PRIMARY KEY NOT NULL,
	"question" text NOT NULL,
	"event_title" text
);
--> statement-breakpoint
CREATE FUNCTION market_ids_of(combinations jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT array(SELECT id #>> '{}' FROM jsonb_path_query(combinations, '$[*].markets[*].id') AS id)
$$;
--> statement-breakpoint
CREATE INDEX "opportunities_market_ids" ON "opportunities" USING gin (market_ids_of(market_combinations));