CREATE TABLE "report_settings" (
	"venue" text PRIMARY KEY NOT NULL,
	"form" jsonb NOT NULL,
	"changed_at" timestamp(3) with time zone NOT NULL,
	"changed_by" uuid
);
--> statement-breakpoint
CREATE INDEX "fills_settled_at" ON "fills" USING btree ("settled_at") WHERE "fills"."settled_at" is not null;