CREATE TABLE "price_points" (
	"opportunity_id" uuid NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"current_price" bigint,
	"target_price" bigint NOT NULL,
	"profit_percentage" bigint,
	"triggered" boolean NOT NULL,
	"is_edge" boolean NOT NULL,
	CONSTRAINT "price_points_opportunity_id_at_pk" PRIMARY KEY("opportunity_id","at")
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"opportunity_id" uuid,
	"notification_type" text NOT NULL,
	"message" text NOT NULL,
	"status" text NOT NULL,
	"sent_at" timestamp(3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"error_message" text,
	"data" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "price_points" ADD CONSTRAINT "price_points_opportunity_id_opportunities_id_fk" FOREIGN KEY ("opportunity_id") REFERENCES "public"."opportunities"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "price_points_at" ON "price_points" USING btree ("at");--> statement-breakpoint
CREATE INDEX "notifications_created_at" ON "notifications" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "notifications_status" ON "notifications" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "notifications_notification_type" ON "notifications" USING btree ("notification_type","created_at");--> statement-breakpoint
CREATE INDEX "notifications_opportunity_id" ON "notifications" USING btree ("opportunity_id","created_at");