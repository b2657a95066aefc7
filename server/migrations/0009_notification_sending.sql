CREATE TABLE "notification_channels" (
	"name" text PRIMARY KEY NOT NULL,
	"sealed_token" text,
	"chat_id" text,
	"enabled" boolean NOT NULL,
	"rest_until" timestamp(3) with time zone,
	"last_sent_at" timestamp(3) with time zone,
	"asked_at" timestamp(3) with time zone,
	"last_update" bigint
);
--> statement-breakpoint
CREATE TABLE "notification_switches" (
	"name" text PRIMARY KEY NOT NULL,
	"enabled" boolean NOT NULL,
	"throttle_seconds" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_topics" (
	"topic" text PRIMARY KEY NOT NULL,
	"last_sent_at" timestamp(3) with time zone,
	"muted_until" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "opportunities" ADD COLUMN "error_told_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "seq" bigint NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "notifications_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "topic" text GENERATED ALWAYS AS (notification_type || ':' || coalesce(opportunity_id::text, '')) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "tries_left" integer DEFAULT 5 NOT NULL;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "retried_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "sending_id" uuid;--> statement-breakpoint
CREATE INDEX "notifications_waiting" ON "notifications" USING btree ("seq") WHERE "notifications"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "notifications_sending" ON "notifications" USING btree ("sending_id") WHERE "notifications"."sending_id" is not null;