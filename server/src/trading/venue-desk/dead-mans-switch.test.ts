import type { HeartbeatOutcome, VenueOrder } from '@dutchbook/venues/venue.ts';
import { expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import { recordedBatch } from '../execution/runner/runner.fixture.ts';
import type { TradingControls } from '../trading-controls/trading-controls.ts';
import { keepDeadMansSwitch } from './dead-mans-switch.ts';

type Test = Awaited<ReturnType<typeof openTestRuntime>>;

async function watched() {
  const test = await openTestRuntime();
  const beating = beatingAt(test, { venue: 'polymarket', label: null });
  const reported = async () => (await test.runtime.db.select().from(notifications)).map((row) => row.notificationType);
  return { ...beating, reported, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() };
}

function beatingAt(test: Test, at: Pick<TradingControls, 'venue' | 'label'>) {
  const state = {
    armed: false,
    beats: 0,
    outcome: { kind: 'taken' } as HeartbeatOutcome,
    resting: [] as VenueOrder[],
  };
  const react: (() => void)[] = [];
  const trading = {
    heartbeat: async () => {
      state.beats += 1;
      return state.outcome;
    },
    openOrders: async () => state.resting,
  };
  const controls = {
    ...at,
    current: () => ({ armed: state.armed }) as ReturnType<TradingControls['current']>,
    onChange: (changed: () => void) => {
      react.push(changed);
      return () => {};
    },
  };
  const stop = keepDeadMansSwitch(test.runtime, trading, controls);
  const beatsIn = async (ms: number) => {
    const before = state.beats;
    await test.time.advance(ms);
    return state.beats - before;
  };
  const arm = (armed: boolean) => {
    state.armed = armed;
    for (const changed of react) changed();
  };
  return { state, stop, beatsIn, arm };
}

it('the venue hears of us at once when trading is armed and at least every five seconds, and not before', async () => {
  await using test = await watched();
  expect(await test.beatsIn(20_000)).toBe(0);
  test.arm(true);
  expect(await test.beatsIn(500)).toBe(1);
  expect(await test.beatsIn(60_000)).toBeGreaterThanOrEqual(12);
  test.stop();
});

it('a disarmed product goes on until nothing rests, so that the venue cancels nothing that is to stay', async () => {
  await using test = await watched();
  test.arm(true);
  await test.beatsIn(10_000);
  test.state.resting = [{} as VenueOrder];
  test.arm(false);
  expect(await test.beatsIn(30_000)).toBeGreaterThanOrEqual(6);
  test.state.resting = [];
  await test.beatsIn(10_000);
  expect(await test.beatsIn(30_000)).toBe(0);
  test.stop();
});

it('a batch that is under way at one venue keeps the switch of that venue alone', async () => {
  await using test = await openTestRuntime();
  await recordedBatch(test, {}, ['kalshi:101', 'kalshi:102']);
  const [there, elsewhere] = [
    beatingAt(test, { venue: 'kalshi', label: 'Kalshi' }),
    beatingAt(test, { venue: 'polymarket', label: 'Polymarket' }),
  ];
  for (const { arm } of [there, elsewhere]) arm(true);
  await test.time.advance(10_000);
  for (const { arm } of [there, elsewhere]) arm(false);
  await test.time.advance(10_000);
  expect(await elsewhere.beatsIn(30_000)).toBe(0);
  expect(await there.beatsIn(30_000)).toBeGreaterThanOrEqual(6);
  for (const { stop } of [there, elsewhere]) stop();
});

it('heartbeats that are not taken are repeated every second, and notified once each time they stay so', async () => {
  await using test = await watched();
  test.arm(true);
  await test.beatsIn(5000);
  test.state.outcome = { kind: 'failed', reason: 'no answer' };
  expect(await test.beatsIn(9000)).toBeGreaterThanOrEqual(4);
  expect(await test.reported()).toEqual([]);
  await test.beatsIn(60_000);
  await expect.poll(test.reported).toEqual(['dead_mans_switch']);
  test.state.outcome = { kind: 'taken' };
  await test.beatsIn(10_000);
  test.state.outcome = { kind: 'failed', reason: 'no answer' };
  await test.beatsIn(30_000);
  await expect.poll(test.reported).toEqual(['dead_mans_switch', 'dead_mans_switch']);
  test.stop();
});

it('a venue without the call is notified once and asked once a minute', async () => {
  await using test = await watched();
  test.state.outcome = { kind: 'unsupported', reason: '404' };
  test.arm(true);
  expect(await test.beatsIn(200_000)).toBeLessThanOrEqual(4);
  await expect.poll(test.reported).toEqual(['dead_mans_switch']);
  test.stop();
});

it('of two venues that take none each is notified by its name', async () => {
  await using test = await openTestRuntime();
  const venues = [
    beatingAt(test, { venue: 'polymarket', label: 'Polymarket' }),
    beatingAt(test, { venue: 'kalshi', label: 'Kalshi' }),
  ];
  for (const { state, arm } of venues) {
    state.outcome = { kind: 'failed', reason: 'no answer' };
    arm(true);
  }
  await test.time.advance(30_000);
  const said = async () => (await test.runtime.db.select().from(notifications)).map(({ message }) => message).sort();
  await expect
    .poll(said)
    .toEqual([
      expect.stringMatching(/^Kalshi has taken no heartbeat/),
      expect.stringMatching(/^Polymarket has taken no heartbeat/),
    ]);
  for (const { stop } of venues) stop();
});
