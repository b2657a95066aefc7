import { generateKeyPairSync } from 'node:crypto';
import type { Market } from '@dutchbook/engine/market/market.ts';
import { readRelations } from '@dutchbook/engine/relation/read-relations.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { MICRO } from '@dutchbook/units/micro.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Bench } from '../conformance/bench.ts';
import { order, place } from '../conformance/orders.ts';
import type { Venue } from '../venue.ts';
import { KalshiWorld } from './kalshi-bench.fixture.ts';

/** What has cost others money at this venue, each by its name in the list of its facts. */
let world: KalshiWorld;
let venue: Venue;
let bench: Bench;

beforeAll(async () => {
  world = await KalshiWorld.start();
  venue = await world.openVenue();
  const { data } = await venue.catalogue.searchMarkets({ skip: 0, limit: 1000 });
  bench = world.bench(venue, data);
});
beforeEach(() => bench.control.clearFaults());
afterAll(async () => world?.stop());

const idsWhere = async (isMeant: (market: Market) => boolean) =>
  (await venue.catalogue.searchMarkets({ skip: 0, limit: 1000 })).data.filter(isMeant).map(({ id }) => id);

const kalshi = (name: string, body: object) => world.control.call(name, body);

it('traps 1 and 2, F2, F6: a killed order and a refused one burn their names: the same bytes are never taken for a new order', async () => {
  const { market, yes } = await bench.freshMarket();
  const killed = await place(bench, order(market, yes, 'buy 10 at 0.3', 'kill'));
  expect(killed.outcome).toEqual({ kind: 'rejected', reason: 'nothing in the book met it' });
  await bench.control.quote(yes.tokenId, [], [['0.3', '10']]);
  const [again] = await bench.trading.postOrders([killed.signed]);
  expect(again).toMatchObject({ kind: 'accepted', status: 'matched' });
  expect(await bench.trading.fillsOfOrder(killed.signed.orderHash, market.id, null)).toEqual([]);
});

it('traps 3 and 5, F4: the sum of the cash is not what a market can be paid from: its pocket is', async () => {
  const { market, yes } = await bench.freshMarket();
  await kalshi('balance', { shard: Number(market.pocket), usd: '1' });
  const { cash, pockets } = await bench.trading.cashBalance();
  expect([pockets?.get(market.pocket), cash > usdFromText('1000')]).toEqual([usdFromText('1'), true]);
  const { outcome } = await place(bench, order(market, yes, 'buy 10 at 0.3'));
  expect(outcome).toEqual({ kind: 'rejected', reason: 'insufficient balance' });
  await kalshi('balance', { shard: Number(market.pocket), usd: '2500' });
});

it('traps 3 and 5: a shard that the venue leaves out of the cash by shard is asked for by itself', async () => {
  const { pockets: all } = await bench.trading.cashBalance();
  await kalshi('reads', { left_out_shards: [1, 3] });
  const { pockets, cash } = await bench.trading.cashBalance();
  await kalshi('reads', { left_out_shards: [] });
  const sorted = (some: typeof pockets) => [...(some ?? [])].toSorted(([one], [other]) => (one < other ? -1 : 1));
  expect([sorted(pockets), [...(all?.values() ?? [])].reduce((sum, usd) => sum + usd, 0)]).toEqual([sorted(all), cash]);
});

it('trap 12, F23: an order on another shard than the first is canceled, also by a process that did not place it', async () => {
  const { market, yes } = await bench.freshMarket(await idsWhere(({ pocket }) => pocket !== '0'));
  const { signed } = await place(bench, order(market, yes, 'buy 10 at 0.2'));
  const { trading } = await bench.openVenue();
  expect(await trading?.cancelOrders([signed.orderHash])).toEqual([
    { orderHash: signed.orderHash, kind: 'canceled', reason: null },
  ]);
});

