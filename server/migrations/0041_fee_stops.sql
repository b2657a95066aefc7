CREATE TABLE "fee_stops" (
	"id" uuid PRIMARY KEY NOT NULL,
	"category" text NOT NULL,
	"cause" text NOT NULL,
	"market_id" text NOT NULL,
	"market_name" text NOT NULL,
	"message" text NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"cleared_at" timestamp(3) with time zone,
	"cleared_by" text
);
--> statement-breakpoint
CREATE TABLE "fee_checks" (
	"id" integer PRIMARY KEY NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"entry_id" bigint NOT NULL,
	"difference" bigint NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "fee_stops_cause_key" ON "fee_stops" USING btree ("cause");--> statement-breakpoint
CREATE UNIQUE INDEX "fee_stops_one_standing_per_category" ON "fee_stops" USING btree ("category") WHERE "fee_stops"."cleared_at" is null;--> statement-breakpoint
CREATE INDEX "fee_stops_created_at" ON "fee_stops" USING btree ("created_at","id");