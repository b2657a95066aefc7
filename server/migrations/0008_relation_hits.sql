CREATE TABLE "relation_hits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"relation_id" uuid NOT NULL,
	"direction" text NOT NULL,
	"first_at" timestamp(3) with time zone NOT NULL,
	"last_at" timestamp(3) with time zone NOT NULL,
	"ended_at" timestamp(3) with time zone,
	"net" bigint NOT NULL,
	"profit" bigint NOT NULL,
	"size" bigint NOT NULL,
	"obstacle" text,
	"opportunity_id" uuid,
	"triggered" boolean DEFAULT false NOT NULL,
	"refusal" text,
	"batch_id" uuid
);
--> statement-breakpoint
ALTER TABLE "relation_hits" ADD CONSTRAINT "relation_hits_relation_id_relations_id_fk" FOREIGN KEY ("relation_id") REFERENCES "public"."relations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "relation_hits_relation_id" ON "relation_hits" USING btree ("relation_id","first_at");--> statement-breakpoint
CREATE INDEX "relation_hits_first_at" ON "relation_hits" USING btree ("first_at","id");--> statement-breakpoint
CREATE INDEX "relation_hits_open" ON "relation_hits" USING btree ("relation_id") WHERE "relation_hits"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "relation_prices_distance_desc" ON "relation_prices" USING btree ("distance" DESC NULLS LAST,"relation_id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "relation_prices_last_hit_at_desc" ON "relation_prices" USING btree ("last_hit_at" DESC NULLS LAST,"relation_id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "relations_by_kind" ON "relations" USING btree ("kind","id") WHERE "relations"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "relations_by_basis" ON "relations" USING btree ("basis","id") WHERE "relations"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "relations_by_state" ON "relations" USING btree ("state","id") WHERE "relations"."ended_at" is null;