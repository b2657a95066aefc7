/** Cash that is moved between two pockets by a call that has no name: made once, whatever dies or does not answer. */
import { accountAt } from '@dutchbook/engine/order/reserved.ts';
import type { CashReading } from '@dutchbook/engine/risk/allowance.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { addUsd, subtractUsd, usdFromText } from '@dutchbook/units/usd.ts';
import type { CashMove, CashMoveOutcome } from '@dutchbook/venues/venue-pockets.ts';
import type { SQL } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { MOVE_POINTS } from '../../platform/runtime/crash-point.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { readInputs } from '../execution/placing/inputs.ts';
import { scriptedControls } from '../trading-controls/controls.fixture.ts';
import { reservedEntries } from '../under-way/table.ts';
import type { Account } from '../venue-desk/account.ts';
import { desksOf } from '../venue-desk/desks.ts';
import { openMoveLoop } from './move-loop.ts';
import { readMove } from './store.ts';
import { cashMoves } from './table.ts';

const MOVE = 'c0ffee00-0000-4000-8000-000000000001';

type Answer = CashMoveOutcome & { isMade: boolean };

const MADE: Answer = { kind: 'taken', isMade: true };

/** An account with $100 on shard 0 and $12 on shard 2, and what the venue makes of a call that moves $40. */
async function openDesk(test: TestRuntime, given: { answer?: Answer; takesMoves?: boolean; from?: string } = {}) {
  const { runtime } = test;
  const { answer = MADE, takesMoves = true, from = '100' } = given;
  const cash = new Map([
    ['0', usdFromText(from)],
    ['2', usdFromText('12')],
  ]);
  const state = { calls: 0, answer, isSilent: false, cashAgeMs: 0, readsLagMs: 0 };
  const refresh = async (): Promise<CashReading | null> => {
    const at = instantFromMs(runtime.clock.now() - state.cashAgeMs);
    return state.isSilent ? null : { cash: usdFromText('112'), pockets: new Map(cash), allowances: null, at };
  };
  const make = ({ from: source, to, amount }: CashMove) => {
    cash.set(source, subtractUsd(cash.get(source) ?? expect.unreachable(), amount));
    cash.set(to, addUsd(cash.get(to) ?? expect.unreachable(), amount));
  };
  const pocket = (name: string) => ({ name, description: '', trades: true, takesMoves, targetPercent: null });
  const pockets = {
    list: async () => ['0', '2'].map(pocket),
    hasPassed: async (at: Instant) => runtime.clock.now() - state.readsLagMs >= at,
    move: async (move: CashMove) => {
      state.calls += 1;
      if (state.answer.isMade) make(move);
      return state.answer;
    },
  };
  const desk = { name: 'kalshi' as const, trading: { pockets }, account: { refresh } };
  const loop = (
    given: Partial<Pick<Runtime, 'pass' | 'clock' | 'db'>> = {},
    account: Pick<Account, 'refresh'> = desk.account,
  ) => openMoveLoop({ runtime: { ...runtime, ...given }, desk: { ...desk, account } });
  await runtime.db.insert(cashMoves).values({
    ...{ id: MOVE, venue: 'kalshi', fromPocket: '0', toPocket: '2', amount: usdFromText('40'), status: 'recorded' },
    ...{ requestedBy: 'boss@example.com', createdAt: runtime.clock.now() },
  });
  const after = async (ms: number) => {
    await test.time.advance(ms);
    await loop()();
    return await readMove(runtime.db, MOVE);
  };
  const movingPockets = async () => {
    const reading = await refresh();
    const account = { reading: () => reading };
    const desks = desksOf([
      { name: 'kalshi' as const, account, controls: scriptedControls(), soundness: () => ({ clockSkewMs: null }) },
    ]);
    const readiness = () => ({ reconciled: true, placesFound: false, corruptSettings: [] });
    const { account: read } = await readInputs({ runtime, desks, readiness }, { practice: false });
    return read.accounts.get('kalshi')?.movingPockets;
  };
  const messages = async () => (await runtime.db.select().from(notifications)).map(({ message }) => message);
  return { state, cash, refresh, make, loop, after, movingPockets, messages };
}

