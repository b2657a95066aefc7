import { readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Page, Route } from '@playwright/test';

const BUILT = join(import.meta.dirname, '../../web/dist');
/** The pages' own tests are answered with the same. */
const FILE = join(import.meta.dirname, '../../web/src/testing/recorded-answers.json');

/** What a product has answered, by the path and query of each call, and when. */
export type Recorded = { atMs: number; answers: Record<string, unknown> };

/** Where to record anew: the address of a product that runs, and the token of a superuser. */
const source = { url: process.env.PICTURES_FROM, token: process.env.PICTURES_TOKEN };

export async function readRecorded(): Promise<Recorded> {
  if (source.url !== undefined) return { atMs: Date.now(), answers: {} };
  return JSON.parse(await readFile(FILE, 'utf8')) as Recorded;
}

/** Keeps what was recorded, where it was. */
export async function keepRecorded(recorded: Recorded): Promise<void> {
  if (source.url !== undefined) await writeFile(FILE, `${JSON.stringify(recorded, null, 2)}\n`);
}

/** Serves the pages as they are built (`npm test -- web` builds them), at whatever address: no product has to run. */
export async function serveBuiltPages(page: Page): Promise<void> {
  await page.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url());
    await route.fulfill({ path: join(BUILT, extname(pathname) === '' ? 'index.html' : pathname) });
  });
}

/** Answers every call of `page` as it was once answered, at the time it was; its stream is open and silent. */
export async function replay(page: Page, recorded: Recorded): Promise<void> {
  await page.clock.setFixedTime(recorded.atMs);
  await page.routeWebSocket('**/api/v1/stream', (socket) => {
    socket.onMessage(() => socket.send(JSON.stringify({ type: 'ready', seq: 1 })));
  });
  await page.route(
    ({ pathname }) => pathname.startsWith('/api/v1/'),
    async (route) => {
      const { pathname, search } = new URL(route.request().url());
      const call = pathname + search;
      if (source.url !== undefined) recorded.answers[call] ??= await asked(route, source.url + call);
      const json = recorded.answers[call];
      if (json === undefined) throw new Error(`${call} was not recorded`);
      await route.fulfill({ json });
    },
  );
}

async function asked(route: Route, url: string): Promise<unknown> {
  const answer = await route.fetch({ url, headers: { authorization: `Bearer ${source.token}` } });
  if (!answer.ok()) throw new Error(`${answer.status()} from ${url}`);
  return await answer.json();
}
