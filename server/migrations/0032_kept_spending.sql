CREATE TABLE "kept_spending" (
	"batch_id" uuid NOT NULL,
	"part" text NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "kept_spending_batch_id_part_pk" PRIMARY KEY("batch_id","part")
);
--> statement-breakpoint
CREATE TABLE "kept_spending_totals" (
	"part" text PRIMARY KEY NOT NULL,
	"total" bigint NOT NULL
);
--> statement-breakpoint
-- True of all that there are: their rows need not be written for it.
ALTER TABLE "batches" ADD COLUMN "spending_kept" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "batches" ALTER COLUMN "spending_kept" SET DEFAULT false;--> statement-breakpoint
INSERT INTO "kept_spending" ("batch_id", "part", "amount")
  SELECT b.id, to_char(a.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'), sum(f.cost + f.fee)
  FROM "fills" f JOIN "attempts" a ON a.id = f.attempt_id JOIN "batch_orders" o ON o.id = a.order_id JOIN "batches" b ON b.id = o.batch_id
  WHERE f.settlement <> 'failed' AND a.sent_at IS NOT NULL AND o.side = 'buy' AND NOT b.simulated
  GROUP BY 1, 2;--> statement-breakpoint
INSERT INTO "kept_spending" ("batch_id", "part", "amount")
  SELECT b.id, 'held', sum(ceil((o.filled_cost + o.fee)::numeric * (o.filled_size - o.sold_size) / o.filled_size))
  FROM "batch_orders" o JOIN "batches" b ON b.id = o.batch_id
  WHERE o.filled_size > o.sold_size AND o.side = 'buy' AND NOT b.simulated AND b.status <> 'sold' AND b.sold_at IS NULL
  GROUP BY 1;--> statement-breakpoint
INSERT INTO "kept_spending_totals" ("part", "total") SELECT part, sum(amount) FROM "kept_spending" GROUP BY 1;--> statement-breakpoint
-- Those of which more may come: an attempt may still take shares, or an order may be sent.
UPDATE "batches" SET "spending_kept" = false
  WHERE id IN (SELECT batch_id FROM attempts WHERE status = 'prepared' OR status = 'sent' OR status = 'unknown' OR status = 'delayed' OR status = 'open')
  OR id IN (SELECT a.batch_id FROM attempts a WHERE a.matched_size > 0
    AND ((SELECT sum(f.size) FROM fills f WHERE f.batch_id = a.batch_id AND f.attempt_id = a.id) >= a.matched_size) IS NOT TRUE)
  OR id IN (SELECT batch_id FROM batch_orders WHERE status = 'pending');--> statement-breakpoint
CREATE INDEX "batches_spending_not_kept" ON "batches" USING btree ("id") WHERE not "batches"."spending_kept" and "batches"."status" not in ('pending', 'processing', 'retry_pending');--> statement-breakpoint
-- A function of the database, so that it holds for whatever version writes.
CREATE FUNCTION "take_back_kept_spending"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.spending_kept := false;
  RETURN NEW;
END;
$$;--> statement-breakpoint
CREATE TRIGGER "batches_spending_changed" BEFORE UPDATE ON "batches"
  FOR EACH ROW WHEN (old.spending_kept AND (new.results_due OR new.status <> old.status OR new.sold_at IS DISTINCT FROM old.sold_at))
  EXECUTE FUNCTION "take_back_kept_spending"();
