ALTER TABLE "attempts" ADD COLUMN "asked_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "lookup_answer" text;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "gone_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "batch_orders" ADD COLUMN "expected_price" bigint;--> statement-breakpoint
ALTER TABLE "batch_orders" ADD COLUMN "sells_order_id" uuid;--> statement-breakpoint
ALTER TABLE "batch_orders" ADD COLUMN "sale_id" uuid;--> statement-breakpoint
ALTER TABLE "batch_orders" ADD COLUMN "sold_size" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "cancel_requested_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "retry_requested_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "look_requested_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "unhedged_since" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "leg_risk_told_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "orders_in_doubt" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "sale_under_way" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "sold_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "fills" ADD COLUMN "settled_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "sale_id" uuid;--> statement-breakpoint
CREATE INDEX "batches_called" ON "batches" USING btree ("id") WHERE "batches"."sale_under_way" or "batches"."look_requested_at" is not null;