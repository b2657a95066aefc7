ALTER TABLE "ledger_checks" ADD COLUMN "chain_block" integer;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "transaction_hash" text;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_transaction_hash" ON "ledger_entries" USING btree ("transaction_hash") WHERE "ledger_entries"."transaction_hash" is not null;