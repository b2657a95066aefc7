-- Keeps how many items there are in row_counts, as for the other lists. They have neither status nor kind.
CREATE FUNCTION "count_items"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_row_counts('items', '', '', CASE WHEN TG_OP = 'DELETE' THEN -1 ELSE 1 END * count(*), 0) FROM changed;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE TRIGGER "items_counted" AFTER INSERT ON "items" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_items"();--> statement-breakpoint
CREATE TRIGGER "items_uncounted" AFTER DELETE ON "items" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_items"();--> statement-breakpoint
CREATE TRIGGER "items_truncated" AFTER TRUNCATE ON "items"
  FOR EACH STATEMENT EXECUTE FUNCTION "count_no_rows"();--> statement-breakpoint
INSERT INTO row_counts (list, status, kind, total, tries) SELECT 'items', '', '', count(*), 0 FROM items;
