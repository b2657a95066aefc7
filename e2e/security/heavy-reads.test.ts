/** What reads many rows has connections of its own, whatever else is asked at that moment. */
import { everyEndpoint } from '@dutchbook/server/platform/http/every-endpoint.fixture.ts';
import type { Db } from '@dutchbook/server/platform/runtime/runtime.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { givenOf } from './example-calls.fixture.ts';
import { operationsOf, requestOf } from './operations.ts';
import { openScene, type Scene } from './scene.fixture.ts';
import { openWholeProduct, type WholeProduct } from './whole-product.fixture.ts';

type Pool = 'db' | 'lists' | 'exports';

let product: WholeProduct;
let scene: Scene;
const used = new Set<Pool>();

beforeAll(async () => {
  const noted = (db: Db, pool: Pool) =>
    new Proxy(db, {
      get: (target, name) => {
        used.add(pool);
        return Reflect.get(target, name);
      },
    });
  product = await openWholeProduct({
    remembersCallers: true,
    withRuntime: ({ db, dbFor, ...runtime }) => ({
      ...{ ...runtime, db: noted(db, 'db') },
      dbFor: { ...dbFor, lists: noted(db, 'lists'), exports: noted(db, 'exports') },
    }),
  });
  scene = await openScene(product);
});
afterAll(() => product[Symbol.asyncDispose]());

it('is read without the connections that trading has, each heavy call by itself', async () => {
  const heavy = new Map((await everyEndpoint()).map(({ method, path, heavy }) => [`${method} ${path}`, heavy]));
  const operations = (await operationsOf(product.http)).filter(({ name }) => heavy.get(name) !== undefined);
  expect(operations.length).toBeGreaterThan(40);
  const { headers } = scene.people.superuser;
  await product.inject({ url: '/api/v1/users/me', headers });
  const wrong: string[] = [];
  for (const operation of operations) {
    const given = await givenOf(operation, scene);
    used.clear();
    const { statusCode } = await product.http.inject(requestOf(operation, { ...given, headers }));
    const allowed = heavy.get(operation.name) === 'list' ? 'lists' : 'exports';
    // One that is no GET writes first.
    const pools = [...used].filter((pool) => pool !== allowed && (pool !== 'db' || operation.method === 'GET'));
    if (statusCode !== 200 || pools.length > 0) wrong.push(`${operation.name} ${statusCode} ${pools.join()}`);
  }
  expect(wrong).toEqual([]);
});
