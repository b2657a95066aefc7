import { eventOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import type { TradingLimits } from '@dutchbook/engine/risk/context.ts';
import { NO_LIMITS } from '@dutchbook/engine/risk/limits/touched.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { positionsOf } from '../../../market/opportunities/identity.ts';
import type { StoredOpportunity } from '../../../market/opportunities/store.ts';
import { opportunities } from '../../../market/opportunities/table.ts';
import { type Desk, openDesk } from '../../../market/prices/live-prices.fixture.ts';
import { changeSettings } from '../../../people/system-settings/store.ts';
import { lock } from '../../../platform/database/locks.ts';
import { executeNamed } from '../../../platform/database/named.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { together } from '../../../platform/database/write-together.ts';
import { splitRowsFor } from '../../chain-steps/split-rows.ts';
import { batches } from '../../orders/table.ts';
import { type ScriptedControls, scriptedControls, storeLimitsOf } from '../../trading-controls/controls.fixture.ts';
import { DESK_LIMITS, readLimits } from '../../trading-controls/limits.ts';
import { ensureControls, storeLimits, WHOLE_DESK } from '../../trading-controls/store.ts';
import { oneDesk } from '../../venue-desk/desks.fixture.ts';
import { recordedBatch } from '../runner/runner.fixture.ts';
import { placeByHand } from './by-hand.ts';
import { openPlacing, triggeredBy } from './placing.ts';
import type { PlaceParts } from './request.ts';

/** Five shares at 0.90, the least that may be bought of one of these: $4.50. */
const ASK = '0.90';

type Placer = AsyncDisposable & {
  desk: Desk;
  controls: ScriptedControls;
  opportunities: StoredOpportunity[];
  byHand: (opportunity: StoredOpportunity) => Promise<readonly string[] | 'placed'>;
  /** At the price of `ASK` unless said. */
  automatically: (opportunity: StoredOpportunity, price?: string) => Promise<readonly string[] | 'placed'>;
  recorded: () => Promise<number>;
  limit: (limits: TradingLimits) => Promise<void>;
  /** What others do while an order is being assessed. */
  meanwhile: () => Promise<void>;
  /** Places by hand, and does `work` once what was judged waits for the lock under which it is recorded. */
  whileWaiting: (opportunity: StoredOpportunity, work: () => Promise<void>) => Promise<readonly string[] | 'placed'>;
  account: { cash: Usd; clockSkewMs: number | null };
};

/** A user whose account has money for everything, and `count` opportunities that each pay a dollar. */
async function openPlacer(count: number): Promise<Placer> {
  const desk = await openDesk();
  const { runtime } = desk.test;
  const opportunities: StoredOpportunity[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    desk.venue.list(`market${nth}`);
    desk.venue.setBooks({ [`market${nth}:yes`]: { asks: [[ASK, '500']] } });
    opportunities.push(await desk.add([`market${nth} Yes`]));
  }
  const { quotes } = await desk.start();
  const controls = scriptedControls();
  const account = { cash: usdFromText('1000'), clockSkewMs: null as number | null };
  const reading = () => ({ cash: account.cash, allowances: null, at: runtime.clock.now() });
  let meanwhile = async () => {};
  const refresh = async () => {
    await meanwhile();
    return reading();
  };
  const parts: PlaceParts = {
    runtime: { ...runtime, config: { ...runtime.config, databaseUrl: 'postgres://one-of-many/dutchbook' } },
    quotes,
    catalogue: desk.venue.venue.catalogue,
    settings: desk.settings,
    desks: oneDesk({
      controls,
      account: { reading, refresh, stop: () => {} },
      soundness: () => ({ clockSkewMs: account.clockSkewMs }),
    }),
    readiness: () => ({ reconciled: true, placesFound: false, corruptSettings: [] }),
  };
  const userId = runtime.random.uuid();
  const actor = { id: userId, email: 'operator@example.com', address: '127.0.0.1' };
  const carriers = { fastPath: null, wake: () => {} };
  const byHand = async (opportunity: StoredOpportunity) => {
    const request = { opportunity, size: null, quotedPrice: null, userId, splitRows: splitRowsFor(null) };
    const placed = await placeByHand(parts, carriers, request, { actor });
    return placed.kind === 'placed' ? 'placed' : placed.reasons;
  };
  return {
    ...{ desk, controls, opportunities, account, byHand },
    whileWaiting: async (opportunity, work) => {
      let placing: ReturnType<typeof byHand> | null = null;
      await runtime.db.transaction(async (tx) => {
        await lock(tx, 'spending');
        placing = byHand(opportunity);
        const waiting = sql`select count(*)::int as waiting from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`;
        await expect.poll(async () => (await executeNamed(runtime.priorityDb, waiting))[0]).toEqual({ waiting: 1 });
        await work();
      });
      return await (placing ?? expect.unreachable('nothing is being placed'));
    },
    automatically: async (row, price = ASK) => {
      const opportunity = { ...row, currentPrice: priceFromText(price) };
      const fresh = await quotes.fresh(positionsOf(opportunity.marketCombinations));
      const buying = openPlacing(parts, carriers, triggeredBy(opportunity, fresh, runtime.clock.now));
      return await pipelined(runtime.priorityDb, async ({ send, commitWith }) => {
        const decided = await buying.look(send)();
        if ('refusals' in decided) return [];
        await commitWith([together(decided.writes)]);
        return 'placed';
      });
    },
    recorded: () => runtime.db.$count(batches),
    limit: async (limits) => {
      controls.limits = limits;
      await storeLimitsOf(runtime, limits);
    },
    get meanwhile() {
      return meanwhile;
    },
    set meanwhile(work) {
      meanwhile = work;
    },
    [Symbol.asyncDispose]: () => desk[Symbol.asyncDispose](),
  };
}

const dayLimit: TradingLimits = { ...NO_LIMITS, perDay: usdFromText('45') };
const exposureLimit: TradingLimits = { ...NO_LIMITS, openExposure: usdFromText('45') };

describe('placing under limits', () => {
  it.each([
    { limit: 'the day', limits: dayLimit, refusal: /today is \$49\.50, the limit is \$45\.00/ },
    { limit: 'open exposure', limits: exposureLimit, refusal: /exposure is \$49\.50, the limit is \$45\.00/ },
  ])('keeps twenty simultaneous orders together within the limit on $limit', async ({ limits, refusal }) => {
    await using placer = await openPlacer(20);
    await placer.limit(limits);
    const outcomes = await Promise.all(
      placer.opportunities.map((opportunity, nth) =>
        nth % 4 === 3 ? placer.automatically(opportunity) : placer.byHand(opportunity),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'placed')).toHaveLength(10);
    expect(await placer.recorded()).toBe(10);
    const reasons = outcomes.flatMap((outcome) => (outcome === 'placed' ? [] : outcome));
    expect(reasons.filter((reason) => !refusal.test(reason))).toEqual([]);
    const [another] = placer.opportunities.filter((_, nth) => outcomes[nth] !== 'placed');
    if (another === undefined) throw new Error('every order was placed');
    expect(await placer.byHand(another)).toEqual([expect.stringMatching(refusal)]);
    await placer.limit(NO_LIMITS);
    expect(await placer.byHand(another)).toBe('placed');
  });

  it.each([
    ['verified', 0],
    ['stale', 1],
  ] as const)(
    'places by the streamed book where it is %s, asking the venue for books %i times',
    async (trust, asked) => {
      await using placer = await openPlacer(1);
      const { desk, opportunities } = placer;
      const [opportunity] = opportunities;
      if (opportunity === undefined) throw new Error('there is no opportunity');
      await desk.test.time.advance(1);
      desk.venue.trust('market0:yes', trust);
      desk.venue.calls.length = 0;
      expect(await placer.byHand(opportunity)).toBe('placed');
      expect(desk.venue.calls.filter((call) => call === 'fetchBooks')).toHaveLength(asked);
    },
  );

  it('refuses by hand and automatically while disarmed, and where a required limit is not set', async () => {
    await using placer = await openPlacer(1);
    const [opportunity] = placer.opportunities;
    if (opportunity === undefined) throw new Error('there is no opportunity');
    placer.controls.armed = false;
    expect(await placer.byHand(opportunity)).toEqual(['Trading is disarmed.']);
    expect(await placer.automatically(opportunity)).toEqual([]);
    placer.controls.armed = true;
    placer.controls.limitsRequired = true;
    await placer.limit({ ...dayLimit, perOrder: usdFromText('4.49'), openExposure: usdFromText('45') });
    expect(await placer.byHand(opportunity)).toEqual([
      'The order of leg 1 takes up to $4.50, the limit is $4.49.',
      'No limit per batch is set.',
    ]);
    expect(await placer.automatically(opportunity)).toEqual([]);
    expect(await placer.recorded()).toBe(0);
    await placer.limit({ ...placer.controls.limits, perOrder: usdFromText('4.5'), perBatch: usdFromText('4.5') });
    expect(await placer.automatically(opportunity)).toBe('placed');
  });

  it("counts what is held at a venue that is not configured any more against the whole desk's limits", async () => {
    await using placer = await openPlacer(1);
    const [opportunity] = placer.opportunities;
    if (opportunity === undefined) throw new Error('there is no opportunity');
    const { test } = placer.desk;
    await recordedBatch(test, {}, ['kalshi:101']);
    const limitDesk = async (openExposure: Usd) => {
      const { db, clock, config } = test.runtime;
      const changing = { clock, mode: config.venueMode, of: WHOLE_DESK, userId: null } as const;
      await ensureControls(db, config.venueMode, WHOLE_DESK);
      await storeLimits(db, changing, { ...NO_LIMITS, openExposure });
    };
    await limitDesk(usdFromText('8.49'));
    expect(await readLimits(test.runtime, DESK_LIMITS)).toMatchObject({ open_exposure_now_usd: usdFromText('4') });
    expect(await placer.byHand(opportunity)).toEqual([
      expect.stringMatching(/exposure is \$8\.50, the limit of the whole desk is \$8\.49/),
    ]);
    await limitDesk(usdFromText('8.5'));
    expect(await placer.byHand(opportunity)).toBe('placed');
  });
});

describe('placing what another process has placed meanwhile', () => {
  it('is refused though that batch has ended already, whatever the clock there says; the next decision is not', async () => {
    await using placer = await openPlacer(1);
    const { test } = placer.desk;
    const { runtime } = test;
    const [opportunity] = placer.opportunities;
    if (opportunity === undefined) throw new Error('there is no opportunity');
    placer.meanwhile = async () => {
      const behind = { ...runtime, clock: { now: () => instantFromMs(runtime.clock.now() - 5000) } };
      await recordedBatch({ ...test, runtime: behind });
      await runtime.db.update(batches).set({ opportunityId: opportunity.id, status: 'completed' });
    };
    expect(await placer.byHand(opportunity)).toEqual(['Another batch of this opportunity was placed meanwhile.']);
    placer.meanwhile = async () => {};
    expect(await placer.byHand(opportunity)).toBe('placed');
  });
});

describe('placing what a person has changed while it was judged', () => {
  it.each([
    ['switched off', { active: false }, 'The opportunity is not active.'],
    [
      'repriced to a loss',
      { targetPrice: priceFromText('0.80') },
      'The target price was changed from 1.0000 to 0.8000 meanwhile.',
    ],
    ['deleted', null, 'The opportunity was deleted.'],
  ])('is refused where it was %s', async (_what, edit, refusal) => {
    await using placer = await openPlacer(1);
    const [opportunity] = placer.opportunities;
    if (opportunity === undefined) throw new Error('there is no opportunity');
    const { db } = placer.desk.test.runtime;
    placer.meanwhile = async () => {
      if (edit === null) await db.delete(opportunities);
      else await db.update(opportunities).set(edit);
    };
    expect(await placer.byHand(opportunity)).toEqual([refusal]);
    expect(await placer.recorded()).toBe(0);
  });

  it('is refused by a limit that this process does not know yet, by hand and automatically', async () => {
    await using placer = await openPlacer(1);
    const [opportunity] = placer.opportunities;
    if (opportunity === undefined) throw new Error('there is no opportunity');
    await storeLimitsOf(placer.desk.test.runtime, { ...NO_LIMITS, perBatch: usdFromText('4') });
    const refusal = 'The batch takes up to $4.50, the limit is $4.00.';
    expect(await placer.byHand(opportunity)).toEqual([refusal]);
    expect(await placer.automatically(opportunity)).toEqual([]);
  });

  it('is refused where automatic placing is off, which this process does not know yet', async () => {
    await using placer = await openPlacer(1);
    const [opportunity] = placer.opportunities;
    if (opportunity === undefined) throw new Error('there is no opportunity');
    const { runtime } = placer.desk.test;
    const by = { at: runtime.clock.now(), userId: runtime.random.uuid() };
    await runtime.db.transaction((tx) => changeSettings(tx, { AUTO_PLACE_ORDER_ENABLED: false }, by));
    expect(await placer.automatically(opportunity)).toEqual([]);
    expect(await placer.byHand(opportunity)).toBe('placed');
  });
});

describe('placing by hand what changes between its judgement and its record', () => {
  const only = ({ opportunities: [opportunity] }: Placer) => opportunity ?? expect.unreachable('there is one');

  it('is refused by any gate that refuses by then', async () => {
    await using placer = await openPlacer(1);
    const skewed = async () => {
      placer.account.clockSkewMs = 60_000;
    };
    expect(await placer.whileWaiting(only(placer), skewed)).toEqual([expect.stringMatching(/clock/)]);
    expect(await placer.recorded()).toBe(0);
  });

  it('is planned by the settings of then, which its batch shows', async () => {
    await using placer = await openPlacer(1);
    const { settings, test } = placer.desk;
    const change = async () => settings.change({ MIN_ORDER_SHARES: 7 });
    expect(await placer.whileWaiting(only(placer), change)).toBe('placed');
    const [batch] = await test.runtime.db.select().from(batches);
    expect(batch).toMatchObject({ orderSize: sharesFromText('7'), settings: { MIN_ORDER_SHARES: 7 } });
  });

  it('is refused where an earlier batch of the opportunity is retried', async () => {
    await using placer = await openPlacer(1);
    const { db } = placer.desk.test.runtime;
    const { id: opportunityId } = only(placer);
    await recordedBatch(placer.desk.test);
    await db.update(batches).set({ opportunityId, status: 'failed' });
    const retry = async () => void (await db.update(batches).set({ status: 'retry_pending' }));
    const refusal = 'A batch of this opportunity is still active.';
    expect(await placer.whileWaiting(only(placer), retry)).toEqual([refusal]);
  });

  it('is refused by what is left where another has spent the cash', async () => {
    await using placer = await openPlacer(2);
    placer.account.cash = usdFromText('5');
    const [one, other] = placer.opportunities;
    if (one === undefined || other === undefined) throw new Error('there are two opportunities');
    const outcomes = await Promise.all([placer.byHand(one), placer.byHand(other)]);
    expect(outcomes).toContain('placed');
    expect(outcomes.filter((outcome) => outcome !== 'placed')).toEqual([['The balance is $0.50, needs $4.50.']]);
  });
});

describe('placing what is flagged', () => {
  it.each([
    { flaw: 'leans on an augmented event', augmented: true, asks: ['0.45', '0.45'], price: '0.9' },
    { flaw: 'promises more than 20%', augmented: false, asks: ['0.45', '0.38'], price: '0.83' },
  ])('is left to a person where it $flaw', async ({ augmented, asks: [first = '', second = ''], price }) => {
    await using placer = await openPlacer(0);
    const { desk } = placer;
    const list = (isFlagged: boolean) => {
      const event = eventOf({ augmented: isFlagged && augmented, marketIds: ['rain', 'snow', 'other'] });
      for (const id of ['rain', 'snow']) desk.venue.list(id, { event, negRisk: true });
    };
    list(true);
    desk.venue.setBooks({ 'rain:yes': { asks: [[first, '500']] }, 'snow:yes': { asks: [[second, '500']] } });
    const flagged = await desk.add(['rain Yes', 'snow Yes'], { active: true });
    expect(await placer.automatically(flagged, price)).toEqual([]);
    expect(await placer.recorded()).toBe(0);
    list(false);
    const believed = augmented ? flagged : { ...flagged, targetPrice: priceFromText('0.99') };
    expect(await placer.automatically(believed, price)).toBe('placed');
  });

  it('is possible to a person', async () => {
    await using placer = await openPlacer(0);
    const { desk } = placer;
    const event = eventOf({ augmented: true, marketIds: ['rain', 'snow', 'other'] });
    for (const id of ['rain', 'snow']) desk.venue.list(id, { event, negRisk: true });
    desk.venue.setBooks({ 'rain:yes': { asks: [['0.4', '500']] }, 'snow:yes': { asks: [['0.4', '500']] } });
    expect(await placer.byHand(await desk.add(['rain Yes', 'snow Yes']))).toBe('placed');
  });
});
