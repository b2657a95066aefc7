CREATE TABLE "catalogue_passes" (
	"venue" text PRIMARY KEY NOT NULL,
	"pass" integer NOT NULL,
	"cursor" text,
	"started_at" timestamp(3) with time zone,
	"finished_at" timestamp(3) with time zone,
	"events_read" integer NOT NULL,
	"error" text
);
--> statement-breakpoint
-- An older version that still runs goes on by its own row.
INSERT INTO "catalogue_passes" ("venue", "pass", "cursor", "started_at", "finished_at", "events_read", "error")
  SELECT 'polymarket', "pass", "cursor", "started_at", "finished_at", "events_read", "error" FROM "catalogue_sync";
