CREATE TABLE "ended_batches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"expected_orders" integer NOT NULL,
	"total_orders" integer NOT NULL,
	"order_size" bigint NOT NULL,
	"target_price" bigint NOT NULL,
	"target_profit" bigint NOT NULL,
	"actual_profit" bigint,
	"retry_count" integer NOT NULL,
	"max_retries" integer NOT NULL,
	"automatic" boolean NOT NULL,
	"simulated" boolean NOT NULL,
	"execution_started_at" timestamp(3) with time zone,
	"execution_completed_at" timestamp(3) with time zone,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"last_error" text,
	"cancel_requested_at" timestamp(3) with time zone,
	"orders_in_doubt" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ended_orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"batch_id" uuid NOT NULL,
	"leg" integer NOT NULL,
	"market_id" text NOT NULL,
	"market_name" text NOT NULL,
	"token_id" text NOT NULL,
	"outcome" text NOT NULL,
	"side" text NOT NULL,
	"size" bigint NOT NULL,
	"price" bigint NOT NULL,
	"status" text NOT NULL,
	"filled_size" bigint NOT NULL,
	"filled_cost" bigint NOT NULL,
	"fee" bigint NOT NULL,
	"attempt_count" integer NOT NULL,
	"sells_order_id" uuid,
	"sold_size" bigint NOT NULL,
	"simulated" boolean NOT NULL,
	"error" text,
	"updated_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ended_batches" ADD CONSTRAINT "ended_batches_id_batches_id_fk" FOREIGN KEY ("id") REFERENCES "public"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ended_orders" ADD CONSTRAINT "ended_orders_id_batch_orders_id_fk" FOREIGN KEY ("id") REFERENCES "public"."batch_orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Keep ended_batches and ended_orders true within the transaction that changes a batch or an order. While one is under way
-- nothing is written there.
CREATE FUNCTION "keep_ended_batch"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM ended_batches WHERE id = new.id;
  IF new.status IN ('pending', 'processing', 'retry_pending') THEN
    RETURN NULL;
  END IF;
  INSERT INTO ended_batches (
    id, status, expected_orders, total_orders, order_size, target_price, target_profit, actual_profit, retry_count,
    max_retries, automatic, simulated, execution_started_at, execution_completed_at, updated_at, last_error,
    cancel_requested_at, orders_in_doubt
  ) VALUES (
    new.id, new.status, new.expected_orders, new.total_orders, new.order_size, new.target_price, new.target_profit,
    new.actual_profit, new.retry_count, new.max_retries, new.automatic, new.simulated, new.execution_started_at,
    new.execution_completed_at, new.updated_at, new.last_error, new.cancel_requested_at, new.orders_in_doubt
  );
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE FUNCTION "keep_ended_order"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM ended_orders WHERE id = new.id;
  IF new.status IN ('pending', 'processing', 'open', 'partially_filled') THEN
    RETURN NULL;
  END IF;
  INSERT INTO ended_orders (
    id, batch_id, leg, market_id, market_name, token_id, outcome, side, size, price, status, filled_size,
    filled_cost, fee, attempt_count, sells_order_id, sold_size, simulated, error, updated_at
  ) VALUES (
    new.id, new.batch_id, new.leg, new.market_id, new.market_name, new.token_id, new.outcome, new.side, new.size,
    new.price, new.status, new.filled_size, new.filled_cost, new.fee, new.attempt_count, new.sells_order_id,
    new.sold_size, (SELECT b.simulated FROM batches b WHERE b.id = new.batch_id), new.error, new.updated_at
  );
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE TRIGGER "batches_came_ended" AFTER INSERT ON "batches"
  FOR EACH ROW WHEN (new.status NOT IN ('pending', 'processing', 'retry_pending')) EXECUTE FUNCTION "keep_ended_batch"();--> statement-breakpoint
CREATE TRIGGER "batches_ended" AFTER UPDATE OF
  status, expected_orders, total_orders, order_size, target_price, target_profit, actual_profit, retry_count,
  max_retries, automatic, simulated, execution_started_at, execution_completed_at, updated_at, last_error,
  cancel_requested_at, orders_in_doubt
  ON "batches" FOR EACH ROW WHEN (
    old.status NOT IN ('pending', 'processing', 'retry_pending') OR new.status NOT IN ('pending', 'processing', 'retry_pending')
  )
  EXECUTE FUNCTION "keep_ended_batch"();--> statement-breakpoint
CREATE TRIGGER "batch_orders_came_ended" AFTER INSERT ON "batch_orders"
  FOR EACH ROW WHEN (new.status NOT IN ('pending', 'processing', 'open', 'partially_filled')) EXECUTE FUNCTION "keep_ended_order"();--> statement-breakpoint
CREATE TRIGGER "batch_orders_ended" AFTER UPDATE OF
  batch_id, leg, market_id, market_name, token_id, outcome, side, size, price, status, filled_size, filled_cost,
  fee, attempt_count, sells_order_id, sold_size, error, updated_at
  ON "batch_orders" FOR EACH ROW WHEN (
    old.status NOT IN ('pending', 'processing', 'open', 'partially_filled')
    OR new.status NOT IN ('pending', 'processing', 'open', 'partially_filled')
  )
  EXECUTE FUNCTION "keep_ended_order"();--> statement-breakpoint
INSERT INTO ended_batches (
  id, status, expected_orders, total_orders, order_size, target_price, target_profit, actual_profit, retry_count,
  max_retries, automatic, simulated, execution_started_at, execution_completed_at, updated_at, last_error,
  cancel_requested_at, orders_in_doubt
) SELECT
  id, status, expected_orders, total_orders, order_size, target_price, target_profit, actual_profit, retry_count,
  max_retries, automatic, simulated, execution_started_at, execution_completed_at, updated_at, last_error,
  cancel_requested_at, orders_in_doubt
  FROM batches WHERE status NOT IN ('pending', 'processing', 'retry_pending');--> statement-breakpoint
