CREATE TABLE "audit_log" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"actor_id" uuid,
	"actor" text,
	"address" text NOT NULL,
	"action" text NOT NULL,
	"object" text,
	"before" jsonb,
	"after" jsonb,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "items" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"created_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "password_resets" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading_controls" (
	"venue" text PRIMARY KEY NOT NULL,
	"armed" boolean NOT NULL,
	"armed_changed_at" timestamp(3) with time zone,
	"armed_changed_by" uuid,
	"per_order" bigint,
	"per_batch" bigint,
	"per_day" bigint,
	"open_exposure" bigint,
	"limits_changed_at" timestamp(3) with time zone,
	"limits_changed_by" uuid
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "kept_session" uuid;--> statement-breakpoint
ALTER TABLE "items" ADD CONSTRAINT "items_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("at");--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("action","seq");--> statement-breakpoint
CREATE INDEX "items_owner_id" ON "items" USING btree ("owner_id","created_at","id");--> statement-breakpoint
CREATE INDEX "items_created_at" ON "items" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "password_resets_user_id" ON "password_resets" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "users_created_at" ON "users" USING btree ("created_at","id");