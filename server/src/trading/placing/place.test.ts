import { eventOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import type { TradingLimits } from '@dutchbook/engine/risk/context.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { positionsOf } from '../../opportunities/identity.ts';
import type { StoredOpportunity } from '../../opportunities/store.ts';
import { NO_LIMITS, type ScriptedControls, scriptedControls } from '../../trading-controls/controls.fixture.ts';
import { batches } from '../../world/schema.ts';
import { type TestDatabase, testDatabases } from '../../world/test-world.ts';
import { writeTogether } from '../../world/write-together.ts';
import { type Desk, openDesk } from '../prices/live-prices.fixture.ts';
import { type PlaceParts, placeByHand } from './place.ts';
import { buyTriggered } from './place-triggered.ts';
import { recordedBatch } from './placing.fixture.ts';

/** Five shares at 0.90, the least that may be bought of one of these: $4.50. */
const ASK = '0.90';

type Placer = AsyncDisposable & {
  desk: Desk;
  controls: ScriptedControls;
  opportunities: StoredOpportunity[];
  byHand: (opportunity: StoredOpportunity) => Promise<string[] | 'placed'>;
  /** At the price of `ASK` unless said. */
  automatically: (opportunity: StoredOpportunity, price?: string) => Promise<string[] | 'placed'>;
  recorded: () => Promise<number>;
  /** What others do while an order is being assessed. */
  meanwhile: () => Promise<void>;
};

/** Somebody with money for everything, and `count` opportunities that each pay a dollar. */
async function openPlacer(kind: TestDatabase, count: number): Promise<Placer> {
  const desk = await openDesk(kind);
  const { world } = desk.test;
  const opportunities: StoredOpportunity[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    desk.venue.list(`market${nth}`);
    desk.venue.setBooks({ [`market${nth}:yes`]: { asks: [[ASK, '500']] } });
    opportunities.push(await desk.add([`market${nth} Yes`]));
  }
  const { quotes } = await desk.start();
  const controls = scriptedControls();
  const reading = () => ({ cash: usdFromText('1000'), at: world.clock.now() });
  let meanwhile = async () => {};
  const refresh = async () => {
    await meanwhile();
    return reading();
  };
  const parts: PlaceParts = {
    world: { ...world, config: { ...world.config, databaseUrl: 'postgres://one-of-many/dutchbook' } },
    quotes,
    catalogue: desk.venue.venue.catalogue,
    settings: desk.settings,
    controls,
    account: { reading, refresh, stop: () => {} },
    readiness: () => ({ armed: controls.armed, reconciled: true, corruptSettings: [], clockSkewMs: null }),
  };
  const wish = { size: null, quotedPrice: null, userId: world.dice.uuid() };
  return {
    desk,
    controls,
    opportunities,
    byHand: async (opportunity) => {
      const placed = await placeByHand(parts, opportunity, wish, async () => {});
      return placed.kind === 'placed' ? 'placed' : placed.reasons;
    },
    automatically: async (row, price = ASK) => {
      const opportunity = { ...row, currentPrice: priceFromText(price) };
      const fresh = await quotes.fresh(positionsOf(opportunity.marketCombinations));
      const buying = buyTriggered(parts, { beginner: null, wake: () => {} }, opportunity, fresh);
      return await world.db.transaction(async (tx) => {
        const decided = await buying.decide(tx);
        if (decided === null) return [];
        await writeTogether(tx, decided.writes);
        return 'placed';
      });
    },
    recorded: () => world.db.$count(batches),
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

describe.each(testDatabases)('placing under limits, on %s', (kind) => {
  it.each([
    { limit: 'the day', limits: dayLimit, refusal: /today comes to \$49\.50, the limit is \$45\.00/ },
    { limit: 'open exposure', limits: exposureLimit, refusal: /exposure comes to \$49\.50, the limit is \$45\.00/ },
  ])('keeps twenty simultaneous orders together within the limit on $limit', async ({ limits, refusal }) => {
    await using placer = await openPlacer(kind, 20);
    placer.controls.limits = limits;
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
    placer.controls.limits = NO_LIMITS;
    expect(await placer.byHand(another)).toBe('placed');
  });

  it.each([
    ['verified', 0],
    ['stale', 1],
  ] as const)(
    'places by the streamed book where it is %s, asking the venue for books %i times',
    async (trust, asked) => {
      await using placer = await openPlacer(kind, 1);
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
    await using placer = await openPlacer(kind, 1);
    const [opportunity] = placer.opportunities;
    if (opportunity === undefined) throw new Error('there is no opportunity');
    placer.controls.armed = false;
    expect(await placer.byHand(opportunity)).toEqual(['Trading is disarmed.']);
    expect(await placer.automatically(opportunity)).toEqual([]);
    placer.controls.armed = true;
    placer.controls.limitsRequired = true;
    placer.controls.limits = { ...dayLimit, perOrder: usdFromText('4.49'), openExposure: usdFromText('45') };
    expect(await placer.byHand(opportunity)).toEqual([
      'The order of leg 1 takes up to $4.50, the limit is $4.49.',
      'No limit per batch is set.',
    ]);
    expect(await placer.automatically(opportunity)).toEqual([]);
    expect(await placer.recorded()).toBe(0);
    placer.controls.limits = { ...placer.controls.limits, perOrder: usdFromText('4.5'), perBatch: usdFromText('4.5') };
    expect(await placer.automatically(opportunity)).toBe('placed');
  });
});

describe.each(testDatabases)('placing what another process has placed meanwhile, on %s', (kind) => {
  it('is refused though that batch has ended already, and the clock there is a little behind', async () => {
    await using placer = await openPlacer(kind, 1);
    const { test } = placer.desk;
    const { world } = test;
    const [opportunity] = placer.opportunities;
    if (opportunity === undefined) throw new Error('there is no opportunity');
    placer.meanwhile = async () => {
      const behind = { ...world, clock: { now: () => instantFromMs(world.clock.now() - 50) } };
      await recordedBatch({ ...test, world: behind });
      await world.db.update(batches).set({ opportunityId: opportunity.id, status: 'completed' });
    };
    expect(await placer.byHand(opportunity)).toEqual(['Another batch of this opportunity was placed meanwhile.']);
    placer.meanwhile = async () => {};
    await test.time.advance(1000);
    expect(await placer.byHand(opportunity)).toBe('placed');
  });
});

describe.each(testDatabases)('placing what is doubtful, on %s', (kind) => {
  it.each([
    { doubt: 'leans on an augmented event', augmented: true, asks: ['0.45', '0.45'], price: '0.9' },
    { doubt: 'promises more than 20 %', augmented: false, asks: ['0.45', '0.38'], price: '0.83' },
  ])('is left to a person where it $doubt', async ({ augmented, asks: [first = '', second = ''], price }) => {
    await using placer = await openPlacer(kind, 0);
    const { desk } = placer;
    const list = (isDoubtful: boolean) => {
      const event = eventOf({ augmented: isDoubtful && augmented, marketIds: ['rain', 'snow', 'other'] });
      for (const id of ['rain', 'snow']) desk.venue.list(id, { event, negRisk: true });
    };
    list(true);
    desk.venue.setBooks({ 'rain:yes': { asks: [[first, '500']] }, 'snow:yes': { asks: [[second, '500']] } });
    const doubtful = await desk.add(['rain Yes', 'snow Yes'], { active: true });
    expect(await placer.automatically(doubtful, price)).toEqual([]);
    expect(await placer.recorded()).toBe(0);
    list(false);
    const believed = augmented ? doubtful : { ...doubtful, targetPrice: priceFromText('0.99') };
    expect(await placer.automatically(believed, price)).toBe('placed');
  });

  it('is possible to a person', async () => {
    await using placer = await openPlacer(kind, 0);
    const { desk } = placer;
    const event = eventOf({ augmented: true, marketIds: ['rain', 'snow', 'other'] });
    for (const id of ['rain', 'snow']) desk.venue.list(id, { event, negRisk: true });
    desk.venue.setBooks({ 'rain:yes': { asks: [['0.4', '500']] }, 'snow:yes': { asks: [['0.4', '500']] } });
    expect(await placer.byHand(await desk.add(['rain Yes', 'snow Yes']))).toBe('placed');
  });
});
