import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ClobClient, OrderType, type SignedOrder as TypedOrder } from '@polymarket/clob-client-v2';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CallAnswer } from '../../transport.ts';
import { tradingAccount } from '../auth.ts';
import { POLYMARKET_DEFAULTS } from '../config.ts';
import { createSecrets } from '../errors.ts';
import { officialSigner } from '../official-client.fixture.ts';
import type { StoredOrder } from '../signing.ts';
import { TEST_RUNTIME } from '../stand-in.fixture.ts';
import { openAccountCall } from './account-call.ts';
import { callOrders } from './order-call.ts';

/** The first account of the public mnemonic that development tools ship with. */
const PUBLIC_TEST_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const CREDENTIALS = { key: 'key', secret: 'c2VjcmV0LW9mLXRoZS10ZXN0-_8=', passphrase: 'phrase' };
const ORDERS: StoredOrder[] = (['GTC', 'FAK'] as const).map((orderType, nth) => ({
  order: {
    ...{ salt: `${nth + 1}`, maker: '0x11', signer: '0x22', tokenId: '71', makerAmount: '5', takerAmount: '10' },
    ...{ side: 'BUY' as StoredOrder['order']['side'], signatureType: 0, timestamp: '1700000000000' },
    ...{ metadata: '0x0', builder: '0x0', expiration: '0', signature: '0x33' },
  },
  orderType,
  cancelRest: false,
}));

type Seen = { headers: IncomingMessage['headers']; body: string };

let server: Server | undefined;
afterEach(() => {
  vi.useRealTimers();
  server?.close();
});

/** A venue that answers the nth request by the nth of these, and every further one by the last. */
async function openVenue(...answers: RequestListener[]) {
  const seen: Seen[] = [];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push({ headers: request.headers, body });
    answers[Math.min(seen.length, answers.length) - 1]?.(request, response);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const clobUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = { ...POLYMARKET_DEFAULTS, clobUrl, requestTimeoutMs: 300 };
  const account = tradingAccount(config, PUBLIC_TEST_KEY, createSecrets());
  const received: CallAnswer[] = [];
  const call = openAccountCall(config, TEST_RUNTIME, account.address, (answer) => received.push(answer));
  const post = (key = CREDENTIALS.key) => {
    const credentials = { ...CREDENTIALS, key };
    return callOrders({ credentials, call: (given) => call(credentials, given) }, ORDERS);
  };
  return { seen, received, config, signer: officialSigner(account), post };
}

const says =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);
const breaksOff: RequestListener = (request) => void request.socket.resetAndDestroy();

/** The parts of the thrown error that callers read. */
async function failureOf(call: Promise<unknown>) {
  try {
    return await call;
  } catch (error) {
    const { name, message, cause } = error as Error;
    return { name, message, cause };
  }
}

describe('the call that places orders', () => {
  it('says the same as the official client, byte for byte', async () => {
    const { seen, config, signer, post } = await openVenue(says(200, '[]'));
    const client = new ClobClient({ host: config.clobUrl, chain: 137, signer, creds: CREDENTIALS });
    const args = ORDERS.map(({ order, orderType }) => ({
      order: order as TypedOrder,
      orderType: OrderType[orderType],
    }));
    // Both sign the second.
    vi.useFakeTimers({ toFake: ['Date'] });
    await client.postOrders(args, false, true);
    await post();
    const [theirs, ours] = seen;
    expect(ours?.body).toBe(theirs?.body);
    const { 'accept-encoding': _, ...headers } = theirs?.headers ?? {};
    expect(ours?.headers).toEqual(headers);
  });

  it('names the key of now, where the venue has given another since the order was put into words', async () => {
    const { seen, post } = await openVenue(says(200, '[]'));
    for (const key of ['key', 'renewed']) await post(key);
    const owners = seen.map(({ body }) => JSON.parse(body).map(({ owner }: { owner: string }) => owner));
    expect(owners).toEqual([
      ['key', 'key'],
      ['renewed', 'renewed'],
    ]);
  });

  it('answers what the venue says, and tells who keeps the pace', async () => {
    const { received, post } = await openVenue(says(200, '[{"success":true}]'));
    expect(await post()).toEqual([{ success: true }]);
    expect(received).toEqual([
      { method: 'POST', path: '/orders', status: 200, body: [{ success: true }], restMs: null },
    ]);
  });

  it.each([
    ['a reason in JSON', 400, '{"error":"not enough balance"}', 400, 'not enough balance'],
    ['a reason in words', 503, 'Trading is currently disabled', 503, 'Trading is currently disabled'],
    ['other JSON', 500, '{"message":"no"}', 500, '{"message":"no"}'],
    ['nothing', 502, '', 502, 'Request failed with status code 502'],
    ['the way to another place', 307, '', 307, 'Request failed with status code 307'],
    ['a reason, with status 200', 200, '{"error":"no"}', undefined, 'no'],
  ])('throws where the venue answers %s, and posts nothing again', async (_, status, body, cause, text) => {
    const { seen, post } = await openVenue(says(status, body, { location: '/elsewhere' }));
    expect(await failureOf(post())).toEqual({ name: 'VenueUnavailable', message: text, cause });
    expect(seen).toHaveLength(1);
  });

  it('tells for how long the venue wants to be left alone', async () => {
    const { received, post } = await openVenue(says(429, '{"error":"slow down"}', { 'retry-after': '7' }));
    await expect(post()).rejects.toMatchObject({ cause: 429 });
    expect(received).toMatchObject([{ status: 429, restMs: 7000 }]);
  });

  it('gives up on a venue that does not answer, or stops in the middle of it', async () => {
    const { post } = await openVenue(
      () => {},
      (_, response) => void response.writeHead(200).write('['),
    );
    expect(await failureOf(post())).toMatchObject({ message: 'no answer within 300 ms', cause: undefined });
    expect(await failureOf(post())).toMatchObject({ name: 'VenueUnavailable', cause: undefined });
  });

  it('posts nothing again where a connection breaks off, a new one or one that was kept open', async () => {
    const { seen, post } = await openVenue(breaksOff, says(200, '[]'), breaksOff);
    expect(await failureOf(post())).toMatchObject({ name: 'VenueUnavailable', cause: undefined });
    expect(await post()).toEqual([]);
    expect(await failureOf(post())).toMatchObject({ name: 'VenueUnavailable', cause: undefined });
    expect(seen).toHaveLength(3);
  });
});
