CREATE TABLE "deleted_records" (
	"kind" text NOT NULL,
	"id" uuid NOT NULL,
	"rows" jsonb NOT NULL,
	"deleted_by" uuid NOT NULL,
	"deleted_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "deleted_records_kind_id_pk" PRIMARY KEY("kind","id")
);
--> statement-breakpoint
CREATE INDEX "deleted_records_deleted_at" ON "deleted_records" USING btree ("deleted_at");