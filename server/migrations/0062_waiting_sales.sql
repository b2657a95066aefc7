ALTER TABLE "batch_orders" ADD COLUMN "waits" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "batch_orders" ADD COLUMN "waits_until" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "batch_orders" ADD COLUMN "cancel_requested_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "batch_orders" ADD COLUMN "cancel_reason" text;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "canceled_before" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "batch_orders_waiting" ON "batch_orders" USING btree ("batch_id") WHERE "batch_orders"."waits";