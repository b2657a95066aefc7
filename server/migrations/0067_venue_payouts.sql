CREATE TABLE "venue_payouts" (
	"market_id" text PRIMARY KEY NOT NULL,
	"venue" text NOT NULL,
	"outcomes" jsonb NOT NULL,
	"dollars" bigint NOT NULL,
	"fee" bigint NOT NULL,
	"paid_at" timestamp(3) with time zone,
	"is_provisional" boolean NOT NULL,
	"seen_at" timestamp(3) with time zone NOT NULL,
	"changes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"submission_id" uuid,
	"booked_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE INDEX "venue_payouts_unbooked" ON "venue_payouts" USING btree ("venue") WHERE "venue_payouts"."booked_at" is null;