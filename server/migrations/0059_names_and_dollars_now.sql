ALTER TABLE "opportunity_prices" ADD COLUMN "profit_usd" bigint;--> statement-breakpoint
ALTER TABLE "opportunity_prices" ADD COLUMN "max_profitable_size" bigint;--> statement-breakpoint
ALTER TABLE "opportunity_prices" ADD COLUMN "pays_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "opportunity_prices" ADD COLUMN "about" text;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "name" text;--> statement-breakpoint
CREATE INDEX "opportunity_prices_profit_usd" ON "opportunity_prices" USING btree ("profit_usd","opportunity_id");--> statement-breakpoint
CREATE INDEX "opportunity_prices_max_profitable_size" ON "opportunity_prices" USING btree ("max_profitable_size","opportunity_id");--> statement-breakpoint
CREATE INDEX "opportunity_prices_pays_at" ON "opportunity_prices" USING btree ("pays_at","opportunity_id");--> statement-breakpoint
CREATE INDEX "opportunity_prices_about" ON "opportunity_prices" USING btree (left(lower("about"), 200),"opportunity_id");