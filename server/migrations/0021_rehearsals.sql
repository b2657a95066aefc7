CREATE TABLE "decision_facts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "decision_facts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"venue" text NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"topic" text NOT NULL,
	"subject" text NOT NULL,
	"data" jsonb
);
--> statement-breakpoint
CREATE TABLE "batch_recordings" (
	"batch_id" uuid PRIMARY KEY NOT NULL,
	"venue" text NOT NULL,
	"from_at" timestamp(3) with time zone NOT NULL,
	"until_at" timestamp(3) with time zone NOT NULL,
	"state" text NOT NULL,
	"bytes" bigint NOT NULL,
	"kept_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rehearsal_differences" (
	"rehearsal_id" uuid NOT NULL,
	"place" integer NOT NULL,
	"difference" jsonb NOT NULL,
	CONSTRAINT "rehearsal_differences_rehearsal_id_place_pk" PRIMARY KEY("rehearsal_id","place")
);
--> statement-breakpoint
CREATE TABLE "rehearsals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"venue" text NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"created_by" uuid,
	"state" text NOT NULL,
	"from_at" timestamp(3) with time zone NOT NULL,
	"until_at" timestamp(3) with time zone NOT NULL,
	"changes" jsonb NOT NULL,
	"assume_placing" boolean NOT NULL,
	"progress" double precision NOT NULL,
	"error" text,
	"owner" text,
	"lease_until" timestamp(3) with time zone,
	"ended_at" timestamp(3) with time zone,
	"result" jsonb
);
--> statement-breakpoint
ALTER TABLE "rehearsal_differences" ADD CONSTRAINT "rehearsal_differences_rehearsal_id_rehearsals_id_fk" FOREIGN KEY ("rehearsal_id") REFERENCES "public"."rehearsals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ix_decision_facts_subject" ON "decision_facts" USING btree ("venue","topic","subject","at","id");--> statement-breakpoint
CREATE INDEX "ix_decision_facts_at" ON "decision_facts" USING btree ("venue","at","id");--> statement-breakpoint
CREATE INDEX "ix_batch_recordings_kept_at" ON "batch_recordings" USING btree ("kept_at");--> statement-breakpoint
CREATE INDEX "ix_rehearsals_created_at" ON "rehearsals" USING btree ("created_at");