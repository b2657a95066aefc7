CREATE INDEX "notifications_by_type" ON "notifications" USING btree ("notification_type","id");--> statement-breakpoint
CREATE INDEX "notifications_by_message" ON "notifications" USING btree (left(lower("message"), 200),"id");--> statement-breakpoint
CREATE INDEX "notifications_by_status" ON "notifications" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "notifications_by_sent_at" ON "notifications" USING btree ("sent_at","id");--> statement-breakpoint
CREATE INDEX "notifications_by_attempts" ON "notifications" USING btree ("attempts","id");--> statement-breakpoint
CREATE INDEX "notifications_by_updated_at" ON "notifications" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "notifications_by_error_message" ON "notifications" USING btree (left(lower("error_message"), 200),"id");