INSERT INTO ended_orders (
  id, batch_id, leg, market_id, market_name, token_id, outcome, side, size, price, status, filled_size, filled_cost,
  fee, attempt_count, sells_order_id, sold_size, simulated, error, updated_at
) SELECT
  o.id, o.batch_id, o.leg, o.market_id, o.market_name, o.token_id, o.outcome, o.side, o.size, o.price, o.status,
  o.filled_size, o.filled_cost, o.fee, o.attempt_count, o.sells_order_id, o.sold_size, b.simulated, o.error,
  o.updated_at
  FROM batch_orders o JOIN batches b ON b.id = o.batch_id
  WHERE o.status NOT IN ('pending', 'processing', 'open', 'partially_filled');--> statement-breakpoint
CREATE INDEX "ended_batches_status" ON "ended_batches" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "ended_batches_expected_orders" ON "ended_batches" USING btree ("expected_orders","id");--> statement-breakpoint
CREATE INDEX "ended_batches_total_orders" ON "ended_batches" USING btree ("total_orders","id");--> statement-breakpoint
CREATE INDEX "ended_batches_order_size" ON "ended_batches" USING btree ("order_size","id");--> statement-breakpoint
CREATE INDEX "ended_batches_target_price" ON "ended_batches" USING btree ("target_price","id");--> statement-breakpoint
CREATE INDEX "ended_batches_target_profit" ON "ended_batches" USING btree ("target_profit","id");--> statement-breakpoint
CREATE INDEX "ended_batches_actual_profit" ON "ended_batches" USING btree ("actual_profit","id");--> statement-breakpoint
CREATE INDEX "ended_batches_retry_count" ON "ended_batches" USING btree ("retry_count","id");--> statement-breakpoint
CREATE INDEX "ended_batches_max_retries" ON "ended_batches" USING btree ("max_retries","id");--> statement-breakpoint
CREATE INDEX "ended_batches_automatic" ON "ended_batches" USING btree ("automatic","id");--> statement-breakpoint
CREATE INDEX "ended_batches_simulated" ON "ended_batches" USING btree ("simulated","id");--> statement-breakpoint
CREATE INDEX "ended_batches_execution_started_at" ON "ended_batches" USING btree ("execution_started_at","id");--> statement-breakpoint
CREATE INDEX "ended_batches_execution_completed_at" ON "ended_batches" USING btree ("execution_completed_at","id");--> statement-breakpoint
CREATE INDEX "ended_batches_updated_at" ON "ended_batches" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "ended_batches_last_error" ON "ended_batches" USING btree (left(lower("last_error"), 200),"id");--> statement-breakpoint
CREATE INDEX "ended_batches_cancel_requested" ON "ended_batches" USING btree (("cancel_requested_at" is not null),"id");--> statement-breakpoint
CREATE INDEX "ended_batches_orders_in_doubt" ON "ended_batches" USING btree ("orders_in_doubt","id");--> statement-breakpoint
CREATE INDEX "ended_orders_leg" ON "ended_orders" USING btree ("leg","id");--> statement-breakpoint
CREATE INDEX "ended_orders_market_id" ON "ended_orders" USING btree (left(lower("market_id"), 200),"id");--> statement-breakpoint
CREATE INDEX "ended_orders_market_name" ON "ended_orders" USING btree (left(lower("market_name"), 200),"id");--> statement-breakpoint
CREATE INDEX "ended_orders_token_id" ON "ended_orders" USING btree (left(lower("token_id"), 200),"id");--> statement-breakpoint
CREATE INDEX "ended_orders_outcome" ON "ended_orders" USING btree (left(lower("outcome"), 200),"id");--> statement-breakpoint
CREATE INDEX "ended_orders_side" ON "ended_orders" USING btree ("side","id");--> statement-breakpoint
CREATE INDEX "ended_orders_size" ON "ended_orders" USING btree ("size","id");--> statement-breakpoint
CREATE INDEX "ended_orders_price" ON "ended_orders" USING btree ("price","id");--> statement-breakpoint
CREATE INDEX "ended_orders_status" ON "ended_orders" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "ended_orders_filled_size" ON "ended_orders" USING btree ("filled_size","id");--> statement-breakpoint
CREATE INDEX "ended_orders_average_price" ON "ended_orders" USING btree ((case when "filled_size" > 0 then div(
    "filled_cost"::numeric * 1000000 + case "side" when 'buy' then "filled_size" - 1 else 0 end,
    "filled_size"
  ) end),"id");--> statement-breakpoint
CREATE INDEX "ended_orders_fee" ON "ended_orders" USING btree ("fee","id");--> statement-breakpoint
CREATE INDEX "ended_orders_attempts" ON "ended_orders" USING btree ("attempt_count","id");--> statement-breakpoint
CREATE INDEX "ended_orders_sells_order_id" ON "ended_orders" USING btree ("sells_order_id","id");--> statement-breakpoint
CREATE INDEX "ended_orders_sold_size" ON "ended_orders" USING btree ("sold_size","id");--> statement-breakpoint
CREATE INDEX "ended_orders_simulated" ON "ended_orders" USING btree ("simulated","id");--> statement-breakpoint
CREATE INDEX "ended_orders_error" ON "ended_orders" USING btree (left(lower("error"), 200),"id");--> statement-breakpoint
CREATE INDEX "ended_orders_updated_at" ON "ended_orders" USING btree ("updated_at","id");
