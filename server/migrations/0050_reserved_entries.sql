CREATE TABLE "reserved_balances" (
	"account" text NOT NULL,
	"day" text NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "reserved_balances_account_day_pk" PRIMARY KEY("account","day")
);
--> statement-breakpoint
CREATE TABLE "reserved_entries" (
	"batch_id" uuid NOT NULL,
	"account" text NOT NULL,
	"day" text NOT NULL,
	"amount" bigint NOT NULL,
	"folded" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "reserved_entries_batch_id_account_day_pk" PRIMARY KEY("batch_id","account","day")
);
--> statement-breakpoint
-- True of all that there are, which are reserved below: their rows need not be written for it.
ALTER TABLE "attempts" ADD COLUMN "reserved" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "attempts" ALTER COLUMN "reserved" SET DEFAULT false;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "reserved" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "batches" ALTER COLUMN "reserved" SET DEFAULT false;--> statement-breakpoint
CREATE INDEX "reserved_entries_unfolded" ON "reserved_entries" USING btree ("account","day") WHERE "reserved_entries"."amount" <> "reserved_entries"."folded";--> statement-breakpoint
CREATE INDEX "reserved_entries_pending" ON "reserved_entries" USING btree ("batch_id") WHERE "reserved_entries"."account" in ('reserved', 'resting') and "reserved_entries"."amount" <> 0;--> statement-breakpoint
CREATE INDEX "attempts_not_reserved" ON "attempts" USING btree ("batch_id") WHERE not "attempts"."reserved";--> statement-breakpoint
CREATE INDEX "batches_not_reserved" ON "batches" USING btree ("id") WHERE not "batches"."reserved";--> statement-breakpoint
-- An older version beside this one still keeps its sums in "kept_spending", which nothing reads from here on.
DROP INDEX "batches_spending_not_kept";--> statement-breakpoint
INSERT INTO "reserved_entries" ("batch_id", "account", "day", "amount", "folded")
  WITH bought AS MATERIALIZED (
    SELECT o.id, o.batch_id, o.size, o.price, o.fee_rate, o.fee_step, o.status, o.filled_size, o.filled_cost + o.fee AS cost, o.resolved_value,
      greatest(0, o.filled_size - o.sold_size - o.gone_size) AS left_size, b.simulated,
      b.status <> 'sold' AND b.sold_at IS NULL AS is_holding
    FROM batch_orders o JOIN batches b ON b.id = o.batch_id WHERE o.side = 'buy'
  ), taking AS (
    SELECT o.batch_id, o.simulated, o.is_holding, a.status = 'open' AS rests, a.price, coalesce(a.fee_rate, o.fee_rate) AS fee_rate, o.fee_step,
      coalesce(to_char((CASE WHEN o.simulated THEN a.ended_at ELSE a.sent_at END) AT TIME ZONE 'UTC', 'YYYY-MM-DD'),
        CASE a.status WHEN 'prepared' THEN 'unsent' END) AS day,
      coalesce(f.spent, 0) AS spent,
      greatest(0, CASE WHEN a.status IN ('prepared', 'sent', 'unknown', 'delayed', 'open') THEN a.size
        WHEN a.status IN ('canceled', 'matched') THEN coalesce(a.matched_size, 0) ELSE 0 END - coalesce(f.size, 0)) AS size
    FROM bought o JOIN attempts a ON a.order_id = o.id LEFT JOIN (
      SELECT attempt_id, sum(size) AS size, sum(cost + fee) FILTER (WHERE settlement <> 'failed') AS spent FROM fills GROUP BY 1
    ) f ON f.attempt_id = a.id
    UNION ALL
    SELECT o.batch_id, o.simulated, o.is_holding, false, o.price, o.fee_rate, o.fee_step, 'unsent', 0, o.size
    FROM bought o WHERE o.status = 'pending' AND NOT EXISTS (SELECT FROM attempts a WHERE a.order_id = o.id)
  ), pending AS MATERIALIZED (
    SELECT *, div(size::numeric * price + 999999, 1000000) + fee_step
      * div(size::numeric * fee_rate * (price * (1000000 - price)) + 1000000000000000000 * fee_step::numeric - 1, 1000000000000000000 * fee_step::numeric) AS usd
    FROM taking
  ), amounts AS (
    SELECT batch_id, simulated, CASE WHEN rests THEN 'resting' ELSE 'reserved' END AS account, '' AS day, usd FROM pending
    UNION ALL
    SELECT batch_id, simulated, 'placed', day, usd + spent FROM pending WHERE day IS NOT NULL
    UNION ALL
    SELECT batch_id, simulated, 'exposed', '', usd FROM pending WHERE is_holding
    UNION ALL
    SELECT batch_id, simulated, 'exposed', '', div(cost::numeric * left_size + filled_size - 1, filled_size)
    FROM bought WHERE is_holding AND left_size > 0 AND filled_size > 0 AND NOT (simulated AND resolved_value IS NOT NULL)
  )
  SELECT batch_id, account || CASE WHEN simulated THEN '@practice' ELSE '' END, day, sum(usd), sum(usd) FROM amounts GROUP BY 1, 2, 3
  HAVING sum(usd) <> 0;--> statement-breakpoint
INSERT INTO "reserved_balances" ("account", "day", "amount") SELECT account, day, sum(amount) FROM "reserved_entries" GROUP BY 1, 2;