it('trap 10: a sale shows on the other side at the venue, and is read as the sale that it is', async () => {
  const { market, yes, no } = await bench.freshMarket();
  await bench.control.quote(yes.tokenId, [['0.45', '10']], [['0.5', '10']]);
  await place(bench, order(market, yes, 'buy 10 at 0.5'));
  const sale = await place(bench, order(market, yes, 'sell 10 at 0.45', 'kill'));
  const [sold] = await bench.trading.fillsOfOrder(sale.signed.orderHash, market.id, null);
  expect([sold?.side, sold?.tokenId, sold?.cost]).toEqual(['sell', yes.tokenId, usdFromText('4.5')]);
  const bought = await place(bench, order(market, no, 'buy 4 at 0.3'));
  const resting = (await bench.trading.openOrders()).find(({ orderHash }) => orderHash === bought.signed.orderHash);
  expect([resting?.side, resting?.tokenId, resting?.price]).toEqual(['buy', no.tokenId, 0.3 * MICRO]);
});

it('a sale of more than is held buys nothing of the other outcome', async () => {
  const { market, yes, no } = await bench.freshMarket();
  await bench.control.quote(yes.tokenId, [['0.45', '100']], [['0.5', '4']]);
  await place(bench, order(market, yes, 'buy 4 at 0.5', 'kill'));
  await place(bench, order(market, yes, 'sell 10 at 0.45', 'kill'));
  const held = await Promise.all([yes, no].map(({ tokenId }) => bench.trading.holding(tokenId)));
  expect(held.map(({ shares }) => shares)).toEqual([0, 0]);
});

it('trap 8: frames of an account have no numbers: a fill whose frame is lost is found by reading, and by nothing else', async () => {
  const { market, yes } = await bench.freshMarket();
  const since = instantFromMs(Date.now() - 5_000);
  const { stream, fills, journal } = bench.watchAccount();
  await journal.until('it is connected', () => stream.connected());
  await bench.control.fault('lose_user_frame', { times: 2 });
  await bench.control.quote(yes.tokenId, [], [['0.5', '10']]);
  const lost = await place(bench, order(market, yes, 'buy 4 at 0.5', 'kill'));
  await bench.control.clearFaults();
  const shown = await place(bench, order(market, yes, 'buy 6 at 0.5', 'kill'));
  await journal.until('the fill behind it is shown', () => fills.length > 0);
  expect([stream.connected(), fills.map(({ orderHash }) => orderHash)]).toEqual([true, [shown.signed.orderHash]]);
  const read = await bench.trading.fillsSince(since);
  expect(read.fills.map(({ orderHash }) => orderHash)).toEqual(
    expect.arrayContaining([lost.signed.orderHash, shown.signed.orderHash]),
  );
  await stream.close();
});

it('trap 9, F1: reads that are behind the orders are no proof that an order is not there', async () => {
  const { market, yes } = await bench.freshMarket();
  await kalshi('reads', { lag_ms: 60_000 });
  await bench.control.fault('drop_response');
  const { signed, outcome } = await place(bench, order(market, yes, 'buy 10 at 0.2'));
  const behind = await bench.trading.lookupOrder(signed.orderHash, market.id);
  await kalshi('reads', { lag_ms: 0 });
  expect([outcome.kind, behind.kind]).toEqual(['unknown', 'unknown']);
  expect((await bench.trading.lookupOrder(signed.orderHash, market.id)).kind).toBe('found');
});

it('F3: a market that is halted alone refuses once, and is not tried again until it goes on', async () => {
  const { market, yes } = await bench.freshMarket();
  const watched = bench.watchMarkets();
  watched.stream.subscribe([yes.tokenId]);
  const known = async () => (await venue.catalogue.marketsById([market.id])).get(market.id);
  const accepting = async () => (await known())?.acceptingOrders;
  await watched.journal.until('it is live', () => watched.stream.book(yes.tokenId)?.trust !== undefined);
  const ticker = market.id.slice('kalshi:'.length);
  await kalshi('halt', { ticker });
  const { outcome } = await place(bench, order(market, yes, 'buy 10 at 0.2'));
  expect(outcome).toEqual({ kind: 'rejected', reason: 'trading is paused' });
  expect(await accepting()).toBe(false);
  expect((await known())?.pauseReason).toBe('the venue has paused it');
  await kalshi('reopen', { ticker });
  await expect.poll(accepting).toBe(true);
});