describe('a move of cash', () => {
  it('waits until orders that were on their way have arrived, holds others back, and is done once both pockets show it', async () => {
    await using test = await openTestRuntime({ VENUE: 'simulated' });
    const desk = await openDesk(test);
    expect((await desk.after(1_000))?.status).toBe('recorded');
    expect([desk.state.calls, await desk.movingPockets()]).toEqual([0, ['0', '2']]);
    expect((await desk.after(1_000))?.status).toBe('sent');
    expect(await desk.movingPockets()).toEqual(['0', '2']);
    expect(await desk.after(1_000)).toMatchObject({ status: 'done', reason: null });
    expect([desk.state.calls, await desk.movingPockets()]).toEqual([1, undefined]);
    expect(await desk.messages()).toEqual(['Moved $40.00 from shard 0 to shard 2 at Kalshi.']);
  });

  it.each([
    ['the shard has less', { from: '39.99' }, 'shard 0 has $39.99, and $40.00 were to be moved', 0],
    ['transfers are halted', { takesMoves: false }, 'shard 0 takes no transfers now', 0],
    [
      'the venue refuses it',
      { answer: { kind: 'rejected', reason: 'transfers are paused', isMade: false } as const },
      'transfers are paused',
      1,
    ],
  ])('is rejected with its reason where %s', async (_when, given, reason, calls) => {
    await using test = await openTestRuntime({ VENUE: 'simulated' });
    const desk = await openDesk(test, given);
    expect(await desk.after(2_000)).toMatchObject({ status: 'rejected', reason });
    await desk.after(300_000);
    expect([desk.state.calls, await desk.movingPockets()]).toEqual([calls, undefined]);
    expect(await desk.messages()).toEqual([`Did not move $40.00 from shard 0 to shard 2 at Kalshi: ${reason}.`]);
  });

  it('F5: whose call is not answered, and which was made all the same, is proven by both pockets and not sent again', async () => {
    await using test = await openTestRuntime({ VENUE: 'simulated' });
    const desk = await openDesk(test, { answer: { kind: 'unknown', reason: 'no answer: 404', isMade: true } });
    await desk.after(2_000);
    expect((await desk.after(1_000))?.status).toBe('done');
    expect(desk.state.calls).toBe(1);
  });

  it('F5: which nothing shows is unknown, said once, never sent again, and done if it shows later', async () => {
    await using test = await openTestRuntime({ VENUE: 'simulated' });
    const desk = await openDesk(test, { answer: { kind: 'unknown', reason: 'no answer: timeout', isMade: false } });
    await desk.after(2_000);
    expect((await desk.after(119_000))?.status).toBe('sent');
    expect(await desk.after(1_000)).toMatchObject({ status: 'unknown', reason: 'no answer: timeout', endedAt: null });
    // Trading goes on beside one that nothing more is known of.
    expect(await desk.movingPockets()).toBeUndefined();
    await desk.after(600_000);
    expect(await desk.messages()).toEqual([
      'It is not known whether $40.00 from shard 0 to shard 2 at Kalshi were moved: check at the venue, and state it under Portfolio. It is not sent again.',
    ]);
    desk.make({ from: '0', to: '2', amount: usdFromText('40') });
    expect((await desk.after(10_000))?.status).toBe('done');
    expect(desk.state.calls).toBe(1);
  });

  it('waits until what the venue shows has passed the orders before it, and is proven only by what it shows of after its sending', async () => {
    await using test = await openTestRuntime({ VENUE: 'simulated' });
    const desk = await openDesk(test);
    desk.state.readsLagMs = 5_000;
    expect((await desk.after(6_999))?.status).toBe('recorded');
    expect((await desk.after(1))?.status).toBe('sent');
    // Both pockets look as if it were made, and may do so by what was before.
    expect((await desk.after(4_999))?.status).toBe('sent');
    expect((await desk.after(1))?.status).toBe('done');
    expect(desk.state.calls).toBe(1);
  });

  it('is not sent where the venue stays behind, and is unknown, never made, where it falls behind after its sending', async () => {
    await using test = await openTestRuntime({ VENUE: 'simulated' });
    const desk = await openDesk(test);
    await desk.after(2_000);
    desk.state.readsLagMs = 600_000;
    expect((await desk.after(120_000))?.status).toBe('unknown');
    desk.state.readsLagMs = 0;
    expect((await desk.after(10_000))?.status).toBe('done');
    await test.runtime.db
      .update(cashMoves)
      .set({ status: 'recorded', endedAt: null, createdAt: test.runtime.clock.now() });
    desk.state.readsLagMs = 600_000;
    expect(await desk.after(119_000)).toMatchObject({ status: 'recorded' });
    expect(await desk.after(1_000)).toMatchObject({ status: 'rejected' });
    expect(desk.state.calls).toBe(1);
  });

  it('waits while the venue does not say what the pockets hold', async () => {
    await using test = await openTestRuntime({ VENUE: 'simulated' });
    const desk = await openDesk(test);
    desk.state.isSilent = true;
    await expect(desk.after(2_000)).rejects.toThrow('the cash is not known');
    desk.state.isSilent = false;
    expect((await desk.after(1_000))?.status).toBe('sent');
  });
});

