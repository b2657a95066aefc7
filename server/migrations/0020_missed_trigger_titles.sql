ALTER TABLE "missed_triggers" ADD COLUMN "event_title" text;--> statement-breakpoint
ALTER TABLE "missed_triggers" ADD COLUMN "size" bigint;