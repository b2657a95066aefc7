/** The steps of converting shares on the chain, and of splitting dollars, at which the product is killed. */
import { listChainSubmissions } from '@dutchbook/contract/chain-steps.ts';
import { cashNowOfEvent } from '@dutchbook/contract/exits.ts';
import { listMarkets, type MarketReply } from '@dutchbook/contract/markets.ts';
import { createOpportunity } from '@dutchbook/contract/opportunities.ts';
import { placeOrder, simulateOrders } from '@dutchbook/contract/placing.ts';
import { CHAIN_POINTS, type CrashPoint } from '@dutchbook/server/platform/runtime/crash-point.ts';
import { expect } from 'vitest';
import { eventually } from '../product/eventually.ts';
import type { ThreeWay } from '../product/three-way.ts';
import type { Chain } from './crash-chain.fixture.ts';
import { begin, buy, SIZE, type Step, untilAccepted } from './kills-while-buying.fixture.ts';
import { batchAtRest, batchesOf, batchWhen, expectCash } from './venue-truth.fixture.ts';

/** Two opportunities that hold two markets from both sides: a plain key converts the pairs of both at once. */
type Pairs = { markets: MarketReply[]; sets: ThreeWay[] };

const OUTCOMES = [0, 1] as const;
const BLOCK_MS = 200;
/** Longer than what was perhaps not sent waits to be sent again. */
const SENT_AGAIN_MS = 61_000;
const CENTS = 100;
/** What the bids for all members of an event add up to. */
const BIDS_CENTS = 116;

const conversions = CHAIN_POINTS.map((point, place) => {
  const next = CHAIN_POINTS[place + 1] ?? null;
  return [`converting ${point}`, convertedThenAt(place * 2, point, next)] as const;
});

/** The submission of a split is recorded with its batch. */
const SPLIT_POINTS = CHAIN_POINTS.map((point) => (point === 'chain_recorded' ? 'batch_recorded' : point));

export const onChain: Record<string, Step> = {
  ...Object.fromEntries(conversions),
  'converting while the relayer gives up': { says: 'what is posted again is carried out once', run: giveUpAndDie },
  ...Object.fromEntries(
    SPLIT_POINTS.map((point, place) => [`splitting ${point}`, splitThenAt(SPLIT_POINTS[place + 1] ?? null)] as const),
  ),
};

function convertedThenAt(nth: number, point: CrashPoint, next: CrashPoint | null): Step {
  return {
    says: 'the next product converts each pair once',
    async run(chain) {
      if (nth === 0) await begin(chain, point);
      await chain.exchange.setChain({ block_ms: BLOCK_MS });
      const pairs = await boughtPairs(chain, nth);
      await askToConvert(chain, pairs);
      await chain.dies();
      await chain.start(null);
      await expectConverted(chain, pairs);
      await startAnew(chain, next);
    },
  };
}

/** Of a plain key no relayer gives up anything. */
async function giveUpAndDie(chain: Chain): Promise<void> {
  const pairs = await boughtPairs(chain, CHAIN_POINTS.length * 2);
  await chain.exchange.fault({ name: 'relayer_gives_up', times: 2 });
  await askToConvert(chain, pairs);
  const { call, running } = chain.product();
  await eventually('something was sent', async () => {
    const { reply } = await call(listChainSubmissions, { query: { limit: pairs.markets.length } });
    return reply.data.some(({ sent_at }) => sent_at !== null) ? true : null;
  });
  running.kill('SIGKILL');
  await chain.dies();
  await chain.start(null);
  await expectConverted(chain, pairs);
  await chain.exchange.clearFaults();
  await startAnew(chain, SPLIT_POINTS[0] ?? null);
}

/** One that takes up what another has left would die of the next step at once. */
async function startAnew(chain: Chain, crashAt: CrashPoint | null): Promise<void> {
  await chain.stops();
  await chain.start(crashAt);
}

function splitThenAt(next: CrashPoint | null): Step {
  return {
    says: 'the next product splits once, and sells all of it or nothing',
    async run(chain) {
      const set = await wholeEvent(chain);
      const query = { order_size: SIZE, way_in: 'split' as const };
      const params = { params: { opportunity_id: set.opportunityId }, query };
      const before = (await batchesOf(chain, set)).length;
      await untilAccepted('splitting', () =>
        chain
          .product()
          .call(placeOrder, params)
          .catch(() => null),
      );
      await chain.dies();
      await chain.start(null);
      await letTimePass(chain, async () => {
        const [batch] = await batchesOf(chain, set);
        return batch?.status === 'sold' || batch?.status === 'failed';
      });
      expect(await batchesOf(chain, set)).toHaveLength(before + 1);
      await eventually('what was sold has settled, and the cash is there', async () => {
        await expectCash(chain);
        return true;
      });
      await startAnew(chain, next);
    },
  };
}

