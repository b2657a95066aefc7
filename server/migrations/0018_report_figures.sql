CREATE TABLE "missed_triggers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"opportunity_id" uuid NOT NULL,
	"source" text,
	"event_id" text NOT NULL,
	"profit" bigint NOT NULL,
	"refusal" text
);
--> statement-breakpoint
ALTER TABLE "batch_results" ADD COLUMN "sent_ms" bigint GENERATED ALWAYS AS ((extract(epoch from sent_at - triggered_at) * 1000)::bigint) STORED;--> statement-breakpoint
ALTER TABLE "batch_results" ADD COLUMN "matched_ms" bigint GENERATED ALWAYS AS ((extract(epoch from matched_at - triggered_at) * 1000)::bigint) STORED;--> statement-breakpoint
ALTER TABLE "batch_results" ADD COLUMN "confirmed_ms" bigint GENERATED ALWAYS AS ((extract(epoch from confirmed_at - triggered_at) * 1000)::bigint) STORED;--> statement-breakpoint
ALTER TABLE "batch_results" ADD COLUMN "cash_ms" bigint GENERATED ALWAYS AS ((extract(epoch from cash_at - triggered_at) * 1000)::bigint) STORED;--> statement-breakpoint
CREATE INDEX "missed_triggers_at" ON "missed_triggers" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "relation_hits_batch_id" ON "relation_hits" USING btree ("batch_id") WHERE "relation_hits"."batch_id" is not null;--> statement-breakpoint
CREATE INDEX "batch_results_event_id" ON "batch_results" USING btree ("event_id","triggered_at");