it('trap 11: a shard that is halted refuses orders and still cancels', async () => {
  const { market, yes } = await bench.freshMarket();
  const resting = await place(bench, order(market, yes, 'buy 10 at 0.2'));
  await kalshi('shard', { shard: Number(market.pocket), trading_active: false });
  const { outcome } = await place(bench, order(market, yes, 'buy 10 at 0.2'));
  const [canceled] = await bench.trading.cancelOrders([resting.signed.orderHash]);
  // A venue that is opened now reads the status beside the market.
  const { catalogue } = await world.openVenue();
  const read = (await catalogue.marketsById([market.id])).get(market.id);
  expect([read?.acceptingOrders, read?.pauseReason]).toEqual([false, `shard ${market.pocket} is paused`]);
  await kalshi('shard', { shard: Number(market.pocket), trading_active: true });
  expect([outcome, canceled?.kind]).toEqual([{ kind: 'rejected', reason: 'exchange is paused' }, 'canceled']);
});

it('whatever rests ends by itself: without a heartbeat it carries the time of its end', async () => {
  const { market, yes } = await bench.freshMarket();
  const { payload } = await bench.trading.signOrder(order(market, yes, 'buy 10 at 0.2'));
  const body = JSON.parse(payload) as { expiration_time: number; cancel_order_on_pause: boolean };
  expect(body.cancel_order_on_pause).toBe(true);
  const inMs = instantFromMs(body.expiration_time * 1000) - Date.now();
  expect([inMs > 500_000, inMs <= 600_000]).toEqual([true, true]);
});

it('an order that meets several levels costs what the account has paid, fees by fill', async () => {
  const { market, yes } = await bench.freshMarket();
  await bench.control.quote(
    yes.tokenId,
    [],
    [
      ['0.41', '3.33'],
      ['0.43', '3.33'],
      ['0.47', '3.34'],
    ],
  );
  const before = (await bench.trading.cashBalance()).cash;
  const { signed } = await place(bench, order(market, yes, 'buy 10 at 0.47', 'kill'));
  const fills = await bench.trading.fillsOfOrder(signed.orderHash, market.id, null);
  expect(fills.reduce((sum, { size }) => sum + size, 0)).toBe(sharesFromText('10'));
  const paid = fills.reduce((sum, { cost, fee }) => sum + cost + fee, 0);
  expect(before - (await bench.trading.cashBalance()).cash).toBe(paid);
});

it('trap 17, F15, F16: a result that is a fraction pays that part, and nothing is paid while it may still be changed', async () => {
  const { market, yes } = await bench.freshMarket();
  const ticker = market.id.slice('kalshi:'.length);
  await bench.control.quote(yes.tokenId, [], [['0.5', '10']]);
  await place(bench, order(market, yes, 'buy 10 at 0.5', 'kill'));
  const { trading } = bench;
  const paid = async () => ((await trading.payouts?.(null)) ?? []).filter(({ marketId }) => marketId === market.id);
  const read = async () => {
    venue.forget();
    const found = (await venue.catalogue.marketsById([market.id])).get(market.id);
    return [found?.isProvisional, ...(found?.outcomes ?? []).map(({ resolvedValue }) => resolvedValue)];
  };
  const before = (await trading.cashBalance()).cash;
  for (const [status, yesPays] of [
    ['determined', '1'],
    ['disputed', '1'],
    ['amended', '0.37'],
  ] as const) {
    await kalshi('resolve', { ticker, yes_pays: yesPays, status, finalize: false });
    expect([await paid(), await read()]).toEqual([
      [],
      [true, Number(yesPays) * MICRO, MICRO - Number(yesPays) * MICRO],
    ]);
  }
  await kalshi('resolve', { ticker, yes_pays: '0.37' });
  expect(await paid()).toMatchObject([
    {
      outcomes: [{ tokenId: yes.tokenId, shares: sharesFromText('10'), pays: 0.37 * MICRO }],
      ...{ dollars: usdFromText('3.7'), isProvisional: false },
    },
  ]);
  expect((await trading.cashBalance()).cash - before).toBe(usdFromText('3.7'));
  expect(await read()).toEqual([undefined, 0.37 * MICRO, 0.63 * MICRO]);
});

