CREATE TABLE "shown_depth_reads" (
	"venue" text PRIMARY KEY NOT NULL,
	"read_until" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shown_depths" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "shown_depths_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"opportunity_id" uuid NOT NULL,
	"token_id" text NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"venue" text NOT NULL,
	"category" text NOT NULL,
	"size" bigint NOT NULL,
	"limit_price" bigint NOT NULL,
	"shown" bigint NOT NULL,
	"book_age_ms" integer NOT NULL,
	"met" bigint NOT NULL,
	CONSTRAINT "shown_depths_once" UNIQUE("opportunity_id","at","token_id")
);
--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "offered_profit" bigint;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "released_at" timestamp(3) with time zone;--> statement-breakpoint
CREATE INDEX "shown_depths_at" ON "shown_depths" USING btree ("at");