/** The opportunity calls served over HTTP to a signed-in user, on a scripted venue. */

import { API_PREFIX, type Method } from '@dutchbook/contract/endpoint.ts';
import { openSessions } from '../../people/login/sessions.ts';
import { users } from '../../people/users/table.ts';
import type { HttpServer } from '../../platform/http/app.ts';
import { openApp } from '../../platform/http/open-app.ts';
import type { Sessions } from '../../platform/http/signed-in.ts';
import { startJobs } from '../../platform/jobs/jobs.ts';
import { openQueue } from '../../platform/jobs/queue.ts';
import { activeBatchOf } from '../../trading/orders/batch-store.ts';
import { type Desk, openDesk, type ScriptedProcess } from '../prices/live-prices.fixture.ts';
import { checkAllWork, updatePricesWork } from './check-all.ts';
import { registerOpportunities } from './routes.ts';

export type Answer = { status: number; headers: Record<string, unknown>; text: string; json: unknown };

export type Site = AsyncDisposable & {
  desk: Desk;
  process: ScriptedProcess;
  http: HttpServer;
  sessions: Sessions;
  call: (method: Method, path: string, body?: unknown) => Promise<Answer>;
  /** Uploads a file to the import. */
  upload: (name: string, bytes: Buffer | string) => Promise<Answer>;
};

export async function openSite(variables: Record<string, string> = {}): Promise<Site> {
  const desk = await openDesk(variables);
  const { runtime } = desk.test;
  const process = await desk.start();
  const queue = await openQueue(runtime);
  const jobs = await startJobs(runtime, queue, desk.hub, {
    check_all: checkAllWork(runtime, process),
    update_prices: updatePricesWork(runtime, process),
  });
  const sessions = openSessions(runtime);
  const app = await openApp(runtime, sessions, { webFolder: `${runtime.config.dataDir}/no-pages`, onAnswer: () => {} });
  registerOpportunities(app, {
    ...process,
    runtime,
    jobs,
    settings: desk.settings,
    stream: desk.hub,
    activeBatchOf,
    catalogue: desk.venue.venue.catalogue,
    mayBeFound: async () => true,
    blockersOf: async () => [{ gate: 'armed', message: 'trading is disarmed', actual: null, required: null }],
  });
  const authorization = `Bearer ${await sessions.issue(await signUp(desk))}`;

  const send = async (method: Method, path: string, payload: Buffer | string | undefined, contentType: string) => {
    const reply = await app.http.inject({
      method,
      url: `${API_PREFIX}${path}`,
      headers: { authorization, ...(payload !== undefined && { 'content-type': contentType }) },
      ...(payload !== undefined && { payload }),
    });
    const isJson = String(reply.headers['content-type']).startsWith('application/json');
    return {
      status: reply.statusCode,
      headers: reply.headers,
      text: reply.body,
      json: isJson ? (reply.json() as unknown) : null,
    };
  };
  return {
    desk,
    process,
    http: app.http,
    sessions,
    call: (method, path, body) =>
      send(method, path, body === undefined ? undefined : JSON.stringify(body), 'application/json'),
    upload: (name, bytes) =>
      send('POST', '/arbitrage/import-csv', multipart(name, bytes), 'multipart/form-data; boundary=line'),
    [Symbol.asyncDispose]: async () => {
      await app.http.close();
      await queue.stop();
      await desk[Symbol.asyncDispose]();
    },
  };
}

async function signUp({ test }: Desk) {
  const { clock, db, random } = test.runtime;
  const [user] = await db
    .insert(users)
    .values({
      id: random.uuid(),
      email: 'operator@example.com',
      passwordHash: 'none',
      isSuperuser: false,
      isActive: true,
      createdAt: clock.now(),
    })
    .returning();
  if (user === undefined) throw new Error('the user was not stored');
  return user;
}

function multipart(name: string, bytes: Buffer | string): Buffer {
  const head = `--line\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from('\r\n--line--\r\n')]);
}
