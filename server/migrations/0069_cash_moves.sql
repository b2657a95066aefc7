CREATE TABLE "cash_moves" (
	"id" uuid PRIMARY KEY NOT NULL,
	"venue" text NOT NULL,
	"from_pocket" text NOT NULL,
	"to_pocket" text NOT NULL,
	"amount" bigint NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"requested_by" text NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"sent_at" timestamp(3) with time zone,
	"from_before" bigint,
	"to_before" bigint,
	"is_taken" boolean DEFAULT false NOT NULL,
	"ended_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "cash_moves_open" ON "cash_moves" USING btree ("venue") WHERE "cash_moves"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "cash_moves_created_at" ON "cash_moves" USING btree ("created_at","id");