CREATE INDEX "audit_log_object" ON "audit_log" USING btree ("object","seq");--> statement-breakpoint
CREATE INDEX "batches_execution_completed_at" ON "batches" USING btree ("execution_completed_at");--> statement-breakpoint
CREATE INDEX "batches_unhedged" ON "batches" USING btree ("created_at") WHERE "batches"."unhedged" is not null;