it('F1: while look-ups find nothing none of six resting orders is taken for gone, by a process that has just started', async () => {
  const { market, yes } = await bench.freshMarket();
  await kalshi('reads', { lag_ms: 600_000 });
  const placed = await Promise.all(Array.from({ length: 6 }, () => place(bench, order(market, yes, 'buy 10 at 0.2'))));
  const { trading } = await bench.openVenue();
  const kinds = async () =>
    await Promise.all(
      placed.map(async ({ signed }) => (await trading?.lookupOrder(signed.orderHash, market.id))?.kind),
    );
  expect(new Set(await kinds())).toEqual(new Set(['unknown']));
  await kalshi('reads', { lag_ms: 0 });
  expect(new Set(await kinds())).toEqual(new Set(['found']));
});

it('F23: a cancel of an order that the venue does not find is not taken for its end', async () => {
  const unknown = 'kalshi:by-mhk0000000-1';
  const [canceled] = await bench.trading.cancelOrders([unknown]);
  expect([canceled?.orderHash, canceled?.kind]).toEqual([unknown, 'unknown']);
});

it('trap 13, F17: a step between prices that changes while a market trades holds for the next order', async () => {
  const { market, yes } = await bench.freshMarket();
  await bench.control.setTick(yes.tokenId, '0.05');
  venue.forget();
  const changed = (await venue.catalogue.marketsById([market.id])).get(market.id);
  if (changed === undefined) return expect.unreachable();
  await expect(bench.trading.signOrder(order(changed, yes, 'buy 10 at 0.23'))).rejects.toThrow(
    /not a multiple of the tick/,
  );
  const { outcome } = await place(bench, order(changed, yes, 'buy 10 at 0.25'));
  expect(outcome).toMatchObject({ kind: 'accepted' });
});

it('trap 14: a block trade in the tape is no price of the book', async () => {
  const { market, yes } = await bench.freshMarket();
  await bench.control.quote(yes.tokenId, [['0.4', '10']], [['0.44', '10']]);
  const { stream, journal } = bench.watchMarkets();
  stream.subscribe([yes.tokenId]);
  await journal.until('it is live', () => stream.book(yes.tokenId)?.trust === 'verified');
  await kalshi('block-trade', { ticker: market.id.slice('kalshi:'.length), size: '5000', yes_price: '0.9' });
  const quote = (await venue.prices.fetchQuotes([yes.tokenId])).get(yes.tokenId);
  expect([quote?.midpoint, quote?.lastTrade]).toEqual([0.42 * MICRO, null]);
  const book = stream.book(yes.tokenId)?.book;
  expect([book?.bids[0]?.price, book?.asks[0]?.price]).toEqual([0.4 * MICRO, 0.44 * MICRO]);
  stream.unsubscribe([yes.tokenId]);
});

it('trap 15: canceling all that rests takes no order with it that leaves within the next minute', async () => {
  const { market, yes } = await bench.freshMarket();
  await place(bench, order(market, yes, 'buy 10 at 0.2'));
  const open = (await bench.trading.openOrders()).map(({ orderHash }) => orderHash);
  const canceled = await bench.trading.cancelOrders(open);
  expect(new Set(canceled.map(({ kind }) => kind))).toEqual(new Set(['canceled']));
  const next = await place(bench, order(market, yes, 'buy 10 at 0.2'));
  const resting = (await bench.trading.openOrders()).map(({ orderHash }) => orderHash);
  expect(resting).toEqual([next.signed.orderHash]);
  await bench.trading.cancelOrders(resting);
});

