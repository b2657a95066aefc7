CREATE TABLE "audit_log" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"actor_id" uuid,
	"actor" text,
	"address" text NOT NULL,
	"action" text NOT NULL,
	"object" text,
	"before" jsonb,
	"after" jsonb,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"user_id" uuid NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"batch_id" uuid NOT NULL,
	"sale_id" uuid,
	"created_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_user_id_key_pk" PRIMARY KEY("user_id","key")
);
--> statement-breakpoint
CREATE TABLE "engine_partitions" (
	"partition" integer PRIMARY KEY NOT NULL,
	"owner" uuid,
	"token" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engines" (
	"id" uuid PRIMARY KEY NOT NULL,
	"started_at" timestamp(3) with time zone NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"feed" text NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "items" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"created_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_channels" (
	"name" text PRIMARY KEY NOT NULL,
	"sealed_token" text,
	"chat_id" text,
	"enabled" boolean NOT NULL,
	"rest_until" timestamp(3) with time zone,
	"rest_reason" text,
	"last_sent_at" timestamp(3) with time zone,
	"asked_at" timestamp(3) with time zone,
	"last_update" bigint,
	"mute_user_ids" jsonb DEFAULT '[]'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_counts" (
	"slot" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notification_counts_slot_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"status" text NOT NULL,
	"notification_type" text NOT NULL,
	"total" integer NOT NULL,
	"tries" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_switches" (
	"name" text PRIMARY KEY NOT NULL,
	"enabled" boolean NOT NULL,
	"throttle_seconds" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_topics" (
	"topic" text PRIMARY KEY NOT NULL,
	"last_sent_at" timestamp(3) with time zone,
	"muted_until" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"opportunity_id" uuid,
	"notification_type" text NOT NULL,
	"message" text NOT NULL,
	"status" text NOT NULL,
	"sent_at" timestamp(3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"error_message" text,
	"data" jsonb NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "notifications_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"topic" text GENERATED ALWAYS AS (notification_type || ':' || coalesce(opportunity_id::text, '')) STORED NOT NULL,
	"tries_left" integer DEFAULT 5 NOT NULL,
	"retried_at" timestamp(3) with time zone,
	"sending_id" uuid
);
--> statement-breakpoint
CREATE TABLE "price_points" (
	"opportunity_id" uuid NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"current_price" bigint,
	"target_price" bigint NOT NULL,
	"profit_percentage" bigint,
	"triggered" boolean NOT NULL,
	"is_edge" boolean NOT NULL,
	CONSTRAINT "price_points_opportunity_id_at_pk" PRIMARY KEY("opportunity_id","at")
);
--> statement-breakpoint
CREATE TABLE "opportunities" (
	"id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"market_combinations" jsonb NOT NULL,
	"target_price" bigint NOT NULL,
	"active" boolean NOT NULL,
	"source" text,
	"source_details" text,
	"content_hash" text NOT NULL,
	CONSTRAINT "opportunities_updated_at" UNIQUE("updated_at","id")
);
--> statement-breakpoint
CREATE TABLE "opportunity_counts" (
	"slot" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "opportunity_counts_slot_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"total" integer NOT NULL,
	"active" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "opportunity_prices" (
	"opportunity_id" uuid PRIMARY KEY NOT NULL,
	"edited_at" timestamp(3) with time zone NOT NULL,
	"current_price" bigint,
	"fees_per_set" bigint,
	"profit_percentage" bigint,
	"triggered" boolean DEFAULT false NOT NULL,
	"rises" integer DEFAULT 0 NOT NULL,
	"last_checked" timestamp(3) with time zone,
	"last_error" text,
	"error_count" integer DEFAULT 0 NOT NULL,
	"error_notified_at" timestamp(3) with time zone,
	"augmented_event" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "attempts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"order_hash" text NOT NULL,
	"salt" text NOT NULL,
	"payload" text NOT NULL,
	"size" bigint NOT NULL,
	"price" bigint NOT NULL,
	"fee_rate" bigint,
	"status" text NOT NULL,
	"matched_size" bigint,
	"reason" text,
	"unknown_reason" text,
	"created_at" timestamp(3) with time zone NOT NULL,
	"sent_at" timestamp(3) with time zone,
	"answered_at" timestamp(3) with time zone,
	"ended_at" timestamp(3) with time zone,
	"asked_at" timestamp(3) with time zone,
	"lookup_answer" text,
	"gone_at" timestamp(3) with time zone,
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
	"expected_price" bigint,
	"sells_order_id" uuid,
	"sale_id" uuid,
	"sold_size" bigint DEFAULT 0 NOT NULL,
	"warning" text,
	"error" text,
	"error_kind" text,
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
	"cancel_requested_at" timestamp(3) with time zone,
	"retry_requested_at" timestamp(3) with time zone,
	"retry_counted" boolean DEFAULT true NOT NULL,
	"retried_by_hand" boolean DEFAULT false NOT NULL,
	"poll_requested_at" timestamp(3) with time zone,
	"unhedged_since" timestamp(3) with time zone,
	"leg_risk_notified_at" timestamp(3) with time zone,
	"unknown_orders" integer DEFAULT 0 NOT NULL,
	"sale_under_way" boolean DEFAULT false NOT NULL,
	"sold_at" timestamp(3) with time zone,
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
	"cost" bigint NOT NULL,
	"fee" bigint NOT NULL,
	"settlement" text NOT NULL,
	"matched_at" timestamp(3) with time zone NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"settled_at" timestamp(3) with time zone,
	CONSTRAINT "fills_trade_id_order_hash_pk" PRIMARY KEY("trade_id","order_hash")
);
--> statement-breakpoint
CREATE TABLE "system_settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"updated_by" uuid
);
--> statement-breakpoint
CREATE TABLE "trading_controls" (
	"venue" text PRIMARY KEY NOT NULL,
	"armed" boolean NOT NULL,
	"armed_changed_at" timestamp(3) with time zone,
	"armed_changed_by" uuid,
	"per_order" bigint,
	"per_batch" bigint,
	"per_day" bigint,
	"open_exposure" bigint,
	"limits_changed_at" timestamp(3) with time zone,
	"limits_changed_by" uuid
);
--> statement-breakpoint
CREATE TABLE "password_resets" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL
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
	"kept_session" uuid,
	"created_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "items" ADD CONSTRAINT "items_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "opportunity_prices" ADD CONSTRAINT "opportunity_prices_of_edit" FOREIGN KEY ("edited_at","opportunity_id") REFERENCES "public"."opportunities"("updated_at","id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "price_points" ADD CONSTRAINT "price_points_of_opportunity" FOREIGN KEY ("opportunity_id") REFERENCES "public"."opportunity_prices"("opportunity_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_order_id_batch_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."batch_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_orders" ADD CONSTRAINT "batch_orders_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fills" ADD CONSTRAINT "fills_attempt_id_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."attempts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fills" ADD CONSTRAINT "fills_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("at");--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("action","seq");--> statement-breakpoint
CREATE INDEX "audit_log_object" ON "audit_log" USING btree ("object","seq");--> statement-breakpoint
CREATE INDEX "external_orders_seen_at" ON "external_orders" USING btree ("seen_at","order_hash");--> statement-breakpoint
CREATE INDEX "items_owner_id" ON "items" USING btree ("owner_id","created_at","id");--> statement-breakpoint
CREATE INDEX "items_created_at" ON "items" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "notification_counts_of" ON "notification_counts" USING btree ("status","notification_type");--> statement-breakpoint
CREATE INDEX "notifications_created_at" ON "notifications" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "notifications_status" ON "notifications" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "notifications_notification_type" ON "notifications" USING btree ("notification_type","created_at");--> statement-breakpoint
CREATE INDEX "notifications_opportunity_id" ON "notifications" USING btree ("opportunity_id","created_at");--> statement-breakpoint
CREATE INDEX "notifications_by_type" ON "notifications" USING btree ("notification_type","id");--> statement-breakpoint
CREATE INDEX "notifications_by_message" ON "notifications" USING btree (left(lower("message"), 200),"id");--> statement-breakpoint
CREATE INDEX "notifications_by_status" ON "notifications" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "notifications_by_sent_at" ON "notifications" USING btree ("sent_at","id");--> statement-breakpoint
CREATE INDEX "notifications_by_attempts" ON "notifications" USING btree ("attempts","id");--> statement-breakpoint
CREATE INDEX "notifications_by_updated_at" ON "notifications" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "notifications_by_error_message" ON "notifications" USING btree (left(lower("error_message"), 200),"id");--> statement-breakpoint
CREATE INDEX "notifications_waiting" ON "notifications" USING btree ("seq") WHERE "notifications"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "notifications_sending" ON "notifications" USING btree ("sending_id") WHERE "notifications"."sending_id" is not null;--> statement-breakpoint
CREATE INDEX "price_points_at" ON "price_points" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "opportunities_content_hash_key" ON "opportunities" USING btree ("content_hash");--> statement-breakpoint
CREATE INDEX "opportunities_created_at" ON "opportunities" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "opportunities_target_price" ON "opportunities" USING btree ("target_price","id");--> statement-breakpoint
CREATE INDEX "opportunities_active" ON "opportunities" USING btree ("active","id");--> statement-breakpoint
CREATE INDEX "opportunities_source" ON "opportunities" USING btree (left(lower("source"), 200),"id");--> statement-breakpoint
CREATE INDEX "opportunities_source_details" ON "opportunities" USING btree (left(lower("source_details"), 200),"id");--> statement-breakpoint
CREATE INDEX "opportunity_prices_profit_percentage" ON "opportunity_prices" USING btree ("profit_percentage","opportunity_id");--> statement-breakpoint
CREATE INDEX "opportunity_prices_current_price" ON "opportunity_prices" USING btree ("current_price","opportunity_id");--> statement-breakpoint
CREATE INDEX "opportunity_prices_triggered" ON "opportunity_prices" USING btree ("profit_percentage","opportunity_id") WHERE "opportunity_prices"."triggered";--> statement-breakpoint
CREATE UNIQUE INDEX "attempts_order_hash_key" ON "attempts" USING btree ("order_hash");--> statement-breakpoint
CREATE INDEX "attempts_order_id" ON "attempts" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "attempts_batch_id" ON "attempts" USING btree ("batch_id");--> statement-breakpoint
CREATE INDEX "attempts_sent_at" ON "attempts" USING btree ("sent_at");--> statement-breakpoint
CREATE INDEX "attempts_undecided" ON "attempts" USING btree ("status","batch_id") WHERE "attempts"."status" in ('prepared', 'sent', 'unknown', 'delayed', 'open');--> statement-breakpoint
CREATE UNIQUE INDEX "batch_orders_ordinal_key" ON "batch_orders" USING btree ("batch_id","ordinal");--> statement-breakpoint
CREATE INDEX "batch_orders_created_at" ON "batch_orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "batch_orders_opportunity_id" ON "batch_orders" USING btree ("opportunity_id");--> statement-breakpoint
CREATE INDEX "batch_orders_status" ON "batch_orders" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "batch_orders_sold" ON "batch_orders" USING btree ("batch_id") WHERE "batch_orders"."sold_size" > 0;--> statement-breakpoint
CREATE UNIQUE INDEX "batches_one_active_per_opportunity" ON "batches" USING btree ("opportunity_id") WHERE "batches"."status" in ('pending', 'processing', 'retry_pending');--> statement-breakpoint
CREATE INDEX "batches_created_at" ON "batches" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "batches_opportunity_id" ON "batches" USING btree ("opportunity_id","created_at");--> statement-breakpoint
CREATE INDEX "batches_status" ON "batches" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "batches_by_status" ON "batches" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "batches_by_total_orders" ON "batches" USING btree ("total_orders","id");--> statement-breakpoint
CREATE INDEX "batches_by_retry_count" ON "batches" USING btree ("retry_count","id");--> statement-breakpoint
CREATE INDEX "batches_by_target_profit" ON "batches" USING btree ("target_profit","id");--> statement-breakpoint
CREATE INDEX "batches_by_actual_profit" ON "batches" USING btree ("actual_profit","id");--> statement-breakpoint
CREATE INDEX "batches_by_actual_profit_desc" ON "batches" USING btree ("actual_profit" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "batches_execution_completed_at" ON "batches" USING btree ("execution_completed_at");--> statement-breakpoint
CREATE INDEX "batches_called" ON "batches" USING btree ("id") WHERE "batches"."sale_under_way" or "batches"."poll_requested_at" is not null;--> statement-breakpoint
CREATE INDEX "batches_unhedged" ON "batches" USING btree ("created_at") WHERE "batches"."unhedged" is not null;--> statement-breakpoint
CREATE INDEX "fills_batch_id" ON "fills" USING btree ("batch_id");--> statement-breakpoint
CREATE INDEX "fills_unsettled" ON "fills" USING btree ("batch_id") WHERE "fills"."settlement" not in ('confirmed', 'failed');--> statement-breakpoint
CREATE INDEX "password_resets_user_id" ON "password_resets" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "users_created_at" ON "users" USING btree ("created_at","id");--> statement-breakpoint
-- The audit log only grows: neither the product nor anybody at its database prompt changes an entry by accident.
CREATE FUNCTION "refuse_audit_log_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END;
$$;--> statement-breakpoint
CREATE TRIGGER "audit_log_append_only" BEFORE UPDATE OR DELETE ON "audit_log"
  FOR EACH ROW EXECUTE FUNCTION "refuse_audit_log_change"();--> statement-breakpoint
CREATE TRIGGER "audit_log_not_truncated" BEFORE TRUNCATE ON "audit_log"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_log_change"();--> statement-breakpoint
-- Keeps opportunity_counts true within the transaction that changes opportunities: a count of them reads no index of theirs.
CREATE FUNCTION "add_to_opportunity_counts"("all" bigint, "live" bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  free integer;
BEGIN
  IF "all" = 0 AND "live" = 0 THEN
    RETURN;
  END IF;
  -- A row that another transaction holds is passed by: waiting for it could make two transactions wait for each other.
  SELECT slot INTO free FROM opportunity_counts ORDER BY slot LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF FOUND THEN
    UPDATE opportunity_counts SET total = total + "all", active = active + "live" WHERE slot = free;
  ELSE
    INSERT INTO opportunity_counts (total, active) VALUES ("all", "live");
  END IF;
END;
$$;--> statement-breakpoint
CREATE FUNCTION "count_opportunities_inserted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_opportunity_counts(count(*), count(*) FILTER (WHERE active)) FROM changed;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE FUNCTION "count_opportunities_deleted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_opportunity_counts(-count(*), -count(*) FILTER (WHERE active)) FROM changed;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE FUNCTION "count_opportunity_switched"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_opportunity_counts(0, new.active::int - old.active::int);
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE FUNCTION "count_no_opportunities"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM opportunity_counts;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE TRIGGER "opportunities_inserted" AFTER INSERT ON "opportunities" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_opportunities_inserted"();--> statement-breakpoint
CREATE TRIGGER "opportunities_deleted" AFTER DELETE ON "opportunities" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_opportunities_deleted"();--> statement-breakpoint
CREATE TRIGGER "opportunities_switched" AFTER UPDATE OF "active" ON "opportunities"
  FOR EACH ROW WHEN (old.active <> new.active)
  EXECUTE FUNCTION "count_opportunity_switched"();--> statement-breakpoint
CREATE TRIGGER "opportunities_truncated" AFTER TRUNCATE ON "opportunities"
  FOR EACH STATEMENT EXECUTE FUNCTION "count_no_opportunities"();--> statement-breakpoint
-- Keeps notification_counts true within the transaction that changes notifications, in the way of opportunity_counts.
CREATE FUNCTION "add_to_notification_counts"("of_status" text, "of_type" text, "rows" bigint, "tried" bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  free integer;
BEGIN
  IF "rows" = 0 AND "tried" = 0 THEN
    RETURN;
  END IF;
  -- A row that another transaction holds is passed by: waiting for it could make two transactions wait for each other.
  SELECT slot INTO free FROM notification_counts WHERE status = "of_status" AND notification_type = "of_type"
    ORDER BY slot LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF FOUND THEN
    UPDATE notification_counts SET total = total + "rows", tries = tries + "tried" WHERE slot = free;
  ELSE
    INSERT INTO notification_counts (status, notification_type, total, tries) VALUES ("of_status", "of_type", "rows", "tried");
  END IF;
END;
$$;--> statement-breakpoint
CREATE FUNCTION "count_notifications_added"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sign integer := CASE WHEN TG_OP = 'DELETE' THEN -1 ELSE 1 END;
BEGIN
  PERFORM add_to_notification_counts(status, notification_type, sign * count(*), sign * sum(attempts))
    FROM changed GROUP BY status, notification_type;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE FUNCTION "count_notification_moved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_notification_counts(old.status, old.notification_type, -1, -old.attempts);
  PERFORM add_to_notification_counts(new.status, new.notification_type, 1, new.attempts);
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE FUNCTION "count_no_notifications"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM notification_counts;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE TRIGGER "notifications_counted" AFTER INSERT ON "notifications" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_notifications_added"();--> statement-breakpoint
CREATE TRIGGER "notifications_uncounted" AFTER DELETE ON "notifications" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_notifications_added"();--> statement-breakpoint
CREATE TRIGGER "notifications_moved" AFTER UPDATE OF "status", "attempts", "notification_type" ON "notifications"
  FOR EACH ROW WHEN (old.status <> new.status OR old.attempts <> new.attempts OR old.notification_type <> new.notification_type)
  EXECUTE FUNCTION "count_notification_moved"();--> statement-breakpoint
CREATE TRIGGER "notifications_truncated" AFTER TRUNCATE ON "notifications"
  FOR EACH STATEMENT EXECUTE FUNCTION "count_no_notifications"();
