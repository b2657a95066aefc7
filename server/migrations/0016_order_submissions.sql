ALTER TABLE "chain_submissions" ADD COLUMN "unknown_told_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "batch_orders" ADD COLUMN "submission_id" uuid;--> statement-breakpoint
ALTER TABLE "batch_orders" ADD COLUMN "submission_purpose" text;--> statement-breakpoint
UPDATE "batch_orders" SET "submission_id" = "chain_steps"."submission_id" FROM "chain_steps" WHERE "chain_steps"."id" = "batch_orders"."chain_step_id";--> statement-breakpoint
UPDATE "batch_orders" SET "submission_purpose" = "chain_submissions"."purpose" FROM "chain_submissions" WHERE "batch_orders"."chain_step_id" is not null and "chain_submissions"."id" = "batch_orders"."submission_id";
