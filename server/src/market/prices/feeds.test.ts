import { describe, expect, it, vi } from 'vitest';
import { presentOpportunity } from '../opportunities/present.ts';
import { type Desk, openDesk, type ScriptedProcess } from './live-prices.fixture.ts';

const NEVER = 100;

/** A set of two that pays a dollar and costs 95 cents, which is triggered as soon as the threshold lets it. */
async function openDeskOver(settings: Parameters<Desk['settings']['change']>[0]) {
  const desk = await openDesk();
  desk.settings.change({ MIN_PROFIT_TRIGGER_THRESHOLD: NEVER, ...settings });
  for (const id of ['rain', 'snow']) desk.venue.list(id);
  desk.venue.setBooks({ 'rain:yes': { asks: [['0.45', '500']] }, 'snow:yes': { asks: [['0.50', '500']] } });
  const added = await desk.add(['rain Yes', 'snow Yes']);
  const started = await desk.start();
  await desk.test.time.advance(3000);
  return { desk, added, started };
}

/** The positions as the page of the opportunity shows them. */
async function shown({ settings, stored }: Desk, { live }: ScriptedProcess, id: string) {
  const row = await stored(id);
  return presentOpportunity(row, live.open(row).quotes, settings.current(), []).positions;
}

/** Long enough for what the loop has begun to be recorded, and for its writes. */
async function writesDone({ test }: Desk): Promise<void> {
  await test.time.advance(6000);
}

describe('a feed that has fallen silent,', () => {
  it.each([
    [
      'streamed',
      { ENABLE_WEBSOCKET: true },
      (desk: Desk, works: boolean) => desk.venue.trust('snow:yes', works ? 'live' : 'stale'),
    ],
    [
      'polled',
      { ENABLE_WEBSOCKET: false },
      (desk: Desk, works: boolean) => {
        desk.venue.answers = works;
      },
    ],
  ])(
    'while books are %s, is shown with its age and triggers nothing until it is back',
    async (_how, settings, feed) => {
      const { desk, added, started } = await openDeskOver(settings);
      await using _ = desk;
      expect(await desk.stored(added.id)).toMatchObject({ currentPrice: 950_000, lastError: null });
      feed(desk, false);
      await desk.test.time.advance(20_000);
      const [, snow] = await shown(desk, started, added.id);
      expect(snow).toMatchObject({ feed: 'stale' });
      expect(snow?.book_age_ms).toBeGreaterThan(10_000);
      // Its last price would pay; and a change of the settings looks at everything again.
      desk.settings.change({ MIN_PROFIT_TRIGGER_THRESHOLD: 0.8 });
      await writesDone(desk);
      expect(await desk.stored(added.id)).toMatchObject({ triggered: false, currentPrice: 950_000 });
      expect(desk.placed).toEqual([]);
      feed(desk, true);
      await desk.untilStored(added.id, { triggered: true });
      expect(desk.placed).toEqual([added.id]);
      const [, back] = await shown(desk, started, added.id);
      expect(back?.feed).not.toBe('stale');
    },
  );

  it('leaves the moment of the last look where it was', async () => {
    const { desk, added } = await openDeskOver({ ENABLE_WEBSOCKET: true });
    await using _ = desk;
    desk.venue.trust('snow:yes', 'stale');
    await writesDone(desk);
    const { lastChecked } = await desk.stored(added.id);
    desk.venue.setBooks({ 'rain:yes': { asks: [['0.40', '500']] } });
    await desk.test.time.advance(30_000);
    expect(await desk.stored(added.id)).toMatchObject({ lastChecked, currentPrice: 950_000 });
  });

  it('is not waited for where the market has resolved: nothing is bought in it any more', async () => {
    const { desk, added, started } = await openDeskOver({ ENABLE_WEBSOCKET: false });
    await using _ = desk;
    desk.venue.list('snow', { closed: true, acceptingOrders: false });
    await vi.waitFor(async () => {
      await desk.test.time.advance(5000);
      expect((await desk.stored(added.id)).lastError).toContain('the market is closed');
    }, 60_000);
    desk.settings.change({ MIN_PROFIT_TRIGGER_THRESHOLD: 0.8 });
    await writesDone(desk);
    expect(desk.placed).toEqual([]);
    expect(started.live.rowsNow([added])[0]).toMatchObject({ triggered: false });
  });
});
