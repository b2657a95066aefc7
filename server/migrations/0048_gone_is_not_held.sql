-- What of these is kept as held has shares in it that are gone: it is added up until it is kept anew.
UPDATE "batches" SET "spending_kept" = false
  WHERE id IN (SELECT batch_id FROM batch_orders WHERE side = 'buy' AND gone_size > 0);
