CREATE TABLE "listed_venues" (
	"venue" text PRIMARY KEY NOT NULL,
	"listed_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "listed_words" (
	"word" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "market_listings" (
	"id" text PRIMARY KEY NOT NULL,
	"event_id" text NOT NULL,
	"event_slug" text NOT NULL,
	"slug" text NOT NULL,
	"closed" boolean NOT NULL,
	"left_out" text,
	"dollars" integer NOT NULL,
	"listing" jsonb NOT NULL,
	"words" "tsvector" NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "listed_words_letters" ON "listed_words" USING btree ("word" collate "C");--> statement-breakpoint
CREATE INDEX "market_listings_words" ON "market_listings" USING gin ("words");--> statement-breakpoint
CREATE INDEX "market_listings_event_id" ON "market_listings" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "market_listings_slug" ON "market_listings" USING btree ("slug");--> statement-breakpoint
CREATE INDEX "market_listings_event_slug" ON "market_listings" USING btree ("event_slug");--> statement-breakpoint
CREATE INDEX "market_listings_open" ON "market_listings" USING btree ("dollars" DESC NULLS LAST,"event_id","id") WHERE not "market_listings"."closed";