it('trap 16: an order that has gone to history with its fills is found there, and never taken for absent', async () => {
  const { market, yes } = await bench.freshMarket();
  await bench.control.quote(yes.tokenId, [], [['0.5', '10']]);
  const longAgo = instantFromMs(Date.now() - 100 * 86_400_000);
  const past = await world.openVenue({}, () => longAgo);
  const signed = await past.trading?.signOrder(order(market, yes, 'buy 10 at 0.5', 'kill'));
  if (signed === undefined) return expect.unreachable();
  await bench.trading.postOrders([signed]);
  await kalshi('reads', { history_before_ms: Date.now() + 60_000 });
  const { trading } = await world.openVenue();
  const found = await trading?.lookupOrder(signed.orderHash, market.id);
  const fills = await trading?.fillsOfOrder(signed.orderHash, market.id, null);
  const since = await (await world.openVenue()).trading?.fillsSince(longAgo);
  await kalshi('reads', { history_before_ms: 0 });
  expect(found).toMatchObject({ kind: 'found', order: { status: 'matched', matchedSize: sharesFromText('10') } });
  expect(fills).toMatchObject([{ orderHash: signed.orderHash, size: sharesFromText('10') }]);
  expect(since?.fills.map(({ orderHash }) => orderHash)).toContain(signed.orderHash);
});

it('trap 18: who rests pays too where the fees of a market have a part for that', async () => {
  const { market, yes } = await bench.freshMarket(
    await idsWhere(({ makerFeeSchedule }) => Number(makerFeeSchedule?.rate) > 0),
  );
  const rate = Number(market.makerFeeSchedule?.rate) / MICRO;
  const rested = await place(bench, order(market, yes, 'buy 100 at 0.5'));
  await bench.control.quote(yes.tokenId, [], [['0.5', '100']]);
  const [fill] = await bench.trading.fillsOfOrder(rested.signed.orderHash, market.id, null);
  expect([rate, fill?.size]).toEqual([0.0175, sharesFromText('100')]);
  // 0.0175 × 100 × 0.5 × 0.5, and up to a cent for rounding.
  expect(Number(fill?.fee)).toBeGreaterThanOrEqual(usdFromText('0.4375'));
  expect(Number(fill?.fee)).toBeLessThanOrEqual(usdFromText('0.4475'));
});

it('trap 20: markets are listed by the word open and say that they are active, which no filter knows', async () => {
  const answer = await fetch(`${world.apiUrl}/markets?status=active`);
  expect(answer.status).toBe(400);
  const { data } = await venue.catalogue.searchMarkets({ skip: 0, limit: 1000 });
  expect(data.length).toBeGreaterThan(20);
  expect(data.every(({ closed, acceptingOrders }) => !closed && acceptingOrders)).toBe(true);
});

it('trap 21, F14: members of which at most one comes true are a whole set only where their ranges leave nothing out', async () => {
  const kindsOf = new Map<string, string[]>();
  for await (const { events } of venue.catalogue.readEvents(null))
    for (const event of events.filter(({ exclusive }) => exclusive === 'declared')) {
      const together = readRelations(event).relations.filter(({ kind }) => kind !== 'pair');
      kindsOf.set(
        `${event.series} ${event.augmented}`,
        together.map(({ kind, basis }) => `${kind} ${basis}`),
      );
      const markets = await venue.catalogue.marketsById(event.members.map(({ marketId }) => marketId));
      expect([...markets.values()].map((market) => market.event?.augmented)).toEqual(
        [...markets.keys()].map(() => event.augmented),
      );
    }
  expect(kindsOf.get('KXHIGHMARK false')).toEqual(['at_most_one declared', 'exactly_one parsed']);
  const others = [...kindsOf].filter(([series]) => series.endsWith('true'));
  expect(others.length).toBeGreaterThan(0);
  for (const [, kinds] of others) expect(kinds).toEqual(['at_most_one declared']);
});

