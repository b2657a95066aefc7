DROP INDEX "relation_prices_distance_desc";--> statement-breakpoint
DROP INDEX "relation_prices_last_hit_at";--> statement-breakpoint
DROP INDEX "relation_prices_last_hit_at_desc";--> statement-breakpoint
CREATE INDEX "relation_prices_known_last_hit_at" ON "relation_prices" USING btree ("last_hit_at","relation_id") WHERE "relation_prices"."last_hit_at" is not null;