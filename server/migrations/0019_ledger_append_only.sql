CREATE INDEX "ledger_entries_lines" ON "ledger_entries" USING gin ("lines" jsonb_path_ops);--> statement-breakpoint
-- The ledger only grows: of an entry nothing ever changes but the block that it is sealed in, once.
CREATE FUNCTION "refuse_ledger_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND TG_TABLE_NAME = 'ledger_entries' THEN
    IF to_jsonb(OLD) ->> 'block' IS NULL AND to_jsonb(OLD) - 'block' = to_jsonb(NEW) - 'block' THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'the ledger is append-only';
END;
$$;--> statement-breakpoint
CREATE TRIGGER "ledger_entries_append_only" BEFORE UPDATE OR DELETE ON "ledger_entries"
  FOR EACH ROW EXECUTE FUNCTION "refuse_ledger_change"();--> statement-breakpoint
CREATE TRIGGER "ledger_entries_not_truncated" BEFORE TRUNCATE ON "ledger_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();--> statement-breakpoint
CREATE TRIGGER "ledger_blocks_append_only" BEFORE UPDATE OR DELETE ON "ledger_blocks"
  FOR EACH ROW EXECUTE FUNCTION "refuse_ledger_change"();--> statement-breakpoint
CREATE TRIGGER "ledger_blocks_not_truncated" BEFORE TRUNCATE ON "ledger_blocks"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();
