/** What a rehearsal says of spans of which not everything was recorded, and how it goes on behind them. */
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { priceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { USD_ZERO, usdFromNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { decisionLine, type JournaledDecision } from '../../market/decision-journal/journaled.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import { recordingFolder } from '../recordings/recorder.fixture.ts';
import { ACCOUNT, openTape, type Tape } from './tape.fixture.ts';

const PLENTY = 1000;

async function withTape(work: (tape: Tape) => Promise<void>): Promise<void> {
  await using test = await openTestRuntime();
  using place = recordingFolder();
  await work(openTape(test, place.folder));
}

/** What a set costs from now on, with leg 1 at 0.45. */
function costs(tape: Tape, price: number): Tape {
  return tape.book('b:yes', [[Number((price - 0.45).toFixed(2)), PLENTY]], [[0.3, PLENTY]]);
}

/** With what each set costs in a second of its own. */
function begin(tape: Tape, prices: readonly number[]): Tape {
  tape.at(0).book('a:yes', [[0.45, PLENTY]], [[0.4, PLENTY]]);
  for (const [second, price] of prices.entries()) costs(tape.at(1000 * (second + 1)), price);
  return tape;
}

/** From the third second until the end of the first minute nothing is recorded; then what a set costs is recorded at `recordedMs`. */
function loseMinute(tape: Tape, price: number, recordedMs = 60_000): Tape {
  begin(tape, [1.01]).at(3000).gap(60_000, 'not running').at(recordedMs);
  tape.book('a:yes', [[0.45, PLENTY]], [[0.4, PLENTY]]).trust('a:yes', 'live');
  return costs(tape, price).trust('b:yes', 'live');
}

/** Five sets were really bought, at the moment at which they were seen. */
function bought(rises: number, price: number, at: Instant): JournaledDecision {
  const orderOf = (leg: number, market: string, cost: number) => ({
    ...{ leg, tokenId: `${market}:yes`, size: sharesFromNumber(5), limitPrice: priceFromNumber(cost) },
    ...{ cost: usdFromNumber(Number((5 * cost).toFixed(2))), fee: USD_ZERO },
  });
  const line = decisionLine({
    ...{ opportunityId: 'one', rises, currentPrice: priceFromNumber(price), feesPerSet: USD_ZERO },
    ...{ profitPct: percentFromNumber(Math.floor(((1 - price) / price) * 1e8) / 1e6), size: sharesFromNumber(5) },
    ...{ orders: [orderOf(1, 'a', 0.45), orderOf(2, 'b', Number((price - 0.45).toFixed(2)))], refusals: [] },
  });
  return {
    ...{ rises, seenAt: at, begunAt: at, line, batchId: null, account: ACCOUNT, activeBatchId: null },
    bookAges: [0, 0],
  };
}

it('counts nothing of a rise before a hole whose decision was taken in it', async () => {
  await withTape(async (tape) => {
    const seenAt = instantFromMs(tape.from + 2990);
    costs(begin(tape, [1.01]).at(2990), 0.97)
      .at(3000)
      .gap(60_000, 'not running');
    tape.at(3010).note('decision', 'one', { ...bought(1, 0.97, seenAt), begunAt: instantFromMs(tape.from + 3010) });
    tape
      .at(60_000)
      .book('a:yes', [[0.45, PLENTY]], [[0.4, PLENTY]])
      .trust('a:yes', 'live');
    costs(tape, 1.01).trust('b:yes', 'live');
    const behind = bought(2, 0.96, instantFromMs(tape.from + 64_000));
    costs(tape.at(64_000), 0.96).note('decision', 'one', behind);
    const { result, present, proposed } = await tape.rehearse();
    expect(result.unknown).toEqual([{ from: tape.from + 3000, until: tape.from + 60_000, reason: 'not running' }]);
    expect([present, proposed]).toEqual([[behind.line], [behind.line]]);
  });
});

describe('behind a hole a rehearsal', () => {
  it('goes on with the rises that there were in it', async () => {
    await withTape(async (tape) => {
      const [first, second] = [62_000, 64_000].map((ms) => instantFromMs(tape.from + ms)) as [Instant, Instant];
      const taken = [bought(7, 0.97, first), bought(8, 0.96, second)];
      costs(loseMinute(tape, 1.01).at(62_000), 0.97).note('decision', 'one', taken[0] ?? null);
      costs(tape.at(63_000), 1.01);
      costs(tape.at(64_000), 0.96).note('decision', 'one', taken[1] ?? null);
      const { result, present, proposed } = await tape.rehearse();
      const lines = taken.map(({ line }) => line);
      expect([present, proposed]).toEqual([lines, lines]);
      expect(result.unknown).toEqual([{ from: tape.from + 3000, until: tape.from + 60_000, reason: 'not running' }]);
    });
  });

  it('takes what it sees first for a rise only where it really was one', async () => {
    await withTape(async (tape) => {
      const { present } = await costs(loseMinute(tape, 0.97).at(61_000), 0.96).rehearse();
      expect(present).toEqual([]);
    });
    await withTape(async (tape) => {
      const taken = bought(3, 0.97, instantFromMs(tape.from + 60_500));
      const { present } = await loseMinute(tape, 0.97, 60_500).note('decision', 'one', taken).rehearse();
      expect(present).toEqual([taken.line]);
    });
  });

  it('knows nothing before a decision whose rise cannot be told from others', async () => {
    await withTape(async (tape) => {
      const { seenAt: _, ...older } = bought(7, 0.97, instantFromMs(tape.from + 62_000));
      costs(loseMinute(tape, 1.01).at(62_000), 0.97).at(62_010).note('decision', 'one', older);
      costs(costs(tape.at(63_000), 1.01).at(64_000), 0.97);
      const { result, present } = await tape.rehearse();
      expect(result.unknown).toEqual([{ from: tape.from + 3000, until: tape.from + 62_260, reason: 'not running' }]);
      expect(present.map((line) => (JSON.parse(line) as unknown[])[1])).toEqual([8]);
    });
  });

  it('knows nothing before a decision that was taken by books which were recorded later', async () => {
    await withTape(async (tape) => {
      const taken = bought(7, 0.97, instantFromMs(tape.from + 60_200));
      loseMinute(tape.at(60_200).note('decision', 'one', taken), 0.97, 61_000);
      costs(costs(tape.at(63_000), 1.01).at(64_000), 0.97);
      const { result, present } = await tape.rehearse();
      expect(result.unknown).toEqual([{ from: tape.from + 3000, until: tape.from + 60_450, reason: 'not running' }]);
      expect(present.map((line) => (JSON.parse(line) as unknown[])[1])).toEqual([8]);
    });
  });
});

it('decides nothing while journal rows were dropped that it would be decided by', async () => {
  await withTape(async (tape) => {
    begin(tape, [1.01, 0.97, 1.01, 0.97, 1.01, 0.97, 1.01, 0.97]);
    // From 3.5 seconds on; when it is over the opportunity stands at its trigger.
    tape
      .at(6500)
      .note('lost', '', { from: instantFromMs(tape.from + 3500) })
      .at(8000);
    const changes = { settings: { MIN_PROFIT_TRIGGER_THRESHOLD: 2 } };
    const { result, differences } = await tape.rehearse({ changes });
    const reason = 'the database did not take what decisions look at';
    expect(result.unknown).toEqual([{ from: tape.from + 3500, until: tape.from + 6500, reason }]);
    expect([result.present.triggers, result.proposed.triggers]).toEqual([2, 2]);
    expect(differences).toEqual([]);
    const from = instantFromMs(tape.from + 5000);
    const later = await tape.rehearse({ from, changes });
    expect(later.result.unknown).toEqual([{ from, until: tape.from + 6500, reason }]);
    expect(later.result.present.triggers).toBe(1);
  });
});

it('takes trading for ready from when a decision shows that it was, though the account was noted later', async () => {
  await withTape(async (tape) => {
    const unready = { ...ACCOUNT, readiness: { ...ACCOUNT.readiness, reconciled: false } };
    begin(tape.at(0).note('account', '', unready), [1.01, 0.97, 1.01]);
    const taken = bought(1, 0.97, instantFromMs(tape.from + 2000));
    tape.at(2001).note('decision', 'one', taken);
    const { present } = await tape.at(5000).note('account', '', ACCOUNT).rehearse();
    expect(present).toEqual([taken.line]);
  });
});
