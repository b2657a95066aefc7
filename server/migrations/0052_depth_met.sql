ALTER TABLE "attempts" ADD COLUMN "book_depth" bigint;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "book_age_ms" integer;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "fee_category" text;