ALTER TABLE "opportunities" ADD COLUMN "basis" text;--> statement-breakpoint
UPDATE "opportunities" SET "basis" = "relations"."basis" FROM "relations" WHERE "relations"."id" = "opportunities"."relation_id";--> statement-breakpoint
-- An installation that is there already goes on placing what it placed, by the prices that it placed it by.
INSERT INTO "discovery_settings" ("venue", "form", "changed_at")
SELECT "venue", '{"auto_place_found": false}', now()
FROM (VALUES ('simulated'), ('polymarket')) AS "venues" ("venue")
WHERE EXISTS (SELECT FROM "users") AND ("venue" = 'simulated' OR (
  EXISTS (SELECT FROM "trading_controls" WHERE "venue" = 'polymarket') AND (
    NOT EXISTS (SELECT FROM "trading_controls" WHERE "venue" = 'simulated')
    OR EXISTS (SELECT FROM "audit_log" WHERE "action" = 'trading.armed' AND "object" = 'polymarket_live'))))
ON CONFLICT ("venue") DO NOTHING;
