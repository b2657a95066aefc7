CREATE TABLE "sign_offs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"venue" text NOT NULL,
	"kind" text NOT NULL,
	"call" jsonb NOT NULL,
	"summary" text NOT NULL,
	"requested_by" uuid,
	"requested_by_email" text NOT NULL,
	"requested_at" timestamp(3) with time zone NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"state" text NOT NULL,
	"decided_by" uuid,
	"decided_by_email" text,
	"decided_at" timestamp(3) with time zone,
	"reason" text,
	"outcome" text,
	"batch_id" uuid
);
--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "signed_off" bigint;--> statement-breakpoint
ALTER TABLE "sign_offs" ADD CONSTRAINT "sign_offs_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_offs" ADD CONSTRAINT "sign_offs_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sign_offs_requested_at" ON "sign_offs" USING btree ("requested_at","id");--> statement-breakpoint
CREATE INDEX "sign_offs_requested_by" ON "sign_offs" USING btree ("requested_by");--> statement-breakpoint
CREATE INDEX "sign_offs_open" ON "sign_offs" USING btree ("expires_at") WHERE "sign_offs"."state" = 'open';