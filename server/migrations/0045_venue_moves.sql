CREATE TABLE "venue_moves" (
	"hash" text PRIMARY KEY NOT NULL,
	"block" bigint NOT NULL,
	"seen_at" timestamp(3) with time zone NOT NULL,
	"shares" jsonb NOT NULL,
	"cash" bigint NOT NULL,
	"submission_id" uuid
);
--> statement-breakpoint
CREATE TABLE "venue_moves_read" (
	"id" integer PRIMARY KEY NOT NULL,
	"block" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "venue_moves_open" ON "venue_moves" USING btree ("block") WHERE "venue_moves"."submission_id" is null;