ALTER TABLE "batches" ADD COLUMN "size_bounded_by" text;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "series_id" uuid;--> statement-breakpoint
CREATE INDEX "batches_series" ON "batches" USING btree ("series_id","created_at") WHERE "batches"."series_id" is not null;