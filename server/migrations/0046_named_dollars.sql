ALTER TABLE "ledger_entries" ADD COLUMN "sender" text;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "names_entry_id" bigint;--> statement-breakpoint
ALTER TABLE "venue_moves" ADD COLUMN "sender" text;--> statement-breakpoint
ALTER TABLE "venue_moves" ADD COLUMN "entry_id" bigint;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_names_entry_id" ON "ledger_entries" USING btree ("names_entry_id") WHERE "ledger_entries"."names_entry_id" is not null;