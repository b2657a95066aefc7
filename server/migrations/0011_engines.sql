CREATE TABLE "engine_shares" (
	"share" integer PRIMARY KEY NOT NULL,
	"owner" uuid,
	"token" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engines" (
	"id" uuid PRIMARY KEY NOT NULL,
	"started_at" timestamp(3) with time zone NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"feed" text NOT NULL
);
