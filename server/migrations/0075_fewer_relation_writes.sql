DROP INDEX "relations_watched";--> statement-breakpoint
ALTER TABLE "relation_prices" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
