import type { DiscoverySettingsForm } from '@dutchbook/contract/discovery-settings.ts';
import { feeOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { priceFromNumber } from '@dutchbook/units/price.ts';
import { USD_ZERO, usdFromNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { decisionLine, type JournaledRelation } from '../../market/decision-journal/journaled.ts';
import { ACCOUNT, accountWith, BEST_ASK, costs, DEFAULTS, opportunityOf, PLENTY, withTape } from './tape.fixture.ts';

const RELATION_ID = '0b598606-f6e0-4086-9cf3-e57a99154c88';
const EXACTLY_ONE: JournaledRelation = {
  ...{ kind: 'exactly_one', basis: 'enforced', state: 'proposed', isComplete: true, isVoidSafe: true },
  title: 'Exactly one of 2',
  members: ['a', 'b'].map((marketId) => ({
    ...{ eventId: 'event', marketId, role: 'outcome', tokenId: `${marketId}:yes`, name: marketId },
    ...{ outcomes: ['Yes', 'No'], feeSchedule: feeOf(0), resolved: null },
  })),
};
const FOUND_FROM: DiscoverySettingsForm = {
  ...{ enabled: true, pair: true, at_most_one: true, exactly_one: true, ladder: true, buckets: true },
  ...{ min_profit_usd: USD_ZERO, auto_place_found: false },
  ...{ price_low: priceFromNumber(0.001), price_high: priceFromNumber(0.999) },
};

describe('a rehearsal', () => {
  it('counts the rises that other settings would have made of the same books, and leads to where they differ', async () => {
    await withTape(async (tape) => {
      costs(tape, [1.01, 0.99, 1.01, 0.97, 1.01]);
      const { result, differences, present, proposed } = await tape.rehearse({
        changes: { settings: { MIN_PROFIT_TRIGGER_THRESHOLD: 2 } },
      });
      expect([result.present.triggers, result.proposed.triggers]).toEqual([2, 1]);
      expect([result.present.batches, result.proposed.batches]).toEqual([2, 1]);
      expect([present.length, proposed.length]).toEqual([2, 1]);
      expect(result.unknown).toEqual([]);
      expect(result.policies).toBeUndefined();
      expect(differences).toHaveLength(1);
      expect(differences[0]).toMatchObject({
        opportunity_id: 'one',
        title: 'Will a happen? and 1 more · Yes on both',
        present_triggers: 2,
      });
      const [moment, ...others] = differences[0]?.moments ?? [];
      expect(others).toEqual([]);
      expect(moment).toMatchObject({ at: tape.from + 2000, proposed: null });
      expect(moment?.present?.profit_usd).toEqual({
        touch: usdFromNumber(0.05),
        measured: usdFromNumber(0.05),
        pessimistic: usdFromNumber(0.05),
      });
    });
  });

  it('finds no difference where nothing is changed', async () => {
    await withTape(async (tape) => {
      costs(tape, [1.01, 0.97, 1.01, 0.98]);
      const { result, differences, present, proposed } = await tape.rehearse();
      expect(result.present).toEqual(result.proposed);
      expect(result.present).toMatchObject({ triggers: 2, batches: 2, refused: 0 });
      expect(differences).toEqual([]);
      expect(proposed).toEqual(present);
    });
  });

  it('begins with what stands: the present run has triggered before, a lower threshold triggers at once', async () => {
    await withTape(async (tape) => {
      costs(tape, [0.99, 0.99]);
      const from = instantFromMs(tape.from + 1500);
      const unchanged = await tape.rehearse({ from });
      expect(unchanged.result.present.triggers).toBe(0);
      tape.at(0).note('settings', '', { ...DEFAULTS, MIN_PROFIT_TRIGGER_THRESHOLD: 5 });
      const lowered = await tape.rehearse({ from, changes: { settings: { MIN_PROFIT_TRIGGER_THRESHOLD: 0.8 } } });
      expect([lowered.result.present.triggers, lowered.result.proposed.triggers]).toEqual([0, 1]);
    });
  });

  it('says what is not known instead of counting nothing, and takes no edge from there', async () => {
    await withTape(async (tape) => {
      costs(tape, [1.01, 0.97]).at(3000).gap(60_000, 'not running').at(60_000);
      tape.book('a:yes', [[0.45, PLENTY]], [[0.4, PLENTY]]).trust('a:yes', 'live');
      tape.book('b:yes', [[0.52, PLENTY]], [[0.3, PLENTY]]).trust('b:yes', 'live');
      tape
        .at(61_000)
        .book('b:yes', [[0.56, PLENTY]])
        .at(62_000)
        .book('b:yes', [[0.52, PLENTY]]);
      const { result } = await tape.rehearse();
      expect(result.unknown).toEqual([{ from: tape.from + 3000, until: tape.from + 60_000, reason: 'not running' }]);
      expect(result.present.triggers).toBe(2);
    });
  });

  it('knows nothing of a span of which there are no records', async () => {
    await withTape(async (tape) => {
      costs(tape, [1.01, 0.97]);
      const from = instantFromMs(tape.from + 3_600_000);
      const until = instantFromMs(from + 60_000);
      const { result } = await tape.rehearse({ from, until });
      expect(result.unknown).toEqual([{ from, until, reason: 'nothing was recorded' }]);
      expect(result.present.triggers).toBe(0);
    });
  });

  it('decides nothing on a stale book, as live', async () => {
    await withTape(async (tape) => {
      costs(tape, [1.01]).at(1500).trust('a:yes', 'stale');
      tape
        .at(2000)
        .book('b:yes', [[0.5, PLENTY]])
        .at(3000)
        .book('b:yes', [[0.56, PLENTY]]);
      tape.at(4000).trust('a:yes', 'live');
      const { result } = await tape.rehearse();
      expect(result.present.triggers).toBe(0);
    });
  });

  it('asks the limits that are proposed', async () => {
    await withTape(async (tape) => {
      costs(tape, [1.01, 0.97, 1.01, 0.97, 1.01]);
      const { result } = await tape.rehearse({ changes: { limits: { per_day_usd: usdFromNumber(6) } } });
      expect(result.present).toMatchObject({ batches: 2, limit_hits: 0 });
      // One batch of five sets takes $4.85.
      expect(result.proposed).toMatchObject({ triggers: 2, batches: 1, refused: 1, limit_hits: 1 });
      expect(result.proposed.refusals).toEqual([{ gate: 'limit-per-day', count: 1 }]);
    });
  });

  it('places by an account from which its own batches are gone', async () => {
    await withTape(async (tape) => {
      tape.note('account', '', accountWith({ balance: usdFromNumber(6) }));
      costs(tape, [1.01, 0.97, 1.01, 0.97]);
      const { result } = await tape.rehearse();
      expect(result.present).toMatchObject({ triggers: 2, batches: 1, refusals: [{ gate: 'balance', count: 1 }] });
    });
  });

  it('counts as armed and placed automatically where that is asked', async () => {
    await withTape(async (tape) => {
      const readiness = { ...ACCOUNT.readiness, reconciled: false };
      tape.note('account', '', { ...accountWith({ balance: null, armed: false }), readiness });
      tape.note('settings', '', { ...DEFAULTS, AUTO_PLACE_ORDER_ENABLED: false });
      costs(tape, [1.01, 0.97]);
      expect((await tape.rehearse()).result.present).toMatchObject({ triggers: 0, batches: 0 });
      const assumed = await tape.rehearse({ assumePlacing: true });
      expect(assumed.result.present).toMatchObject({ triggers: 1, batches: 1 });
    });
  });

  it('says what orders lose that come late', async () => {
    await withTape(async (tape) => {
      costs(tape, [1.01, 0.97]);
      // Leg 2 is gone when our orders come: leg 1 is sold again at 0.4.
      tape.at(2100).book('b:yes', [[0.6, PLENTY]]);
      const { result } = await tape.rehearse();
      const { touch, measured, pessimistic } = result.present.models;
      expect(touch).toMatchObject({ completed: 1, profit_usd: usdFromNumber(0.15), worst_batch_usd: null });
      const lost = { unwound: 1, profit_usd: usdFromNumber(-0.25), worst_batch_usd: usdFromNumber(-0.25) };
      expect(measured).toMatchObject(lost);
      expect(pessimistic).toMatchObject(lost);
    });
  });

  it('takes from the slowest orders what did not stand all the while, and what was taken before', async () => {
    await withTape(async (tape) => {
      costs(tape.note('settings', '', BEST_ASK), [1.01, 0.97], 7);
      // Away for a moment, and back before any order of the rehearsal arrives.
      tape
        .at(2050)
        .book('b:yes', [[0.6, 7]])
        .at(2100)
        .book('b:yes', [[0.52, 7]]);
      const flicker = (await tape.rehearse()).result.present.models;
      expect(flicker.measured).toMatchObject({ completed: 1 });
      expect(flicker.pessimistic).toMatchObject({ completed: 0, unwound: 1 });
    });
    await withTape(async (tape) => {
      costs(tape.note('settings', '', BEST_ASK), [1.01, 0.97], 7);
      // The books, of which five of seven shares were taken, cross the threshold again.
      tape.at(4000).note('settings', '', { ...BEST_ASK, MIN_PROFIT_TRIGGER_THRESHOLD: 50 });
      tape.at(5000).note('settings', '', BEST_ASK);
      const { result } = await tape.rehearse({ untilMs: 9000 });
      expect(result.present.triggers).toBe(2);
      expect(result.present.models.measured).toMatchObject({ completed: 2 });
      // Two sets in place of five: what was paid for them earns six cents.
      expect(result.present.models.pessimistic.profit_usd).toBe(usdFromNumber(0.15 + 0.06));
    });
  });

  it('decides when it was really decided, by the books and the account at that instant', async () => {
    await withTape(async (tape) => {
      costs(tape, [1.01, 0.97]);
      tape
        .at(2020)
        .book('b:yes', [[0.53, PLENTY]], [[0.3, PLENTY]])
        .at(2040);
      tape.note('decision', 'one', {
        ...{ rises: 1, begunAt: instantFromMs(tape.from + 2000), line: '', batchId: null },
        account: accountWith({ armed: false }),
        ...{ activeBatchId: 'other', bookAges: [0, 0] },
      });
      const { present, proposed } = await tape.rehearse();
      expect(present).toHaveLength(1);
      expect(present).toEqual(proposed);
      const line = JSON.parse(present[0] ?? '') as unknown[];
      // Seen at 0.97, decided at 0.98.
      expect(line.slice(0, 3)).toEqual(['one', 1, 970_000]);
      expect(line.at(-1)).toEqual(['Trading is disarmed.', 'A batch of this opportunity is still active.']);
    });
  });

  it('refuses what had fallen again before it was decided, where that was really so', async () => {
    await withTape(async (tape) => {
      costs(tape, [1.01, 0.97])
        .at(2010)
        .book('b:yes', [[0.56, PLENTY]])
        .at(2040);
      const begunAt = instantFromMs(tape.from + 2000);
      const line = decisionLine({
        ...{ opportunityId: 'one', rises: 1, currentPrice: priceFromNumber(0.97), feesPerSet: USD_ZERO },
        ...{ profitPct: percentFromNumber(3.092783), size: null, orders: [] },
        refusals: ['The profit has fallen below the trigger again.'],
      });
      const words = { rises: 1, begunAt, line, batchId: null, account: null, activeBatchId: null, bookAges: [] };
      const { present, proposed } = await tape.note('decision', 'one', words).rehearse();
      expect([present, proposed]).toEqual([[line], [line]]);
    });
  });

  it('finds anew what discovery would have found by other settings of its own', async () => {
    await withTape(async (tape) => {
      tape.note('opportunity', 'one', null).note('relation', RELATION_ID, EXACTLY_ONE);
      tape.note('discovery', '', { ...FOUND_FROM, min_profit_usd: usdFromNumber(20) });
      // A thousand sets would make $30.
      costs(tape, [1.01, 0.97, 1.01])
        .at(20_000)
        .book('b:yes', [[0.53, PLENTY]], [[0.3, PLENTY]]);
      const discovery = { min_profit_usd: usdFromNumber(40), auto_place_found: true };
      const { result, differences } = await tape.rehearse({ changes: { discovery } });
      expect([result.present.triggers, result.proposed.triggers]).toEqual([2, 0]);
      expect(result.present.refusals).toEqual([{ gate: 'found-switch', count: 2 }]);
      expect(differences).toMatchObject([{ opportunity_id: RELATION_ID, title: 'Exactly one of 2' }]);
      const lowered = await tape.rehearse({ changes: { discovery: { min_profit_usd: usdFromNumber(25) } } });
      expect([lowered.result.present.triggers, lowered.result.proposed.triggers]).toEqual([2, 1]);
      const off = await tape.rehearse({ changes: { discovery: { exactly_one: false } } });
      expect([off.result.present.triggers, off.result.proposed.triggers]).toEqual([2, 0]);
    });
  });

  it('says how many would have been found in markets of which only prices were recorded', async () => {
    await withTape(async (tape) => {
      const [first, second] = EXACTLY_ONE.members;
      if (first === undefined || second === undefined) throw new Error('there are two members');
      const members = [first, { ...second, marketId: 'c', tokenId: 'c:yes' }];
      tape.note('opportunity', 'one', null).note('relation', RELATION_ID, { ...EXACTLY_ONE, members });
      tape.note('discovery', '', { ...FOUND_FROM, exactly_one: false });
      tape.at(0).book('a:yes', [[0.45, PLENTY]], [[0.4, PLENTY]]);
      tape.at(1000).book('c:yes', [[0.5, PLENTY]], [[0.3, PLENTY]]);
      const { result } = await tape.rehearse({ changes: { discovery: { exactly_one: true } } });
      expect(result).toMatchObject({ left_out: 1, present: { triggers: 0 }, proposed: { triggers: 0 } });
      const unchanged = await tape.rehearse({ changes: { discovery: { min_profit_usd: usdFromNumber(1) } } });
      expect(unchanged.result.left_out).toBe(0);
    });
  });

  it('places what was found where only that is proposed, under the opportunities that there were', async () => {
    await withTape(async (tape) => {
      tape.note('opportunity', 'one', { ...opportunityOf(), relationId: RELATION_ID });
      costs(tape, [1.01, 0.97]);
      const { result, differences } = await tape.rehearse({ changes: { discovery: { auto_place_found: true } } });
      expect([result.present.batches, result.proposed.batches]).toEqual([0, 1]);
      expect(differences).toMatchObject([{ opportunity_id: 'one', present_triggers: 1, proposed_triggers: 1 }]);
    });
  });

  it('ends as soon as it is asked to', async () => {
    await withTape(async (tape) => {
      costs(tape, [1.01, 0.97]);
      const reason = new Error('enough');
      await expect(tape.rehearse({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    });
  });
});
