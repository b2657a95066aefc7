-- Keeps opportunity_counts true within the transaction that changes opportunities: a count of them reads no index of theirs.
CREATE FUNCTION "add_to_opportunity_counts"("all" bigint, "live" bigint, "on" bigint, "both" bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  free integer;
BEGIN
  IF "all" = 0 AND "live" = 0 AND "on" = 0 AND "both" = 0 THEN
    RETURN;
  END IF;
  -- A row that another transaction holds is passed by: waiting for it could make two transactions wait for each other.
  SELECT slot INTO free FROM opportunity_counts ORDER BY slot LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF FOUND THEN
    UPDATE opportunity_counts SET total = total + "all", active = active + "live", triggered = triggered + "on",
      active_and_triggered = active_and_triggered + "both" WHERE slot = free;
  ELSE
    INSERT INTO opportunity_counts (total, active, triggered, active_and_triggered)
      VALUES ("all", "live", "on", "both");
  END IF;
END;
$$;--> statement-breakpoint
CREATE FUNCTION "count_opportunities_inserted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_opportunity_counts(count(*), count(*) FILTER (WHERE active), count(*) FILTER (WHERE triggered),
    count(*) FILTER (WHERE active AND triggered)) FROM changed;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE FUNCTION "count_opportunities_deleted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_opportunity_counts(-count(*), -count(*) FILTER (WHERE active), -count(*) FILTER (WHERE triggered),
    -count(*) FILTER (WHERE active AND triggered)) FROM changed;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE FUNCTION "count_opportunity_switched"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_opportunity_counts(0, new.active::int - old.active::int, new.triggered::int - old.triggered::int,
    (new.active AND new.triggered)::int - (old.active AND old.triggered)::int);
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
CREATE TRIGGER "opportunities_switched" AFTER UPDATE OF "active", "triggered" ON "opportunities"
  FOR EACH ROW WHEN (old.active <> new.active OR old.triggered <> new.triggered)
  EXECUTE FUNCTION "count_opportunity_switched"();--> statement-breakpoint
CREATE TRIGGER "opportunities_truncated" AFTER TRUNCATE ON "opportunities"
  FOR EACH STATEMENT EXECUTE FUNCTION "count_no_opportunities"();--> statement-breakpoint
SELECT add_to_opportunity_counts(count(*), count(*) FILTER (WHERE active), count(*) FILTER (WHERE triggered),
  count(*) FILTER (WHERE active AND triggered)) FROM opportunities;
