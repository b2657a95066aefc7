import { applyLevelChange } from '@dutchbook/engine/book/book.ts';
import { feeOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { describe, expect, it } from 'vitest';
import { decisionJournal } from '../../../market/decision-journal/table.ts';
import { cupOf, openDiscoveryDesk } from '../../../market/discovery/discovery.fixture.ts';
import { onlyEngine } from '../../../platform/engines/engines.ts';
import { scriptedTokens } from '../recorder.fixture.ts';
import { openRecordings } from '../recordings.ts';
import { relationMoments } from './relation-moments.ts';

const NAMES = ['a', 'b', 'c'];
type Quotes = Record<string, readonly [bid: string, ask: string]>;
const DEAR: Quotes = { a: ['0.48', '0.52'], b: ['0.28', '0.32'], c: ['0.14', '0.20'] };
const CHEAP: Quotes = { a: ['0.48', '0.50'], b: ['0.28', '0.30'], c: ['0.14', '0.15'] };
const NEVER = new AbortController().signal;

/** Starts discovery on one event, with a recorder of the same books. */
async function openRecordedCup() {
  const desk = await openDiscoveryDesk();
  const { runtime, time } = desk;
  const { tokens, book, tell } = scriptedTokens(runtime.clock);
  const recordings = openRecordings(runtime, tokens, onlyEngine().partitions);
  desk.desk.events = [cupOf(NAMES)];
  const discovery = await desk.start();
  await desk.pass();
  const shown = new Map<string, readonly [string, string]>();
  const quote = (quotes: Quotes) => {
    desk.quote(quotes);
    for (const [name, next] of Object.entries(quotes)) {
      const kept = book(`${name}:yes`);
      for (const [index, side] of (['buy', 'sell'] as const).entries()) {
        const before = shown.get(name)?.[index];
        if (before !== undefined) applyLevelChange(kept, side, priceFromText(before), sharesFromText('0'));
        applyLevelChange(kept, side, priceFromText(next[index] ?? ''), sharesFromText('100'));
      }
      shown.set(name, next);
      tell(`${name}:yes`);
    }
  };
  const relation = async () => {
    const [cup] = await desk.relations('exactly_one');
    if (cup === undefined) throw new Error('no relation was found');
    return cup;
  };
  return {
    ...{ desk, runtime, time, recordings, quote, relation },
    [Symbol.asyncDispose]: async () => {
      await discovery.stop();
      await recordings.stop();
      await desk[Symbol.asyncDispose]();
    },
  };
}

describe('a relation at a moment of the past', () => {
  it('has the distance and profit that discovery had then', async () => {
    await using cup = await openRecordedCup();
    const { runtime, recordings, quote, relation, desk } = cup;
    const lived: { at: number; distance: number | null; profit: number }[] = [];
    for (const quotes of [DEAR, CHEAP, { b: ['0.28', '0.45'] as const }]) {
      quote(quotes);
      const at = runtime.clock.now();
      await desk.pass(5);
      const { distance, profit } = await relation();
      lived.push({ at, distance, profit: profit ?? 0 });
    }
    await recordings.stop();
    const { id } = await relation();
    const span = { from: instantFromMs(lived[0]?.at ?? 0), until: instantFromMs(runtime.clock.now()) };
    const answer = await relationMoments({ db: runtime.db, recordings }, id, span, NEVER);
    expect(answer.legs.map(({ leg, market_id, token_id }) => [leg, market_id, token_id])).toEqual([
      [1, 'a', 'a:yes'],
      [2, 'b', 'b:yes'],
      [3, 'c', 'c:yes'],
    ]);
    for (const { at, distance, profit } of lived) {
      const moment = answer.moments.find((each) => each.at === at);
      expect(moment).toMatchObject({ at, distance_usd: distance, profit_usd: (distance ?? 0) < 0 ? profit : null });
    }
    expect(lived.map(({ distance }) => Math.sign(distance ?? 0))).toEqual([1, -1, 1]);
  });

  it('is computed with the fees that the decision journal had then', async () => {
    await using cup = await openRecordedCup();
    const { runtime, time, recordings, quote, relation } = cup;
    const row = await relation();
    const note = async (fee: number) => {
      const members = row.members.map((member) => ({
        ...member,
        ...{ tokenId: `${member.marketId}:yes`, name: member.marketId, outcomes: ['Yes', 'No'] },
        ...{ feeSchedule: feeOf(fee), resolved: null },
      }));
      const { kind, basis, state, isComplete, isVoidSafe, title } = row;
      const data = { kind, basis, state, isComplete, isVoidSafe, title, members };
      const at = runtime.clock.now();
      await runtime.db
        .insert(decisionJournal)
        .values({ venue: recordings.venue, at, topic: 'relation', subject: row.id, data });
    };
    await time.advance(1000);
    await note(0);
    quote(CHEAP);
    const from = runtime.clock.now();
    await time.advance(2000);
    await note(0.5);
    await time.advance(5000);
    await recordings.stop();
    const span = { from, until: instantFromMs(from + 4000) };
    const { moments } = await relationMoments({ db: runtime.db, recordings }, row.id, span, NEVER);
    expect(moments.map(({ at }) => at - from)).toEqual([0, 2000]);
    expect(moments[0]).toMatchObject({ distance_usd: -50_000 });
    expect(moments[1]?.distance_usd).toBeGreaterThan(0);
    expect(moments[1]).toMatchObject({ legs: [], profit_usd: null, size: null });
  });
});
