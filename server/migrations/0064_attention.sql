CREATE TABLE "opportunity_alerts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"opportunity_id" uuid NOT NULL,
	"at_percentage" bigint NOT NULL,
	"by_mail" boolean NOT NULL,
	"armed" boolean NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"fired_at" timestamp(3) with time zone,
	"mail_due" uuid
);
--> statement-breakpoint
CREATE TABLE "attention_choices" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"sounds" text[] NOT NULL,
	"browser" text[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "opportunity_alerts" ADD CONSTRAINT "opportunity_alerts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "opportunity_alerts" ADD CONSTRAINT "opportunity_alerts_opportunity_id_opportunities_id_fk" FOREIGN KEY ("opportunity_id") REFERENCES "public"."opportunities"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attention_choices" ADD CONSTRAINT "attention_choices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "opportunity_alerts_one_each" ON "opportunity_alerts" USING btree ("user_id","opportunity_id","at_percentage");--> statement-breakpoint
CREATE INDEX "opportunity_alerts_opportunity_id" ON "opportunity_alerts" USING btree ("opportunity_id");--> statement-breakpoint
CREATE INDEX "opportunity_alerts_mail_due" ON "opportunity_alerts" USING btree ("id") WHERE "opportunity_alerts"."mail_due" is not null;