CREATE TABLE "opportunity_counts" (
	"slot" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "opportunity_counts_slot_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"total" integer NOT NULL,
	"active" integer NOT NULL,
	"triggered" integer NOT NULL,
	"active_and_triggered" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "opportunities_fees_per_set" ON "opportunities" USING btree ("fees_per_set","id");--> statement-breakpoint
CREATE INDEX "opportunities_active" ON "opportunities" USING btree ("active","id");--> statement-breakpoint
CREATE INDEX "opportunities_triggered" ON "opportunities" USING btree ("triggered","id");--> statement-breakpoint
CREATE INDEX "opportunities_error_count" ON "opportunities" USING btree ("error_count","id");--> statement-breakpoint
CREATE INDEX "opportunities_last_error" ON "opportunities" USING btree (left(lower("last_error"), 200),"id");--> statement-breakpoint
CREATE INDEX "opportunities_source" ON "opportunities" USING btree (left(lower("source"), 200),"id");--> statement-breakpoint
CREATE INDEX "opportunities_source_details" ON "opportunities" USING btree (left(lower("source_details"), 200),"id");