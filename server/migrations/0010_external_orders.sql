CREATE TABLE "external_orders" (
	"order_hash" text PRIMARY KEY NOT NULL,
	"token_id" text NOT NULL,
	"market_id" text,
	"market_name" text,
	"outcome" text,
	"side" text NOT NULL,
	"price" bigint NOT NULL,
	"size" bigint NOT NULL,
	"matched_size" bigint NOT NULL,
	"seen_at" timestamp(3) with time zone NOT NULL,
	"ended_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "ended_at" timestamp(3) with time zone;--> statement-breakpoint
CREATE INDEX "external_orders_seen_at" ON "external_orders" USING btree ("seen_at","order_hash");