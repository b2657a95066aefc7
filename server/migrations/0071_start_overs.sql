CREATE TABLE "start_overs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"cash" bigint NOT NULL,
	"requested_by" text NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"reason" text,
	"from_block" bigint,
	"came_by" text,
	"left_by" text,
	"marked_at" timestamp(3) with time zone,
	"ended_at" timestamp(3) with time zone,
	"earned_before" bigint
);
--> statement-breakpoint
CREATE UNIQUE INDEX "start_overs_open" ON "start_overs" USING btree ((true)) WHERE "start_overs"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "start_overs_done" ON "start_overs" USING btree ("ended_at") WHERE "start_overs"."status" = 'done';