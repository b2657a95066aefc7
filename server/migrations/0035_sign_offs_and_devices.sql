CREATE TABLE "known_devices" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"epoch" integer NOT NULL,
	"last_used_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "sign_off_id" uuid;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "retried_by" uuid;--> statement-breakpoint
ALTER TABLE "second_factors" ADD COLUMN "totp_refused_steps" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "second_factors" ADD COLUMN "is_clock_off_said" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_offs" ADD COLUMN "requester_epoch" integer;--> statement-breakpoint
ALTER TABLE "sign_offs" ADD COLUMN "token_id" uuid;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "sign_off_epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ix_known_devices_user_id" ON "known_devices" USING btree ("user_id","last_used_at");