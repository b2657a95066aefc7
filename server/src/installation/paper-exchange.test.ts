import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { expect, it } from 'vitest';
import { refuseOtherExchange } from './paper-exchange.ts';

/** An exchange that answers this of its mirror. */
async function answering(status: number, body: object) {
  const server = createServer((_, reply) => reply.writeHead(status).end(JSON.stringify(body)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: async () => void server.close() };
}

const reasonOf = (url: string, ...venues: VenueName[]) =>
  refuseOtherExchange({
    polymarket: { clobUrl: url },
    paper: { fills: 'latency', upstream: 'real' },
    venues: new Map(['polymarket' as const, ...venues].map((name) => [name, { isReadOnly: false }])),
  }).then(
    () => null,
    (error: Error) => error.message,
  );

it('is only an exchange that mirrors a venue and fills by the model that the figures are labelled with', async () => {
  await using mirror = await answering(200, { fills: 'latency', upstream: 'clob.polymarket.com', books: 3 });
  expect(await reasonOf(mirror.url)).toBeNull();
  expect(await reasonOf(mirror.url, 'kalshi')).toBe(
    'VENUE is wrong: the exchange mirrors polymarket, not kalshi. Start it by VENUE=paper:polymarket,kalshi npm start',
  );
  await using both = await answering(200, { fills: 'latency', venues: ['polymarket', 'kalshi'] });
  expect(await reasonOf(both.url, 'kalshi')).toBeNull();
  await using other = await answering(200, { fills: 'touch' });
  expect(await reasonOf(other.url)).toBe('PAPER_FILLS is wrong: expected touch, as the exchange fills orders');
  await using none = await answering(404, { error: 'Not Found' });
  expect(await reasonOf(none.url)).toContain('the exchange there mirrors no venue');
  await using odd = await answering(200, { fills: 'hope' });
  expect(await reasonOf(odd.url)).toContain('mirrors no venue');
  const { url } = await answering(200, {}).then(async (gone) => {
    await gone[Symbol.asyncDispose]();
    return gone;
  });
  expect(await reasonOf(url)).toContain('does not answer');
});
