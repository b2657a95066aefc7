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
ALTER TABLE "batches" ADD COLUMN "spending_kept" boolean DEFAULT false NOT NULL;--> statement-breakpoint
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
