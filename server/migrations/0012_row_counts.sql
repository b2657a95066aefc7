CREATE TABLE "row_counts" (
	"slot" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "row_counts_slot_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"list" text NOT NULL,
	"status" text NOT NULL,
	"kind" text NOT NULL,
	"total" integer NOT NULL,
	"tries" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "row_counts_list" ON "row_counts" USING btree ("list","status","kind");--> statement-breakpoint
CREATE INDEX "batch_orders_status" ON "batch_orders" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "batch_orders_sold" ON "batch_orders" USING btree ("batch_id") WHERE "batch_orders"."sold_size" > 0;--> statement-breakpoint
-- Keeps row_counts true within the transaction that changes a list, in the way of opportunity_counts.
CREATE FUNCTION "add_to_row_counts"("of_list" text, "of_status" text, "of_kind" text, "rows" bigint, "tried" bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  free integer;
BEGIN
  IF "rows" = 0 AND "tried" = 0 THEN
    RETURN;
  END IF;
  -- A row that another transaction holds is passed by: waiting for it could make two transactions wait for each other.
  SELECT slot INTO free FROM row_counts WHERE list = "of_list" AND status = "of_status" AND kind = "of_kind"
    ORDER BY slot LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF FOUND THEN
    UPDATE row_counts SET total = total + "rows", tries = tries + "tried" WHERE slot = free;
  ELSE
    INSERT INTO row_counts (list, status, kind, total, tries) VALUES ("of_list", "of_status", "of_kind", "rows", "tried");
  END IF;
END;
$$;--> statement-breakpoint
CREATE FUNCTION "count_rows_added"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sign integer := CASE WHEN TG_OP = 'DELETE' THEN -1 ELSE 1 END;
BEGIN
  IF TG_TABLE_NAME = 'notifications' THEN
    PERFORM add_to_row_counts('notifications', status, notification_type, sign * count(*), sign * sum(attempts))
      FROM changed GROUP BY status, notification_type;
  ELSE
    PERFORM add_to_row_counts(TG_TABLE_NAME, status, '', sign * count(*), 0) FROM changed GROUP BY status;
  END IF;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE FUNCTION "count_row_moved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_row_counts(TG_TABLE_NAME, old.status, '', -1, 0);
  PERFORM add_to_row_counts(TG_TABLE_NAME, new.status, '', 1, 0);
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE FUNCTION "count_notification_moved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_row_counts('notifications', old.status, old.notification_type, -1, -old.attempts);
  PERFORM add_to_row_counts('notifications', new.status, new.notification_type, 1, new.attempts);
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE FUNCTION "count_no_rows"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM row_counts WHERE list = TG_TABLE_NAME;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE TRIGGER "batches_counted" AFTER INSERT ON "batches" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_rows_added"();--> statement-breakpoint
CREATE TRIGGER "batches_uncounted" AFTER DELETE ON "batches" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_rows_added"();--> statement-breakpoint
CREATE TRIGGER "batches_moved" AFTER UPDATE OF "status" ON "batches"
  FOR EACH ROW WHEN (old.status <> new.status) EXECUTE FUNCTION "count_row_moved"();--> statement-breakpoint
CREATE TRIGGER "batches_truncated" AFTER TRUNCATE ON "batches"
  FOR EACH STATEMENT EXECUTE FUNCTION "count_no_rows"();--> statement-breakpoint
CREATE TRIGGER "batch_orders_counted" AFTER INSERT ON "batch_orders" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_rows_added"();--> statement-breakpoint
CREATE TRIGGER "batch_orders_uncounted" AFTER DELETE ON "batch_orders" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_rows_added"();--> statement-breakpoint
CREATE TRIGGER "batch_orders_moved" AFTER UPDATE OF "status" ON "batch_orders"
  FOR EACH ROW WHEN (old.status <> new.status) EXECUTE FUNCTION "count_row_moved"();--> statement-breakpoint
CREATE TRIGGER "batch_orders_truncated" AFTER TRUNCATE ON "batch_orders"
  FOR EACH STATEMENT EXECUTE FUNCTION "count_no_rows"();--> statement-breakpoint
CREATE TRIGGER "notifications_counted" AFTER INSERT ON "notifications" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_rows_added"();--> statement-breakpoint
CREATE TRIGGER "notifications_uncounted" AFTER DELETE ON "notifications" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_rows_added"();--> statement-breakpoint
CREATE TRIGGER "notifications_moved" AFTER UPDATE OF "status", "attempts", "notification_type" ON "notifications"
  FOR EACH ROW WHEN (old.status <> new.status OR old.attempts <> new.attempts OR old.notification_type <> new.notification_type)
  EXECUTE FUNCTION "count_notification_moved"();--> statement-breakpoint
CREATE TRIGGER "notifications_truncated" AFTER TRUNCATE ON "notifications"
  FOR EACH STATEMENT EXECUTE FUNCTION "count_no_rows"();--> statement-breakpoint
INSERT INTO row_counts (list, status, kind, total, tries)
  SELECT 'batches', status, '', count(*), 0 FROM batches GROUP BY status
  UNION ALL SELECT 'batch_orders', status, '', count(*), 0 FROM batch_orders GROUP BY status
  UNION ALL SELECT 'notifications', status, notification_type, count(*), sum(attempts) FROM notifications
    GROUP BY status, notification_type;
