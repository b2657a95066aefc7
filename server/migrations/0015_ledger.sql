CREATE TABLE "ledger_balances" (
	"account" text NOT NULL,
	"unit" text NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "ledger_balances_account_unit_pk" PRIMARY KEY("account","unit")
);
--> statement-breakpoint
CREATE TABLE "ledger_blocks" (
	"block" integer PRIMARY KEY NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"entries" integer NOT NULL,
	"audit_seq" integer NOT NULL,
	"audit_hash" text NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_checks" (
	"id" integer PRIMARY KEY NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"venue_cash" bigint NOT NULL,
	"ledger_cash" bigint NOT NULL,
	"differences" jsonb NOT NULL,
	"since" timestamp(3) with time zone,
	"notified_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"lines" jsonb NOT NULL,
	"batch_id" uuid,
	"order_id" uuid,
	"trade_id" text,
	"order_hash" text,
	"submission_id" uuid,
	"stated_by" text,
	"reason" text,
	"block" integer
);
--> statement-breakpoint
CREATE TABLE "batch_results" (
	"batch_id" uuid PRIMARY KEY NOT NULL,
	"operator_id" uuid,
	"automatic" boolean NOT NULL,
	"source" text,
	"event_id" text NOT NULL,
	"event_title" text NOT NULL,
	"structure" text,
	"basis" text,
	"triggered_at" timestamp(3) with time zone NOT NULL,
	"sent_at" timestamp(3) with time zone,
	"matched_at" timestamp(3) with time zone,
	"confirmed_at" timestamp(3) with time zone,
	"cash_at" timestamp(3) with time zone,
	"lock_day" date,
	"cash_day" date,
	"release_at" timestamp(3) with time zone,
	"release_month" text,
	"size" bigint NOT NULL,
	"predicted_cost" bigint NOT NULL,
	"predicted_fees" bigint NOT NULL,
	"predicted_profit" bigint NOT NULL,
	"books_age_ms" integer,
	"paid" bigint NOT NULL,
	"received" bigint NOT NULL,
	"fees" bigint NOT NULL,
	"ordered_shares" bigint NOT NULL,
	"filled_shares" bigint NOT NULL,
	"legs" integer NOT NULL,
	"filled_legs" integer NOT NULL,
	"fill_count" integer NOT NULL,
	"undone_fills" integer NOT NULL,
	"paid_profit" bigint NOT NULL,
	"locked_profit" bigint NOT NULL,
	"at_risk" bigint NOT NULL,
	"locked" bigint NOT NULL,
	"moved_before_send" bigint NOT NULL,
	"moved_in_flight" bigint NOT NULL,
	"size_added" bigint NOT NULL,
	"shortfall" bigint NOT NULL,
	"capital_days" bigint NOT NULL,
	"changed_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leg_results" (
	"batch_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"leg" integer NOT NULL,
	"hour" integer NOT NULL,
	"ordered" bigint NOT NULL,
	"filled" bigint NOT NULL,
	"predicted_price" bigint NOT NULL,
	"predicted_fee" bigint NOT NULL,
	"average_price" bigint,
	"paid" bigint NOT NULL,
	"fee" bigint NOT NULL,
	"moved_before_send" bigint NOT NULL,
	"moved_in_flight" bigint NOT NULL,
	"size_added" bigint NOT NULL,
	CONSTRAINT "leg_results_batch_id_order_id_pk" PRIMARY KEY("batch_id","order_id")
);
--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "book_price_of_order" bigint;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "book_price" bigint;--> statement-breakpoint
ALTER TABLE "batch_orders" ADD COLUMN "expected_fee" bigint;--> statement-breakpoint
ALTER TABLE "batch_orders" ADD COLUMN "book_age_ms" integer;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "results_due" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "fills" ADD COLUMN "in_ledger" text;--> statement-breakpoint
CREATE INDEX "ledger_entries_at" ON "ledger_entries" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "ledger_entries_kind" ON "ledger_entries" USING btree ("kind","at","id");--> statement-breakpoint
CREATE INDEX "ledger_entries_batch_id" ON "ledger_entries" USING btree ("batch_id","id") WHERE "ledger_entries"."batch_id" is not null;--> statement-breakpoint
CREATE INDEX "ledger_entries_submission_id" ON "ledger_entries" USING btree ("submission_id") WHERE "ledger_entries"."submission_id" is not null;--> statement-breakpoint
CREATE INDEX "ledger_entries_block" ON "ledger_entries" USING btree ("block","id") WHERE "ledger_entries"."block" is not null;--> statement-breakpoint
CREATE INDEX "ledger_entries_unsealed" ON "ledger_entries" USING btree ("id") WHERE "ledger_entries"."block" is null;--> statement-breakpoint
CREATE INDEX "batch_results_triggered_at" ON "batch_results" USING btree ("triggered_at","batch_id");--> statement-breakpoint
CREATE INDEX "batch_results_cash_day" ON "batch_results" USING btree ("cash_day");--> statement-breakpoint
CREATE INDEX "batch_results_lock_day" ON "batch_results" USING btree ("lock_day");--> statement-breakpoint
CREATE INDEX "batch_results_open" ON "batch_results" USING btree ("event_id") WHERE "batch_results"."locked" > 0;--> statement-breakpoint
CREATE INDEX "batches_results_due" ON "batches" USING btree ("id") WHERE "batches"."results_due";--> statement-breakpoint
CREATE INDEX "fills_not_in_ledger" ON "fills" USING btree ("batch_id") WHERE "fills"."in_ledger" is null or "fills"."in_ledger" <> 'simulated' and "fills"."in_ledger" <> case "fills"."settlement"
    when 'confirmed' then 'settled' when 'failed' then 'undone' else 'matched' end;