CREATE TABLE "equity_points" (
	"at" timestamp(3) with time zone PRIMARY KEY NOT NULL,
	"cash" bigint NOT NULL,
	"locked" bigint NOT NULL,
	"shares" bigint NOT NULL,
	"paid_in" bigint NOT NULL
);
