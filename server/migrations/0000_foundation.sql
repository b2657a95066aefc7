CREATE TABLE "attempts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"order_hash" text NOT NULL,
	"salt" text NOT NULL,
	"payload" text NOT NULL,
	"size" bigint NOT NULL,
	"price" bigint NOT NULL,
	"status" text NOT NULL,
	"matched_size" bigint,
	"reason" text,
	"created_at" timestamp(3) with time zone NOT NULL,
	"sent_at" timestamp(3) with time zone,
	"answered_at" timestamp(3) with time zone,
	"updated_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "batch_orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"batch_id" uuid NOT NULL,
	"opportunity_id" uuid NOT NULL,
	"leg" integer NOT NULL,
	"ordinal" integer NOT NULL,
	"market_id" text NOT NULL,
	"market_name" text NOT NULL,
	"token_id" text NOT NULL,
	"outcome" text NOT NULL,
	"side" text NOT NULL,
	"size" bigint NOT NULL,
	"price" bigint NOT NULL,
	"fee_rate" bigint NOT NULL,
	"status" text NOT NULL,
	"filled_size" bigint NOT NULL,
	"filled_cost" bigint NOT NULL,
	"fee" bigint NOT NULL,
	"attempt_count" integer DEFAULT 0 NOT NULL,
	"warning" text,
	"error" text,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "batches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"opportunity_id" uuid NOT NULL,
	"status" text NOT NULL,
	"expected_orders" integer NOT NULL,
	"total_orders" integer DEFAULT 0 NOT NULL,
	"order_size" bigint NOT NULL,
	"target_price" bigint NOT NULL,
	"quoted_price" bigint,
	"target_profit" bigint NOT NULL,
	"actual_profit" bigint,
	"unhedged" jsonb,
	"retry_count" integer DEFAULT 0 NOT NULL,
	"max_retries" integer DEFAULT 3 NOT NULL,
	"automatic" boolean NOT NULL,
	"simulated" boolean NOT NULL,
	"settings" jsonb NOT NULL,
	"execution_started_at" timestamp(3) with time zone,
	"execution_completed_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"created_by" uuid,
	"last_error" text,
	"lease_owner" uuid,
	"lease_token" bigint DEFAULT 0 NOT NULL,
	"lease_expires_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "fills" (
	"trade_id" text NOT NULL,
	"order_hash" text NOT NULL,
	"attempt_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"price" bigint NOT NULL,
	"size" bigint NOT NULL,
	"fee" bigint NOT NULL,
	"settlement" text NOT NULL,
	"matched_at" timestamp(3) with time zone NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "fills_trade_id_order_hash_pk" PRIMARY KEY("trade_id","order_hash")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"user_id" uuid NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"batch_id" uuid NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_user_id_key_pk" PRIMARY KEY("user_id","key")
);
--> statement-breakpoint
CREATE TABLE "opportunities" (
	"id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"market_combinations" jsonb NOT NULL,
	"target_price" bigint NOT NULL,
	"current_price" bigint,
	"fees_per_set" bigint,
	"profit_percentage" bigint,
	"active" boolean NOT NULL,
	"triggered" boolean NOT NULL,
	"last_checked" timestamp(3) with time zone,
	"last_error" text,
	"error_count" integer DEFAULT 0 NOT NULL,
	"source" text,
	"source_details" text,
	"content_hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "system_settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"updated_by" uuid
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"full_name" text,
	"password_hash" text NOT NULL,
	"is_superuser" boolean NOT NULL,
	"is_active" boolean NOT NULL,
	"session_epoch" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_order_id_batch_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."batch_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_orders" ADD CONSTRAINT "batch_orders_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fills" ADD CONSTRAINT "fills_attempt_id_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."attempts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fills" ADD CONSTRAINT "fills_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "attempts_order_hash_key" ON "attempts" USING btree ("order_hash");--> statement-breakpoint
CREATE INDEX "attempts_order_id" ON "attempts" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "attempts_batch_id" ON "attempts" USING btree ("batch_id");--> statement-breakpoint
CREATE INDEX "attempts_undecided" ON "attempts" USING btree ("status","batch_id") WHERE "attempts"."status" in ('prepared', 'sent', 'delayed', 'open');--> statement-breakpoint
CREATE UNIQUE INDEX "batch_orders_ordinal_key" ON "batch_orders" USING btree ("batch_id","ordinal");--> statement-breakpoint
CREATE INDEX "batch_orders_created_at" ON "batch_orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "batch_orders_opportunity_id" ON "batch_orders" USING btree ("opportunity_id");--> statement-breakpoint
CREATE UNIQUE INDEX "batches_one_active_per_opportunity" ON "batches" USING btree ("opportunity_id") WHERE "batches"."status" in ('pending', 'processing', 'retry_pending');--> statement-breakpoint
CREATE INDEX "batches_created_at" ON "batches" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "batches_opportunity_id" ON "batches" USING btree ("opportunity_id","created_at");--> statement-breakpoint
CREATE INDEX "batches_status" ON "batches" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "fills_batch_id" ON "fills" USING btree ("batch_id");--> statement-breakpoint
CREATE INDEX "fills_unsettled" ON "fills" USING btree ("batch_id") WHERE "fills"."settlement" not in ('confirmed', 'failed');--> statement-breakpoint
CREATE UNIQUE INDEX "opportunities_content_hash_key" ON "opportunities" USING btree ("content_hash");--> statement-breakpoint
CREATE INDEX "opportunities_created_at" ON "opportunities" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "opportunities_updated_at" ON "opportunities" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "opportunities_profit_percentage" ON "opportunities" USING btree ("profit_percentage","id");--> statement-breakpoint
CREATE INDEX "opportunities_current_price" ON "opportunities" USING btree ("current_price","id");--> statement-breakpoint
CREATE INDEX "opportunities_target_price" ON "opportunities" USING btree ("target_price","id");--> statement-breakpoint
CREATE INDEX "opportunities_last_checked" ON "opportunities" USING btree ("last_checked","id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree (lower("email"));