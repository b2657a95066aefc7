CREATE TABLE "cash_days" (
	"batch_id" uuid NOT NULL,
	"day" date NOT NULL,
	"paid" bigint NOT NULL,
	"fees" bigint NOT NULL,
	"moved_before_send" bigint NOT NULL,
	"moved_in_flight" bigint NOT NULL,
	"size_added" bigint NOT NULL,
	CONSTRAINT "cash_days_batch_id_day_pk" PRIMARY KEY("batch_id","day")
);
--> statement-breakpoint
ALTER TABLE "batch_results" ADD COLUMN "dated_profit" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "batch_orders" ADD COLUMN "resolved_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "batch_orders" ADD COLUMN "gone_at" timestamp(3) with time zone;--> statement-breakpoint
CREATE INDEX "cash_days_day" ON "cash_days" USING btree ("day");--> statement-breakpoint
CREATE INDEX "batch_results_undated" ON "batch_results" USING btree ("batch_id") WHERE "batch_results"."dated_profit" <> "batch_results"."paid_profit";--> statement-breakpoint
-- On one day, until each has been worked out again.
INSERT INTO "cash_days"
  SELECT "batch_id", coalesce("cash_day", ("matched_at" AT TIME ZONE 'UTC')::date, ("triggered_at" AT TIME ZONE 'UTC')::date),
    "paid_profit", "fees", "moved_before_send", "moved_in_flight", "size_added"
  FROM "batch_results" WHERE "paid_profit" <> 0 OR "cash_day" IS NOT NULL;
