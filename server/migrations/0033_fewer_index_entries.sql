DROP INDEX "batches_by_actual_profit_desc";--> statement-breakpoint
DROP INDEX "batches_expected_orders";--> statement-breakpoint
DROP INDEX "audit_log_at";--> statement-breakpoint
DROP INDEX "notifications_by_sent_at";--> statement-breakpoint
DROP INDEX "notifications_by_error_message";--> statement-breakpoint
DROP INDEX "attempts_sent_at";--> statement-breakpoint
DROP INDEX "batches_by_retry_count";--> statement-breakpoint
DROP INDEX "batches_by_actual_profit";--> statement-breakpoint
DROP INDEX "batches_execution_completed_at";--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING brin ("at") WITH (pages_per_range=16,autosummarize=true);--> statement-breakpoint
CREATE INDEX "notifications_by_sent_at" ON "notifications" USING btree ("sent_at","id") WHERE "notifications"."sent_at" is not null;--> statement-breakpoint
CREATE INDEX "notifications_by_error_message" ON "notifications" USING btree (left(lower("error_message"), 200),"id") WHERE "notifications"."error_message" is not null;--> statement-breakpoint
CREATE INDEX "attempts_sent_at" ON "attempts" USING brin ("sent_at") WITH (pages_per_range=16,autosummarize=true);--> statement-breakpoint
CREATE INDEX "batches_by_retry_count" ON "batches" USING btree ("retry_count","id","expected_orders");--> statement-breakpoint
CREATE INDEX "batches_by_actual_profit" ON "batches" USING btree ("actual_profit","id") WHERE "batches"."actual_profit" is not null;--> statement-breakpoint
CREATE INDEX "batches_execution_completed_at" ON "batches" USING btree ("execution_completed_at") WHERE "batches"."execution_completed_at" is not null;--> statement-breakpoint
-- As before, by one statement where there is a row that nobody holds: each is planned and carried out by itself.
CREATE OR REPLACE FUNCTION "add_to_notification_counts"("of_status" text, "of_type" text, "rows" bigint, "tried" bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF "rows" = 0 AND "tried" = 0 THEN
    RETURN;
  END IF;
  -- A row that another transaction holds is passed by: waiting for it could make two transactions wait for each other.
  UPDATE notification_counts SET total = total + "rows", tries = tries + "tried"
    WHERE slot = (SELECT slot FROM notification_counts WHERE status = "of_status" AND notification_type = "of_type"
      ORDER BY slot LIMIT 1 FOR UPDATE SKIP LOCKED);
  IF NOT FOUND THEN
    INSERT INTO notification_counts (status, notification_type, total, tries) VALUES ("of_status", "of_type", "rows", "tried");
  END IF;
END;
$$;