async function boughtPairs(chain: Chain, from: number): Promise<Pairs> {
  const { call } = chain.product();
  const { exchange } = chain;
  await exchange.pause();
  const { reply } = await call(listMarkets, { query: { skip: 0, limit: 1000 } });
  const markets = reply.data.filter(({ neg_risk }) => !neg_risk).slice(from, from + 2);
  const sets: ThreeWay[] = [];
  for (const outcome of OUTCOMES) {
    const tokenIds = markets.map(({ outcomes }) => outcomes[outcome]?.token_id ?? '');
    for (const tokenId of tokenIds)
      await exchange.setBook(tokenId, [{ price: '0.4', size: '500' }], [{ price: '0.45', size: '500' }]);
    const combinations = markets.map(({ id, outcomes }, place) => ({
      leg: place + 1,
      markets: [{ id, outcome: outcomes[outcome]?.outcome ?? '' }],
    }));
    const set = { markets, tokenIds, combinations, opportunityId: await watched(chain, combinations, 1) };
    await buy(chain, set);
    expect(await batchAtRest(chain, set)).toMatchObject({ status: 'completed' });
    sets.push(set);
  }
  return { markets, sets };
}

async function watched(chain: Chain, combinations: ThreeWay['combinations'], pays: number): Promise<string> {
  const body = { market_combinations: combinations, target_price: pays };
  const { status, detail, reply } = await chain.product().call(createOpportunity, { body });
  expect([status, detail]).toEqual([200, '']);
  return reply.id;
}

/** A product that dies meanwhile gives no answer, and the second is asked for where one still listens. */
async function askToConvert(chain: Chain, { markets }: Pairs): Promise<void> {
  const { call } = chain.product();
  const ask = ({ id }: MarketReply) =>
    call(cashNowOfEvent, { params: { event_id: id }, query: { simulate: false } }).catch(() => null);
  await eventually('the shares have settled, and are asked for', async () => {
    const answer = await ask(markets[0] as MarketReply);
    if (answer !== null && answer.status !== 200) throw new Error(answer.detail);
    return true;
  });
  await ask(markets[1] as MarketReply);
}

/** Each market's pairs are converted once, by whichever submission; what was not carried out is asked for again. */
async function expectConverted(chain: Chain, { markets, sets }: Pairs): Promise<void> {
  const { call } = chain.product();
  for (const { id } of markets)
    await letTimePass(chain, async () => {
      const { reply } = await call(listChainSubmissions, { query: { limit: 1000 } });
      const own = reply.data.filter(({ steps }) => steps.some(({ market_ids }) => market_ids.includes(id)));
      if (own.some(({ booked_at }) => booked_at === null)) return false;
      if (own.some(({ status }) => status === 'confirmed')) return true;
      await call(cashNowOfEvent, { params: { event_id: id }, query: { simulate: false } });
      return false;
    });
  for (const set of sets) await batchWhen(chain, set, 'all of it is converted', ({ status }) => status === 'sold');
  const { reply } = await call(listChainSubmissions, { query: { limit: 1000 } });
  for (const { id } of markets) {
    const confirmed = reply.data.filter(
      ({ status, steps }) => status === 'confirmed' && steps.some(({ market_ids }) => market_ids.includes(id)),
    );
    expect(confirmed).toHaveLength(1);
  }
  await expectCash(chain);
}

/** Minutes of the exchange's clock, as long as it is not known of a submission whether it was carried out. */
async function letTimePass(chain: Chain, isOver: () => Promise<boolean>): Promise<void> {
  await eventually('what was submitted has ended', async () => {
    if (await isOver()) return true;
    const { reply } = await chain.product().call(listChainSubmissions, { query: { limit: 1000 } });
    if (reply.data.some(({ status }) => status === 'unknown')) await chain.exchange.advanceClock(SENT_AGAIN_MS);
    throw new Error(JSON.stringify(reply.data.slice(0, 2).map(({ status, error }) => [status, error])));
  });
}

/** No on every member of the event that dollars can be split into, whose bids for Yes bring more than a dollar. */
async function wholeEvent(chain: Chain): Promise<ThreeWay> {
  const { call } = chain.product();
  const kept = chain.keptAs('whole event');
  if (kept !== undefined) return kept;
  const { reply } = await call(listMarkets, { query: { skip: 0, limit: 1000 } });
  const events = Map.groupBy(
    reply.data.filter(({ event, neg_risk }) => event && neg_risk && !event.augmented),
    ({ event }) => event?.id,
  );
  for (const markets of events.values()) {
    const bid = (Math.floor(BIDS_CENTS / markets.length) / CENTS).toFixed(2);
    const ask = (Number(bid) + 0.05).toFixed(2);
    const tokenIds = markets.map(({ outcomes }) => outcomes[0]?.token_id ?? '');
    const combinations = markets.map(({ id, outcomes }, place) => ({
      leg: place + 1,
      markets: [{ id, outcome: outcomes[1]?.outcome ?? '' }],
    }));
    const opportunityId = await watched(chain, combinations, markets.length - 1);
    const way = await call(simulateOrders, { params: { opportunity_id: opportunityId } });
    if (!way.reply?.ways_in.includes('split')) continue;
    for (const tokenId of tokenIds)
      await chain.exchange.setBook(tokenId, [{ price: bid, size: '5000' }], [{ price: ask, size: '5000' }]);
    const set = { markets, tokenIds, combinations, opportunityId };
    chain.note('whole event', set);
    return set;
  }
  throw new Error('the exchange lists no event that dollars can be split into');
}
