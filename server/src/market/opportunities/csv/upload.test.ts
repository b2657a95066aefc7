/** Uploads over real connections: those that break off, and those that come in small pieces. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as giveWay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { users } from '../../../people/users/table.ts';
import { openSite, type Site } from '../routes.fixture.ts';
import { opportunities } from '../table.ts';

const ROWS = 40;

let site: Site;
let port: number;
let authorization: string;
beforeAll(async () => {
  site = await openSite();
  await site.http.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = site.http.server.address() as AddressInfo);
  const { db } = site.desk.test.runtime;
  const [user] = await db.select().from(users).where(eq(users.email, 'operator@example.com'));
  if (user === undefined) throw new Error('no user was added');
  authorization = `Bearer ${await site.sessions.issue(user)}`;
});
afterAll(() => site[Symbol.asyncDispose]());
beforeEach(async () => {
  await site.desk.test.runtime.db.delete(opportunities);
});

const row = (nth: number) => `"[{""leg"":1,""markets"":[{""id"":""m${nth}"",""outcome"":""Yes""}]}]",true`;

/** The bytes of a whole upload, and where its file ends. */
function upload(): { head: string; body: string } {
  const file = ['market_combinations,active', ...Array.from({ length: ROWS }, (_, nth) => row(nth)), ''].join('\n');
  const body = `--line\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n${file}\r\n--line--\r\n`;
  const head = [
    `POST ${API_PREFIX}/arbitrage/import-csv HTTP/1.1`,
    'Host: desk',
    `Authorization: ${authorization}`,
    'Content-Type: multipart/form-data; boundary=line',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return { head: `${head.join('\r\n')}\r\n\r\n`, body };
}

async function opened(): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket;
}

const stored = () => site.desk.test.runtime.db.$count(opportunities);

async function untilNobodyIsConnected(): Promise<void> {
  const { server } = site.http;
  await expect.poll(() => promisify(server.getConnections.bind(server))()).toBe(0);
}

it('imports a file that comes in small pieces whole', async () => {
  const { head, body } = upload();
  const socket = await opened();
  let answer = '';
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text;
  });
  socket.write(head);
  for (let at = 0; at < body.length; at += 7) {
    socket.write(body.slice(at, at + 7));
    await giveWay();
  }
  await once(socket, 'close');
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(await stored()).toBe(ROWS);
});

it('imports nothing of a file whose caller leaves before the end, and goes on with others', async () => {
  const { head, body } = upload();
  const ofFile = (share: number) => Math.floor(body.length * share);
  for (const length of [0, 30, ofFile(0.3), ofFile(0.9), body.indexOf('\r\n--line--'), body.length - 3]) {
    for (const end of ['destroy', 'resetAndDestroy', 'end'] as const) {
      const socket = await opened();
      socket.on('error', () => {});
      socket.write(head + body.slice(0, length));
      await expect.poll(() => socket.writableLength).toBe(0);
      await giveWay();
      socket[end]();
    }
  }
  await untilNobodyIsConnected();
  await site.desk.test.idle();
  expect(await stored()).toBe(0);
  const { status } = await fetch(`http://127.0.0.1:${port}${API_PREFIX}/arbitrage/opportunities`, {
    headers: { authorization, connection: 'close' },
  });
  expect(status).toBe(200);
});
