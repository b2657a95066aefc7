import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from './app.fixture.ts';

let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await openTestApp();
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = app.http.server.address() as AddressInfo);
});
afterAll(() => app[Symbol.asyncDispose]());

/** A connection on which `bytes` are sent, and all that comes back until it is closed. */
async function said(bytes: string): Promise<string> {
  const { socket, ended } = open(bytes);
  socket.on('error', () => {});
  return await ended;
}

function open(bytes: string): { socket: Socket; ended: Promise<string> } {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text;
  });
  socket.write(bytes);
  return { socket, ended: once(socket, 'close').then(() => answer) };
}

const HEAD = 'GET /api/v1/utils/health-check/ HTTP/1.1\r\nHost: desk\r\n';

it('refuses headers that are too large, and a head that is no HTTP, and closes', async () => {
  expect(await said(`${HEAD}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
  expect(await said(`${HEAD}${'X-One: 1\r\n'.repeat(3000)}\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
  expect(await said('\u0016\u0003\u0001 hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
});

it('refuses a request of which it cannot tell where it ends', async () => {
  const twoLengths = 'Content-Length: 4\r\nContent-Length: 5\r\n';
  const bothWays = 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n';
  for (const framing of [twoLengths, bothWays, 'Transfer-Encoding: chunked, identity\r\n', 'Content-Length: -1\r\n']) {
    const answer = await said(`POST /api/v1/users/signup HTTP/1.1\r\nHost: desk\r\n${framing}\r\nabcd`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  }
});

it('closes on those who send their head or their body drop by drop, and answers others meanwhile', async () => {
  const { server } = app.http;
  expect([server.headersTimeout, server.requestTimeout]).toEqual([10_000, 60_000]);
  // The same limits, reached sooner.
  Object.assign(server, { headersTimeout: 1000, requestTimeout: 1500 });
  const body =
    'POST /api/v1/users/signup HTTP/1.1\r\nHost: desk\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{';
  const slow = Array.from({ length: 40 }, (_, index) => open(index % 2 === 0 ? HEAD : body));
  await Promise.all(slow.map(({ socket }) => once(socket, 'connect')));
  const other = await fetch(`http://127.0.0.1:${port}/api/v1/utils/health-check/`);
  expect(other.status).toBe(200);
  const answers = await Promise.all(slow.map(({ ended }) => ended));
  expect(answers.filter((answer) => !answer.startsWith('HTTP/1.1 408 '))).toEqual([]);
});