it('trap 22: a market that closes early takes no orders, and what rested in it is gone', async () => {
  const { market, yes } = await bench.freshMarket();
  const { signed } = await place(bench, order(market, yes, 'buy 10 at 0.2'));
  await kalshi('close', { ticker: market.id.slice('kalshi:'.length) });
  venue.forget();
  const closed = (await venue.catalogue.marketsById([market.id])).get(market.id);
  expect([closed?.closed, closed?.acceptingOrders]).toEqual([true, false]);
  const lookup = await bench.trading.lookupOrder(signed.orderHash, market.id);
  expect(lookup).toMatchObject({ kind: 'found', order: { status: 'canceled' } });
});

it('a key that may move money is refused with a sentence', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  await kalshi('keys', { key_id: 'mover', public_key: publicPem, scopes: ['read', 'write'] });
  const key = { id: 'mover', privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
  await expect(world.openVenue({ key })).rejects.toThrow(/may move money between accounts: make one with the scopes/);
});

it('a signature that is refused because of a clock that is off says so', async () => {
  const lateBy = 90_000;
  const slow = await world.openVenue({}, () => instantFromMs(Date.now() - lateBy));
  await expect(slow.trading?.cashBalance()).rejects.toThrow(/this machine's clock is (89|90|91) s behind the venue's/);
});

it('trap 4, F5: cash is moved between shards in hundredths of a cent, by its own key, and an answer that is lost says nothing of it', async () => {
  const mover = await world.openMover();
  const { pockets } = mover.trading ?? expect.unreachable();
  const cash = async () => {
    const read = (await mover.trading?.cashBalance())?.pockets;
    return ['0', '1'].map((name) => read?.get(name) ?? 0);
  };
  const [from = 0, to = 0] = await cash();
  const moved = (usd: string) => [from - usdFromText(usd), to + usdFromText(usd)];
  expect((await pockets?.list())?.map(({ name, takesMoves }) => [name, takesMoves])).toEqual(
    ['0', '1', '2', '3'].map((name) => [name, true]),
  );
  const move = { from: '0', to: '1', amount: usdFromText('40.25') };
  expect(await pockets?.move?.(move)).toEqual({ kind: 'taken' });
  expect(await cash()).toEqual(moved('40.25'));
  await bench.control.fault('drop_response', { times: 1 });
  expect(await pockets?.move?.(move)).toMatchObject({ kind: 'unknown' });
  expect(await cash()).toEqual(moved('80.5'));
  const tooMuch = { ...move, amount: usdFromText('1000000') };
  expect(await pockets?.move?.(tooMuch)).toEqual({ kind: 'rejected', reason: 'insufficient balance' });
  await kalshi('shard', { shard: 1, transfers_active: false, trading_active: false });
  expect(await pockets?.move?.(move)).toEqual({ kind: 'rejected', reason: 'transfers are paused' });
  await kalshi('transfers', { allocations: [{ shard: 0, percent: 70 }] });
  expect((await pockets?.list())?.slice(0, 2)).toMatchObject([
    { name: '0', trades: true, takesMoves: true, targetPercent: 70 },
    { name: '1', trades: false, takesMoves: false, targetPercent: null },
  ]);
  await kalshi('shard', { shard: 1, transfers_active: true, trading_active: true });
  // The key that trades moves nothing.
  expect(bench.trading.pockets?.move).toBeUndefined();
});

it('says when the key ends, where the venue does', async () => {
  expect(bench.trading.keyEndsAt?.()).toBeNull();
  const atMs = Math.floor(Date.now() / 1000) * 1000 + 86_400_000;
  await kalshi('keys-end', { at_ms: atMs });
  const { trading } = await world.openVenue();
  expect(trading?.keyEndsAt?.()).toBe(instantFromMs(atMs));
  await kalshi('keys-end', { at_ms: null });
});
