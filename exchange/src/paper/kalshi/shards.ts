import { SHARDS } from '../../adapters/kalshi/members.ts';
import type { States } from '../../adapters/kalshi/states.ts';
import { isFields } from '../catalogue/read-listing.ts';

/** Takes the venue's status of its shards: orders of a paused shard are refused here too. */
export function takeShards(states: States, text: string): void {
  const body = parsed(text);
  if (!isFields(body)) return;
  const said: unknown[] = Array.isArray(body.exchange_index_statuses)
    ? (body.exchange_index_statuses as unknown[])
    : [{ ...body, exchange_index: 0 }];
  for (const shard of said) {
    const known = isFields(shard) && SHARDS.find(({ index }) => index === shard.exchange_index);
    if (!isFields(shard) || !known) continue;
    const state = states.shard(known.index);
    state.exchangeActive = shard.exchange_active !== false;
    state.tradingActive = shard.trading_active !== false;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
