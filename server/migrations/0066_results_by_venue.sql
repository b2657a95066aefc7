CREATE TABLE "venue_results" (
	"batch_id" uuid NOT NULL,
	"venue" text NOT NULL,
	"legs" integer NOT NULL,
	"filled_legs" integer NOT NULL,
	"paid" bigint NOT NULL,
	"received" bigint NOT NULL,
	"fees" bigint NOT NULL,
	"locked" bigint NOT NULL,
	"moved_before_send" bigint NOT NULL,
	"moved_in_flight" bigint NOT NULL,
	"size_added" bigint NOT NULL,
	CONSTRAINT "venue_results_batch_id_venue_pk" PRIMARY KEY("batch_id","venue")
);
