/** Backups, and the way from a database of its own to a server, as docs/operating.md describes them. */
import { verifyAuditLog } from '@dutchbook/contract/audit.ts';
import { readOverview } from '@dutchbook/contract/status.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase } from '../product/database.ts';
import type { ThreeWay } from '../product/three-way.ts';
import { type Chain, openChain } from './crash-chain.fixture.ts';
import { buy, expectBoughtOnce } from './kills-while-buying.fixture.ts';

let chain: Chain;
let set: ThreeWay;

beforeAll(async () => {
  chain = await openChain();
});
afterAll(() => chain.close());

test('a backup taken in the middle of a batch is restored into a new installation, which completes it once', async () => {
  await chain.start('venue_answered');
  set = await chain.newSet();
  await buy(chain, set);
  await chain.dies();
  await chain.endDatabase();
  await chain.restoreElsewhere();
  // Orders of it are at the venue: what nothing has left of would be judged again, by prices that a new server may not have yet.
  await chain.start('venue_answered');
  await expectBoughtOnce(chain, set);
});

test('everything is on the server after copying, a running batch goes on there, and nothing is copied over it', async () => {
  const next = await chain.newSet();
  await buy(chain, next);
  await chain.dies();
  const url = await freshDatabase();
  const moved = await chain.moveTo(url);
  expect(moved, moved.said).toMatchObject({ code: 0 });
  await chain.start(null);
  await expectBoughtOnce(chain, next);
  await expectBoughtOnce(chain, set);
  const { reply: audit } = await chain.product().call(verifyAuditLog);
  expect(audit).toMatchObject({ intact: true });
  const { reply: overview } = await chain.product().call(readOverview);
  expect(overview).toMatchObject({ active_opportunities: 2 });
  const again = await chain.moveTo(url);
  expect(again.code).toBe(1);
  expect(again.said).toContain('The target database is in use');
});
