CREATE TABLE "catalogue_events" (
	"id" text PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"title" text NOT NULL,
	"variable" text,
	"closed" boolean NOT NULL,
	"why_not" text,
	"facts" jsonb NOT NULL,
	"hash" text NOT NULL,
	"pass" integer NOT NULL,
	"read_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "catalogue_markets" (
	"id" text PRIMARY KEY NOT NULL,
	"event_id" text NOT NULL,
	"slug" text NOT NULL,
	"question" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "catalogue_sync" (
	"only" boolean PRIMARY KEY NOT NULL,
	"pass" integer NOT NULL,
	"cursor" text,
	"started_at" timestamp(3) with time zone,
	"finished_at" timestamp(3) with time zone,
	"events_read" integer NOT NULL,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "discovery_settings" (
	"venue" text PRIMARY KEY NOT NULL,
	"form" jsonb NOT NULL,
	"changed_at" timestamp(3) with time zone NOT NULL,
	"changed_by" uuid
);
--> statement-breakpoint
CREATE TABLE "relation_distances" (
	"relation_id" uuid NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"distance" bigint NOT NULL,
	"profit" bigint NOT NULL,
	CONSTRAINT "relation_distances_relation_id_at_pk" PRIMARY KEY("relation_id","at")
);
--> statement-breakpoint
CREATE TABLE "relation_follows" (
	"user_id" uuid NOT NULL,
	"relation_id" uuid NOT NULL,
	CONSTRAINT "relation_follows_user_id_relation_id_pk" PRIMARY KEY("user_id","relation_id")
);
--> statement-breakpoint
CREATE TABLE "relation_prices" (
	"relation_id" uuid PRIMARY KEY NOT NULL,
	"distance" bigint,
	"distance_with_voids" bigint,
	"direction" text,
	"limited_by" text,
	"profit" bigint NOT NULL,
	"size" bigint NOT NULL,
	"quoted" integer NOT NULL,
	"oldest_book_ms" integer,
	"first_hit_at" timestamp(3) with time zone,
	"last_hit_at" timestamp(3) with time zone,
	"hits" integer NOT NULL,
	"basket" jsonb
);
--> statement-breakpoint
CREATE TABLE "relation_templates" (
	"template" text PRIMARY KEY NOT NULL,
	"approved_by" text NOT NULL,
	"approved_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "relations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"basis" text NOT NULL,
	"state" text NOT NULL,
	"event_id" text NOT NULL,
	"event_title" text NOT NULL,
	"title" text NOT NULL,
	"members" jsonb NOT NULL,
	"read_from" jsonb NOT NULL,
	"is_complete" boolean NOT NULL,
	"completeness" text NOT NULL,
	"is_void_safe" boolean NOT NULL,
	"fingerprint" text NOT NULL,
	"template" text,
	"decided_by" text,
	"decided_at" timestamp(3) with time zone,
	"by_series" boolean DEFAULT false NOT NULL,
	"reason" text,
	"snapshot" jsonb NOT NULL,
	"trusted" jsonb NOT NULL,
	"ended_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "opportunities" ADD COLUMN "relation_id" uuid;--> statement-breakpoint
ALTER TABLE "opportunities" ADD COLUMN "direction" text;--> statement-breakpoint
ALTER TABLE "catalogue_markets" ADD CONSTRAINT "catalogue_markets_event_id_catalogue_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."catalogue_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "relation_distances" ADD CONSTRAINT "relation_distances_relation_id_relations_id_fk" FOREIGN KEY ("relation_id") REFERENCES "public"."relations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "relation_follows" ADD CONSTRAINT "relation_follows_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "relation_follows" ADD CONSTRAINT "relation_follows_relation_id_relations_id_fk" FOREIGN KEY ("relation_id") REFERENCES "public"."relations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "relation_prices" ADD CONSTRAINT "relation_prices_relation_id_relations_id_fk" FOREIGN KEY ("relation_id") REFERENCES "public"."relations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "catalogue_events_slug" ON "catalogue_events" USING btree ("slug");--> statement-breakpoint
CREATE INDEX "catalogue_events_pass" ON "catalogue_events" USING btree ("pass");--> statement-breakpoint
CREATE INDEX "catalogue_events_variable" ON "catalogue_events" USING btree ("variable") WHERE "catalogue_events"."variable" is not null;--> statement-breakpoint
CREATE INDEX "catalogue_markets_event_id" ON "catalogue_markets" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "catalogue_markets_slug" ON "catalogue_markets" USING btree ("slug");--> statement-breakpoint
CREATE INDEX "relation_distances_at" ON "relation_distances" USING btree ("at");--> statement-breakpoint
CREATE INDEX "relation_prices_distance" ON "relation_prices" USING btree ("distance","relation_id");--> statement-breakpoint
CREATE INDEX "relation_prices_profit" ON "relation_prices" USING btree ("profit","relation_id");--> statement-breakpoint
CREATE INDEX "relation_prices_last_hit_at" ON "relation_prices" USING btree ("last_hit_at","relation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "relations_key" ON "relations" USING btree ("key");--> statement-breakpoint
CREATE INDEX "relations_event_id" ON "relations" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "relations_updated_at" ON "relations" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "relations_template" ON "relations" USING btree ("template") WHERE "relations"."template" is not null;--> statement-breakpoint
CREATE INDEX "relations_watched" ON "relations" USING btree ("event_title","id") WHERE "relations"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "relations_event_title" ON "relations" USING btree (left(lower("event_title"), 200),"id");--> statement-breakpoint
CREATE INDEX "opportunities_relation_id" ON "opportunities" USING btree ("relation_id","id");