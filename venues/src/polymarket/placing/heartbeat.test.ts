import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Venue } from '../../venue.ts';
import { openPolymarket } from '../polymarket.ts';
import { openStandIn, type StandIn, TEST_RUNTIME } from '../stand-in.fixture.ts';

const PRIVATE_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

let standIn: StandIn;
let venue: Venue;

beforeEach(async () => {
  standIn = await openStandIn();
  const secret = Buffer.alloc(32).toString('base64');
  standIn.answer('POST /auth/api-key', () => ({ apiKey: 'the-api-key', secret, passphrase: 'the-passphrase' }));
  venue = await openPolymarket({ ...standIn.config(), privateKey: PRIVATE_KEY }, TEST_RUNTIME);
});

afterEach(async () => {
  await venue.close();
  await standIn.close();
});

const beat = () => venue.trading?.heartbeat();

it('sends the id that the last answer named', async () => {
  const sent: string[] = [];
  standIn.answer('POST /v1/heartbeats', ({ body }) => {
    sent.push(JSON.parse(body).heartbeat_id);
    return { heartbeat_id: `id ${sent.length}` };
  });
  expect([await beat(), await beat(), await beat()]).toEqual([{ kind: 'taken' }, { kind: 'taken' }, { kind: 'taken' }]);
  expect(sent).toEqual(['', 'id 1', 'id 2']);
});

it.each([
  [404, 'unsupported'],
  [405, 'unsupported'],
  [400, 'failed'],
  [500, 'failed'],
])('takes %i without an id for %s', async (status, kind) => {
  standIn.answer('POST /v1/heartbeats', () => status);
  expect(await beat()).toMatchObject({ kind });
});

it('takes an answer without an id for no answer', async () => {
  standIn.answer('POST /v1/heartbeats', () => ({}));
  expect(await beat()).toMatchObject({ kind: 'failed', reason: expect.stringContaining('without the next id') });
});
