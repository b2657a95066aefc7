DROP INDEX "chain_submissions_open_nonce";--> statement-breakpoint
DROP INDEX "fee_stops_one_standing_per_category";--> statement-breakpoint
ALTER TABLE "chain_submissions" ADD COLUMN "venue" text DEFAULT 'polymarket' NOT NULL;--> statement-breakpoint
ALTER TABLE "fee_stops" ADD COLUMN "venue" text DEFAULT 'polymarket' NOT NULL;--> statement-breakpoint
ALTER TABLE "venue_moves" ADD COLUMN "venue" text DEFAULT 'polymarket' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "chain_submissions_open_nonce_of_venue" ON "chain_submissions" USING btree ("venue","nonce") WHERE "chain_submissions"."payload" is not null and "chain_submissions"."ended_at" is null and "chain_submissions"."given_up_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "fee_stops_one_standing_per_venue" ON "fee_stops" USING btree ("venue","category") WHERE "fee_stops"."cleared_at" is null;