CREATE TABLE "deferred_notifications" (
	"batch_id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"notifications" jsonb NOT NULL
);
