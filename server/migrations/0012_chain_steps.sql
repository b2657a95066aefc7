CREATE TABLE "chain_steps" (
	"id" uuid PRIMARY KEY NOT NULL,
	"submission_id" uuid NOT NULL,
	"ordinal" integer NOT NULL,
	"kind" text NOT NULL,
	"market_ids" jsonb NOT NULL,
	"market_names" jsonb NOT NULL,
	"token_id" text,
	"contract" text,
	"holder" text,
	"is_allowed" boolean,
	"shares" bigint NOT NULL,
	"expected" bigint NOT NULL,
	"changes" jsonb NOT NULL,
	"parts" jsonb NOT NULL,
	"handed_out" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chain_submissions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"request_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"status" text NOT NULL,
	"by_venue" boolean DEFAULT false NOT NULL,
	"automatic" boolean NOT NULL,
	"requested_by" text,
	"batch_ids" jsonb NOT NULL,
	"expected" bigint NOT NULL,
	"waits_for" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"not_before" timestamp(3) with time zone,
	"prepared_id" text,
	"nonce" bigint,
	"deadline" timestamp(3) with time zone,
	"payload" text,
	"highest_cost" jsonb,
	"sent_as" text,
	"error" text,
	"hash" text,
	"block" bigint,
	"gas" jsonb,
	"balances_before" jsonb,
	"balances_after" jsonb,
	"created_at" timestamp(3) with time zone NOT NULL,
	"sent_at" timestamp(3) with time zone,
	"posted_again_at" timestamp(3) with time zone,
	"unknown_since" timestamp(3) with time zone,
	"mined_at" timestamp(3) with time zone,
	"ended_at" timestamp(3) with time zone,
	"booked_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "exit_settings" (
	"venue" text PRIMARY KEY NOT NULL,
	"form" jsonb NOT NULL,
	"changed_at" timestamp(3) with time zone NOT NULL,
	"changed_by" uuid
);
--> statement-breakpoint
ALTER TABLE "batch_orders" ADD COLUMN "chain_step_id" uuid;--> statement-breakpoint
ALTER TABLE "chain_steps" ADD CONSTRAINT "chain_steps_submission_id_chain_submissions_id_fk" FOREIGN KEY ("submission_id") REFERENCES "public"."chain_submissions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "chain_steps_ordinal_key" ON "chain_steps" USING btree ("submission_id","ordinal");--> statement-breakpoint
CREATE INDEX "chain_submissions_created_at" ON "chain_submissions" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "chain_submissions_status" ON "chain_submissions" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "chain_submissions_request_id" ON "chain_submissions" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "chain_submissions_unbooked" ON "chain_submissions" USING btree ("created_at") WHERE "chain_submissions"."booked_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "chain_submissions_one_open" ON "chain_submissions" USING btree ((true)) WHERE "chain_submissions"."payload" is not null and "chain_submissions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "batch_orders_chain_step" ON "batch_orders" USING btree ("chain_step_id") WHERE "batch_orders"."chain_step_id" is not null;