/**
 * The database goes away and its disk runs full, for real, while orders and reads go on. Meanwhile nothing leaves, and
 * callers get the reason; afterwards the same process goes on, and no order is lost or doubled.
 */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { armTrading, disarmTrading } from '@dutchbook/contract/arming.ts';
import { listBatches } from '@dutchbook/contract/batches.ts';
import { readMe } from '@dutchbook/contract/current-user.ts';
import { placeOrder } from '@dutchbook/contract/placing.ts';
import { readSystemStatus } from '@dutchbook/contract/status.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chosenNow } from '../product/by-commit.ts';
import { eventually } from '../product/eventually.ts';
import { type RunningExchange, startExchange } from '../product/exchange.ts';
import { launchProduct, type Product, signedInProduct } from '../product/product.ts';
import { cheapThreeWay } from '../product/three-way.ts';
import { openBusyDesk } from './busy-desk.fixture.ts';
import { SIZE } from './kills-while-buying.fixture.ts';
import { type OwnPostgres, startOwnPostgres } from './own-postgres.fixture.ts';
import { openSmallDisk, type SmallDisk } from './small-disk.fixture.ts';
import { someSessions } from './some-sessions.fixture.ts';
import { batchAtRest, type Desk } from './venue-truth.fixture.ts';

/** Nothing here is found out by its length: by hand it may last as long as one likes. */
const OUTAGE_MS = Number(process.env.OUTAGE_MS ?? 2000);

const LOOPS_SAY =
  /^(repeated timer task|job queue) failed$| not read$|^pubsub connection not opened|^(notification sending|unfinished batches)/;

let folder: string;
let disk: SmallDisk;
let exchange: RunningExchange;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dutchbook-outages-'));
  disk = await openSmallDisk();
  exchange = await startExchange();
});
afterAll(async () => {
  await exchange.stop();
  await disk.remove();
  await rm(folder, { recursive: true });
});

/** A change sees one of them by its hash. */
const oneNow = <Outage extends { fault: string }>(all: readonly Outage[]) => chosenNow(all, 1, ({ fault }) => fault);