describe('a move of cash that two engines, a stop or a lost answer come upon', () => {
  it('is not called rejected by an engine that finds the shard empty because another has sent it', async () => {
    await using test = await openTestRuntime({ VENUE: 'simulated' });
    const desk = await openDesk(test, { from: '40' });
    await test.time.advance(2_000);
    const sentByAnother = async () => {
      await desk.loop()();
      return await desk.refresh();
    };
    const beaten = desk.loop({}, { refresh: sentByAnother });
    await beaten();
    expect((await readMove(test.runtime.db, MOVE))?.status).toBe('sent');
    expect((await desk.after(1_000))?.status).toBe('done');
    expect([desk.state.calls, (await desk.messages()).length]).toEqual([1, 1]);
  });

  it('is not sent by an engine that was stopped after it has marked it, as a person may have asked for another', async () => {
    await using test = await openTestRuntime({ VENUE: 'simulated' });
    const desk = await openDesk(test);
    await test.time.advance(2_000);
    let stoppedMs = 0;
    const clock = { ...test.runtime.clock, now: () => instantFromMs(test.runtime.clock.now() + stoppedMs) };
    const pass = (at: string) => {
      if (at === 'move_marked') stoppedMs = 600_000;
    };
    await desk.loop({ clock, pass })();
    const reason = 'it was not sent in time: ask for it again';
    expect(await desk.after(1_000)).toMatchObject({ status: 'rejected', reason });
    expect(desk.state.calls).toBe(0);
  });

  it('is not sent, and not again, where the answer of the database to the mark is lost', async () => {
    await using test = await openTestRuntime({ VENUE: 'simulated' });
    const desk = await openDesk(test);
    const { db } = test.runtime;
    await test.time.advance(2_000);
    const losing = new Proxy(db, {
      get: (real, name) =>
        name === 'update' ? (table: typeof cashMoves) => losingUpdate(db, table) : Reflect.get(real, name),
    });
    await expect(desk.loop({ db: losing })()).rejects.toThrow('connection lost');
    expect((await desk.after(1_000))?.status).toBe('sent');
    expect((await desk.after(200_000))?.status).toBe('unknown');
    expect(desk.state.calls).toBe(0);
  });

  it('is not sent by cash that was read before, nor long after it was asked for, and then holds no order back', async () => {
    await using test = await openTestRuntime({ VENUE: 'simulated' });
    const desk = await openDesk(test);
    desk.state.cashAgeMs = 10_000;
    await expect(desk.after(12_000)).rejects.toThrow('the cash is not known');
    desk.state.cashAgeMs = 0;
    const reason = 'it could not be sent within two minutes: ask for it again';
    expect(await desk.after(110_000)).toMatchObject({ status: 'rejected', reason, sentAt: null });
    expect([desk.state.calls, await desk.movingPockets()]).toEqual([0, undefined]);
  });

  it('which is unknown is not taken for made by what is spent of one shard and paid out to the other', async () => {
    await using test = await openTestRuntime({ VENUE: 'simulated' });
    const desk = await openDesk(test, { answer: { kind: 'unknown', reason: 'no answer: timeout', isMade: false } });
    await desk.after(2_000);
    await desk.after(120_000);
    desk.cash.set('0', usdFromText('30')).set('2', usdFromText('90'));
    expect((await desk.after(60_000))?.status).toBe('unknown');
  });

  it('leaves in a shard what a batch under way may still take', async () => {
    await using test = await openTestRuntime({ VENUE: 'simulated' });
    const desk = await openDesk(test, { from: '50' });
    const entry = { batchId: MOVE, account: accountAt('kalshi', 'reserved'), day: '', amount: usdFromText('20') };
    await test.runtime.db.insert(reservedEntries).values(entry);
    const reason = 'shard 0 has $30.00, and $40.00 were to be moved';
    expect(await desk.after(2_000)).toMatchObject({ status: 'rejected', reason });
    expect(desk.state.calls).toBe(0);
  });
});

/** What was to be changed is, and its answer does not come. */
function losingUpdate(db: Db, table: typeof cashMoves) {
  const returning = (given: Partial<typeof cashMoves.$inferInsert>, which: SQL) => async () => {
    await db.update(table).set(given).where(which);
    throw new Error('connection lost');
  };
  return {
    set: (given: Partial<typeof cashMoves.$inferInsert>) => ({
      where: (which: SQL) => ({ returning: returning(given, which) }),
    }),
  };
}

class Killed extends Error {}

it.each(MOVE_POINTS.flatMap((point) => [true, false].map((isMade) => ({ point, isMade }))))(
  'an engine that dies when it has passed $point leaves a move that is proven or unknown, and never doubled (made: $isMade)',
  async ({ point, isMade }) => {
    await using test = await openTestRuntime({ VENUE: 'simulated' });
    const desk = await openDesk(test, {
      answer: isMade ? MADE : { kind: 'rejected', reason: 'transfers are paused', isMade },
    });
    const pass = (at: string) => {
      if (at === point) throw new Killed(at);
    };
    const dying = desk.loop({ pass });
    const died = async () => {
      try {
        await dying();
        return false;
      } catch (error) {
        expect(error).toBeInstanceOf(Killed);
        return true;
      }
    };
    await test.time.advance(2_000);
    let isDead = false;
    for (let round = 0; round < 3 && !isDead; round += 1) {
      isDead = await died();
      await test.time.advance(1_000);
    }
    expect(isDead).toBe(true);
    const left = await desk.after(200_000);
    const isSent = point !== 'move_marked';
    expect(desk.state.calls).toBe(isSent ? 1 : 0);
    const isShown = isSent && isMade;
    expect(left?.status).toBe(isShown ? 'done' : point === 'move_ended' ? 'rejected' : 'unknown');
    expect(desk.cash.get('2')).toBe(usdFromText(isShown ? '52' : '12'));
  },
);
