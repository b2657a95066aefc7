CREATE TABLE "security_settings" (
	"venue" text PRIMARY KEY NOT NULL,
	"form" jsonb NOT NULL,
	"changed_at" timestamp(3) with time zone NOT NULL,
	"changed_by" uuid
);
