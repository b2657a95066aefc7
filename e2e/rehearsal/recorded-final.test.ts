/** R5 over prices as they were: a rehearsal of the recorded final takes the decisions that were taken while it was replayed. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { listMarkets, type MarketReply } from '@dutchbook/contract/markets.ts';
import { createOpportunity, listOpportunities, updateOpportunity } from '@dutchbook/contract/opportunities.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { openMovingDesk } from './moving-desk.fixture.ts';

const DATA_DIR = process.env.MARKET_DATA_DIR ?? path.join(import.meta.dirname, '../../../shared/data');
const FINAL = path.join(DATA_DIR, 'polymarket/ticks/nhl-final-2026-06-07T0130Z.jsonl.gz');
const isPresent = existsSync(FINAL);
if (!isPresent) process.stdout.write('recorded market data is not there: the recorded final is not rehearsed\n');

/** Of its fourteen minutes, at eight times their speed. */
const SPEED = '8';
const UNTIL_QUOTED_MS = 3000;
/** What was seen is written within a second, and what was recorded within two. */
const WRITTEN_MS = 3000;
const PLAYED_MS = 30_000;
/** What a set makes at the prices at which its target is set: it triggers when it costs a cent less. */
const CLOSE_TO_TRIGGER = 1.004;

describe.runIf(isPresent && process.env.TEST_ALL !== undefined)('the recorded final', () => {
  it('is decided again as it was decided live, to the letter', async () => {
    const replay = { EXCHANGE_REPLAY: FINAL, EXCHANGE_REPLAY_SPEED: SPEED, EXCHANGE_PAUSED: 'on' };
    await using desk = await openMovingDesk(0, {}, replay);
    const { call } = desk.product;
    await desk.change({ PRICE_THRESHOLD_VALIDATION_ENABLED: false, MARKET_TIMING_VALIDATION_ENABLED: false });
    for (const combinations of setsOf((await call(listMarkets, { query: { skip: 0, limit: 100 } })).reply.data)) {
      const body = { market_combinations: combinations, target_price: 1 };
      expect((await call(createOpportunity, { body })).status).toBe(200);
    }
    await desk.exchange.resume();
    await pause(UNTIL_QUOTED_MS);
    await desk.exchange.pause();
    await pause(WRITTEN_MS);
    const from = instantFromMs(Date.now());
    for (const { id, current_price: costs, fees_per_set: fees } of (await call(listOpportunities, { query: {} })).reply
      .data) {
      if (costs === null || fees === null) continue;
      const target = Number((((costs + fees) / 1e6) * CLOSE_TO_TRIGGER).toFixed(4));
      await call(updateOpportunity, { params: { opportunity_id: id }, body: { target_price: target } });
    }
    await desk.exchange.resume();
    await pause(PLAYED_MS);
    await desk.exchange.pause();

    const decided = (await desk.decided()).filter(({ at }) => at >= from);
    const { present, proposed, differences, result } = await desk.rehearse({}, { from });
    expect(decided.length).toBeGreaterThan(10);
    expect(result.unknown).toEqual([]);
    expect(present).toEqual(decided.map(({ data }) => data?.line));
    expect(proposed).toEqual(present);
    expect(differences).toEqual([]);
  });
});

/** Both outcomes of each market, and the first one of each beside the second one of the next. */
function setsOf(markets: readonly MarketReply[]) {
  return markets.flatMap(({ id, outcomes: [yes, no] }, place) => {
    const next = markets[(place + 1) % markets.length];
    const leg = (nth: number, market: string, of: { outcome: string } | undefined) => ({
      ...{ leg: nth, markets: [{ id: market, outcome: of?.outcome ?? '' }] },
    });
    return [
      [leg(1, id, yes), leg(2, id, no)],
      [leg(1, id, yes), leg(2, next?.id ?? '', next?.outcomes[1])],
    ];
  });
}
