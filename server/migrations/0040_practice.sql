CREATE TABLE "practice_taken" (
	"token_id" text NOT NULL,
	"side" text NOT NULL,
	"price" bigint NOT NULL,
	"shown" bigint NOT NULL,
	"taken" bigint NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "practice_taken_token_id_side_price_pk" PRIMARY KEY("token_id","side","price")
);
--> statement-breakpoint
CREATE INDEX "practice_taken_at" ON "practice_taken" USING btree ("at");--> statement-breakpoint
CREATE INDEX "batches_simulated" ON "batches" USING btree ("id") WHERE "batches"."simulated";