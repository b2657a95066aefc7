import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { venueOf } from '../paper.fixture.ts';
import { isRead, KalshiSide, type KalshiWorld, openKalshiWorld, openWay } from './kalshi-world.fixture.ts';

const MAIN = join(import.meta.dirname, '../../main.ts');
const QUICK_POLL = { timeout: 30_000 };

interface Moves {
  readonly through: number;
  readonly cash: string;
  readonly moves: readonly { name: string; usd: number; shares: Record<string, number> }[];
}
interface Ended {
  readonly in: string;
  readonly out: string | null;
}

let world: KalshiWorld;
afterEach(() => world.close());

/** Of two markets: 100 are bid for the first at 40 cents, and 50 asked for the second at 45. */
async function openMarkets(): Promise<[string, string]> {
  world = await openKalshiWorld();
  const { markets } = await world.real.read<{ markets: { ticker: string }[] }>('/markets?limit=2&status=open');
  const [one = '', other = ''] = markets.map(({ ticker }) => ticker);
  await world.real.quote(one, [[40, 100]], [[42, 50]]);
  await world.real.quote(other, [[43, 100]], [[45, 50]]);
  return [one, other];
}

/** Twenty of Yes of the first market, ten of No of the second, and an order that stands. */
async function buy(paper: KalshiSide, [one, other]: readonly [string, string]): Promise<void> {
  await expect.poll(() => isRead(paper), QUICK_POLL).toBe(true);
  await paper.order({ ticker: one, side: 'bid', price: '0.42', count: '20' });
  await paper.order({ ticker: other, side: 'ask', price: '0.43', count: '10' });
  await paper.order({ ticker: one, side: 'bid', price: '0.2', count: '5', time_in_force: 'good_till_canceled' });
}

const movesOf = (paper: KalshiSide) => paper.venue.get<Moves>('/_control/kalshi/moves');
const accountOf = async (paper: KalshiSide) => {
  const { orders, pockets } = await paper.state();
  return { orders, own: Object.entries(pockets).filter(([pocket]) => pocket.startsWith('member/0#')) };
};
const endRun = async (paper: KalshiSide, run: string, cash: string) =>
  (await paper.control('end_run', { run, cash })) as Ended;

async function expectNewRun(paper: KalshiSide, markets: readonly [string, string], { in: came, out }: Ended) {
  const { orders, own } = await accountOf(paper);
  expect(orders.map(({ status }) => status).toSorted()).toEqual(['canceled', 'executed', 'executed']);
  expect(own.map(([, { usd, tokens }]) => [usd, tokens])).toEqual([
    ['62.53', {}],
    ['62.5', {}],
    ['62.5', {}],
    ['62.5', {}],
  ]);
  const { moves, cash, through } = await movesOf(paper);
  expect([cash, through]).toEqual(['250.03', 4]);
  // Eight dollars at 40 cents, and five and a half at 55, which is what 45 are asked for.
  expect(moves.slice(0, 2).map(({ usd, shares }) => [usd, shares])).toEqual([
    [8_000_000, { [`${markets[0]}:yes`]: 20_000_000 }],
    [5_500_000, { [`${markets[1]}:no`]: 10_000_000 }],
  ]);
  expect(moves.slice(2)).toMatchObject([{ name: out }, { name: came, usd: 250_030_000 }]);
}

it('the end of a run at Kalshi on paper cancels, closes at the bid and exchanges the cash once, however often it is asked for', async () => {
  const markets = await openMarkets();
  const { paper } = world;
  await paper.join();
  await buy(paper, markets);
  await expect(endRun(paper, randomUUID(), '0')).rejects.toThrow('422');
  world.cable.cut(600_000);
  const before = await accountOf(paper);
  await expect(endRun(paper, randomUUID(), '250.03')).rejects.toThrow(
    'the books of 2 markets that are held are out of reach at the real venue',
  );
  expect(await accountOf(paper)).toEqual(before);
  world.cable.cut(0);
  const none = { in: null, out: null };
  const givenUp = randomUUID();
  expect(await paper.control('end_run', { run: givenUp, cash: '250.03', step: 'check' })).toEqual(none);
  expect(await paper.control('end_run', { run: givenUp, cash: '250.03', step: 'keep' })).toEqual(none);
  await expect(endRun(paper, givenUp, '250.03')).rejects.toThrow('the end of this run was given up');
  expect(await accountOf(paper)).toEqual(before);
  const run = randomUUID();
  const [first, ...others] = await Promise.all(Array.from({ length: 3 }, () => endRun(paper, run, '250.03')));
  if (first === undefined) return expect.unreachable();
  expect([...others, await endRun(paper, run, '250.03')]).toEqual([first, first, first]);
  await expectNewRun(paper, markets, first);
  expect(await paper.call('GET', '/portfolio/positions')).toMatchObject([
    200,
    { market_positions: [{ position_fp: '0.00' }, { position_fp: '0.00' }] },
  ]);
  await paper.control('transfer', { usd: '100' });
  await paper.control('transfer', { usd: '-200' });
  await expect(paper.control('transfer', { usd: '-150.04' })).rejects.toThrow('409');
  expect(await movesOf(paper)).toMatchObject({ cash: '150.03', through: 6 });
});

it('an exchange that is killed while it ends a run has ended it whole or not at all, and once', async () => {
  const markets = await openMarkets();
  let held: PromiseWithResolvers<undefined> | undefined;
  let asked = 0;
  const way = await openWay(world.real.venue, async (path) => {
    if (held === undefined || !path.includes('/orderbook')) return undefined;
    asked += 1;
    return held.promise;
  });
  const journal = join(mkdtempSync(join(tmpdir(), 'kalshi-end-run-')), 'journal');
  let child: ChildProcess | undefined;
  const launch = async () => {
    const paper = { PAPER_KALSHI_UPSTREAM: `${way.url}/trade-api/v2`, PAPER_FILLS: 'touch' };
    const env = { ...process.env, ...paper, EXCHANGE_JOURNAL: journal, EXCHANGE_PORT: '0' };
    const started = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    child = started;
    const [line] = (await once(createInterface({ input: started.stdout }), 'line')) as [string];
    const { listening: url } = JSON.parse(line) as { listening: string };
    return new KalshiSide(venueOf({ url, port: Number(new URL(url).port), close: async () => {} }));
  };
  const kill = async () => {
    const gone = child && once(child, 'exit');
    child?.kill('SIGKILL');
    await gone;
  };
  try {
    let paper = await launch();
    await paper.join();
    await buy(paper, markets);
    const before = await accountOf(paper);
    const run = randomUUID();
    held = Promise.withResolvers();
    const lost = endRun(paper, run, '250.03').catch(() => {});
    await expect.poll(() => asked, QUICK_POLL).toBeGreaterThan(0);
    await kill();
    await lost;
    held.resolve(undefined);
    held = undefined;
    for (let delayMs = 0; delayMs <= 30; delayMs += 30) {
      paper = await launch();
      const { through } = await movesOf(paper);
      if (through === 0) expect(await accountOf(paper)).toEqual(before);
      else expect(through).toBe(4);
      void endRun(paper, run, '250.03').catch(() => {});
      await pause(delayMs);
      await kill();
    }
    paper = await launch();
    const ended = await endRun(paper, run, '250.03');
    await expectNewRun(paper, markets, ended);
    await kill();
    paper = await launch();
    expect(await endRun(paper, run, '250.03')).toEqual(ended);
    await expectNewRun(paper, markets, ended);
  } finally {
    await kill();
    way.close();
  }
}, 120_000);
