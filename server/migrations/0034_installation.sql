CREATE TABLE "installation" (
	"only" boolean PRIMARY KEY NOT NULL,
	"world" text NOT NULL,
	"since" timestamp(3) with time zone NOT NULL
);