describe('a PostgreSQL server that', () => {
  let postgres: OwnPostgres;
  let product: Product;
  let desk: Desk;
  let dataDir: string;
  let launch: () => Promise<Product>;
  let hasEnded = false;
  beforeAll(async () => {
    postgres = await startOwnPostgres(join(disk.folder, 'postgres'));
    dataDir = join(folder, 'on-postgres');
    launch = async () => {
      const started = await signedInProduct(launchProduct(exchange.url, dataDir, { DATABASE_URL: postgres.url }));
      hasEnded = false;
      started.running.ended.then(() => {
        hasEnded = true;
      });
      return started;
    };
    product = await launch();
    desk = { exchange, product: () => product };
  });
  afterAll(async () => {
    product.running.kill('SIGKILL');
    await product.running.ended;
    await postgres.remove();
  });

  const health = async () => (await fetch(`${product.url}/health`)).status;
  const healthIs = (status: number) =>
    eventually(`health says ${status}`, async () => ((await health()) === status ? true : null));

  const outages = [
    { fault: 'is stopped in the middle of its work', begin: () => postgres.stopAtOnce(), end: () => postgres.start() },
    { fault: 'is frozen', begin: () => postgres.freeze(), end: () => postgres.thaw() },
  ];
  it.each(oneNow(outages))('$fault sends no order, and the product goes on when it is back', async ({ begin, end }) => {
    const busy = await openBusyDesk(
      desk,
      outages.findIndex((outage) => outage.begin === begin),
    );
    await busy.trades();
    const saidBefore = product.running.output().length;
    await begin();
    const failedAt = Date.now();
    const [placed, read] = await Promise.all([busy.place(), product.call(listBatches, { query: {} }), healthIs(503)]);
    for (const answer of [placed, read])
      expect(answer).toMatchObject({ status: 503, detail: expect.stringMatching(/^The database does not answer/) });
    // Who is signed in, and whether trading is armed, is said all the same.
    const away = async () => {
      const { status, reply } = await product.call(readSystemStatus);
      return status === 200 && reply.database_away ? reply : null;
    };
    expect(await eventually('the status says that the database is away', away)).toMatchObject({ armed: true });
    expect(await product.call(readMe)).toMatchObject({ status: 200, reply: { is_superuser: true } });
    await pause(OUTAGE_MS);
    const sent = await exchange.state();
    const said = product.running.output().slice(saidBefore);
    await end();
    await healthIs(200);
    expect(repeatedIn(said)).toEqual([]);
    await busy.trades();
    await busy.endInOrder();
    expect(
      await sentAfter(
        failedAt,
        sent.orders.map(({ id }) => id),
      ),
    ).toEqual([]);
    expect(hasEnded).toBe(false);
  });

  const withoutWord = [{ fault: 'is killed', begin: () => postgres.kill(), end: () => postgres.start() }, outages[1]];
  it.each(oneNow(withoutWord.filter((outage) => outage !== undefined)))(
    '$fault lets trading be halted meanwhile, and comes back to a desk that stays so',
    async ({ begin, end }) => {
      const nth = begin === outages[1]?.begin ? 4 : 3;
      const busy = await openBusyDesk(desk, nth);
      await busy.trades();
      const others = await someSessions(product);
      await begin();
      const disarmed = await product.call(disarmTrading, { query: {} });
      expect(disarmed).toMatchObject({
        status: 202,
        detail: expect.stringMatching(/halted in this process; not stored yet/),
      });
      const { orders } = await exchange.state();
      const health = await (await fetch(`${product.url}/health`)).json();
      expect(health).toMatchObject({ parts: { armed: false } });
      await others.stopMeanwhile();
      await pause(OUTAGE_MS);
      await end();
      const stored = async () => {
        const { status, reply } = await product.call(readSystemStatus);
        return status === 200 && reply.disarm_not_stored === undefined ? reply : null;
      };
      expect(await eventually('disarming is stored', stored)).toMatchObject({ armed: false });
      await others.expectStopped();
      expect(await busy.place()).toMatchObject({ status: 409, detail: expect.stringContaining('disarmed') });
      expect((await exchange.state()).orders).toHaveLength(orders.length);
      expect(await product.call(armTrading, { query: {}, body: { confirmation: 'ARM' } })).toMatchObject({
        status: 200,
      });
      await busy.trades();
      await busy.endInOrder();
    },
  );

  it.each(oneNow(withoutWord.filter((outage) => outage !== undefined)))(
    '$fault, and the product with it, comes back to a desk that was halted meanwhile, and nothing rests at the venue',
    async ({ begin, end }) => {
      const set = await cheapThreeWay(exchange, product, begin === outages[1]?.begin ? 6 : 5);
      const [tokenId = ''] = set.tokenIds;
      await exchange.fault({ name: 'partial_fill', token_id: tokenId, fraction: 0.5 });
      const placed = await product.call(placeOrder, {
        params: { opportunity_id: set.opportunityId },
        query: { order_size: SIZE },
      });
      expect(placed.status).toBe(200);
      const restingOrder = async () =>
        (await exchange.state()).orders.find(({ asset_id, status }) => asset_id === tokenId && status === 'LIVE') ??
        null;
      const { id } = await eventually('an order rests', restingOrder);
      const others = await someSessions(product);
      await begin();
      expect(await product.call(disarmTrading, { query: {} })).toMatchObject({
        status: 202,
        detail: expect.stringMatching(/as soon as the database answers, also after a restart/),
      });
      await others.stopMeanwhile();
      const kept = await readdir(join(dataDir, 'held-stops'));
      expect(kept.length).toBeGreaterThan(3);
      const modes = await Promise.all(kept.map(async (name) => (await stat(join(dataDir, 'held-stops', name))).mode));
      expect(modes.map((mode) => mode & 0o777)).toEqual(kept.map(() => 0o600));
      await eventually('nothing rests', async () => ((await restingOrder()) === null ? true : null));
      product.running.kill('SIGKILL');
      await product.running.ended;
      await end();
      product = await launch();
      const { reply } = await product.call(readSystemStatus);
      expect(reply).toMatchObject({ armed: false });
      expect(reply.disarm_not_stored).toBeUndefined();
      await others.expectStopped(product.url);
      expect(await readdir(join(dataDir, 'held-stops'))).toEqual([]);
      const again = { params: { opportunity_id: set.opportunityId }, query: { order_size: SIZE } };
      expect(await product.call(placeOrder, again)).toMatchObject({ status: 409 });
      expect(await batchAtRest(desk, set)).toMatchObject({ status: 'canceled', orders_in_doubt: 0 });
      expect((await exchange.state()).orders.find((order) => order.id === id)?.size_matched).not.toBe('0');
      expect(await product.call(armTrading, { query: {}, body: { confirmation: 'ARM' } })).toMatchObject({
        status: 200,
      });
    },
  );

  it('has no room left acknowledges nothing that it did not record, and the product goes on when it has', async () => {
    const busy = await openBusyDesk(desk, 2);
    await busy.trades();
    const users = await postgres.users();
    await disk.fill(users);
    await writeAheadUntilRefused();
    const look = async () => {
      const answer = await busy.place();
      return answer.status >= 500 ? answer : null;
    };
    const refused = await eventually('orders are refused', look);
    expect(refused.detail).toMatch(/^The database does not answer/);
    await disk.relieve(users);
    // It may still be about to give up.
    const isBack = () => postgres.startAgain().then(async () => ((await health()) === 200 ? true : null));
    await eventually('the database is back', isBack);
    await busy.trades();
    await busy.endInOrder();
    expect(hasEnded).toBe(false);
  });

  /** What the loops that go on meanwhile said of the same failure more than once. */
  function repeatedIn(said: string): string[] {
    const failures = said
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { msg: string; err?: { stack: string } })
      .filter(({ msg }) => LOOPS_SAY.test(msg))
      .map(({ msg, err }) => (msg.startsWith('repeated') ? `${msg}: ${err?.stack}` : msg));
    return failures.filter((failure, index) => failures.indexOf(failure) !== index);
  }

  /** Of these orders at the exchange, those that were sent later than `at`. */
  async function sentAfter(at: number, ids: readonly string[]): Promise<string[]> {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    const query = 'select order_hash from attempts where order_hash = any($1) and sent_at > $2';
    const { rows } = await client.query<{ order_hash: string }>(query, [ids, new Date(at)]);
    await client.end();
    return rows.map(({ order_hash }) => order_hash);
  }

  /** More than fits into the files that the server has kept for it: it gives up as it cannot make another one. */
  async function writeAheadUntilRefused(): Promise<void> {
    const client = new pg.Client({ connectionString: postgres.url });
    client.on('error', () => {});
    const filled = client
      .connect()
      .then(() =>
        client.query(
          `select pg_logical_emit_message(true, 'ballast', repeat('x', 8000)) from generate_series(1, 2000)`,
        ),
      );
    await expect(filled).rejects.toThrow();
  }
});
