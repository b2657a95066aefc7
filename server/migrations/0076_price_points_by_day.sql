-- In the order in which a transaction that writes prices takes them.
LOCK TABLE "opportunity_prices" IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
ALTER TABLE "price_points" RENAME TO "price_points_before";--> statement-breakpoint
ALTER TABLE "price_points_before" RENAME CONSTRAINT "price_points_opportunity_id_at_pk" TO "price_points_before_pkey";--> statement-breakpoint
ALTER INDEX "price_points_at" RENAME TO "price_points_before_at_idx";--> statement-breakpoint
CREATE TABLE "price_points" (
	"opportunity_id" uuid NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"current_price" bigint,
	"target_price" bigint NOT NULL,
	"profit_percentage" bigint,
	"triggered" boolean NOT NULL,
	"is_edge" boolean NOT NULL,
	CONSTRAINT "price_points_opportunity_id_at_pk" PRIMARY KEY("opportunity_id","at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
ALTER TABLE "price_points" ADD CONSTRAINT "price_points_of_opportunity" FOREIGN KEY ("opportunity_id") REFERENCES "public"."opportunity_prices"("opportunity_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "price_points_at" ON "price_points" USING btree ("at");--> statement-breakpoint
CREATE TABLE "price_points_default" PARTITION OF "price_points" DEFAULT;--> statement-breakpoint
-- No row moves: what there is becomes the partition of all days until now, or until its last point where a clock was ahead.
DO $$
BEGIN
  EXECUTE (SELECT format(
    'ALTER TABLE "price_points" ATTACH PARTITION "price_points_before" FOR VALUES FROM (MINVALUE) TO (%L)',
    coalesce(date_trunc('day', greatest(max("at"), now()), 'UTC') + interval '1 day', date_trunc('day', now(), 'UTC'))
  ) FROM "price_points_before");
END $$;
