import { deleteOpportunity } from '@dutchbook/contract/opportunities.ts';
import { type BrowserContext, test as base, type ConsoleMessage, expect } from '@playwright/test';
import { eventually } from '../product/eventually.ts';
import { cheapThreeWay, type ThreeWay } from '../product/three-way.ts';
import { type StartedProduct, startOnServer } from './started-product.ts';

/** How many times three outcomes of one event the exchange lists. */
const THREE_WAYS = 11;

type Watch = {
  /** Says that the test provokes answers of this status, or none at all, which the browser reports on its console. */
  mayBeRefused: (how: number | 'without an answer') => void;
};

/** Passkeys belong to a name. */
const OWN_NAMES = ['127.0.0.1', 'localhost'];

/** A test that also fails on any error on the console (broken content security policy included) and on any request elsewhere. */
export const watchedTest = base.extend<Watch>({
  mayBeRefused: [
    async ({ context }, use) => {
      const expected = new Set<number | 'without an answer'>();
      const faults: string[] = [];
      context.on('console', (message) => {
        if (isFault(message, expected)) faults.push(`console: ${message.text()} ${message.location().url}`);
      });
      context.on('weberror', (webError) => faults.push(`uncaught: ${webError.error().message}`));
      context.on('request', (request) => {
        const { protocol, hostname } = new URL(request.url());
        if (protocol.startsWith('http') && !OWN_NAMES.includes(hostname)) faults.push(`request to ${hostname}`);
      });
      await use((how) => expected.add(how));
      // Playwright leaves this to the owner of a context.
      await context.clearPermissions();
      expect(faults, 'errors in the browser during the test').toEqual([]);
    },
    { auto: true },
  ],
});

function isFault(message: ConsoleMessage, expected: ReadonlySet<number | 'without an answer'>): boolean {
  if (message.type() !== 'error') return /content security policy/i.test(message.text());
  if (/net::ERR_(FAILED|INTERNET_DISCONNECTED)/.test(message.text())) return !expected.has('without an answer');
  // What React says of a page whose code was not found.
  if (message.text().includes('dynamically imported module')) return !expected.has(404);
  const [, status] = /responded with a status of (\d+)/.exec(message.text()) ?? [];
  return status === undefined || !expected.has(Number(status));
}

/** Before something is deleted: a page that still loads it would not find it any more, which is an error on its console. */
export async function leavePages(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) await page.goto('about:blank');
}

/** Enough to see why something failed, and little enough to be printed with it. */
const LINES_SHOWN = 20;

/** `tradesBefore`: how many the exchange had made until then; other tests may have traded the same tokens. */
export type OwnSet = ThreeWay & { tradesBefore: number };

type Session = {
  /** Shows with a test that has failed what the server said last. */
  serverSays: undefined;
  /** Whether the browser starts with a session; on unless a file says otherwise. */
  signedIn: boolean;
  /** An opportunity of three positions that pays, with books of its own; gone after the test, its batches stay. */
  set: OwnSet;
};

type Shared = { product: StartedProduct; taken: { threeWays: number } };

/** A test on one product per worker: nothing found by itself, market makers paused, and a session in the browser from the start. */
export const test = watchedTest.extend<Session, Shared>({
  product: [
    // Playwright wants a pattern here; the browser is what a product is no use without.
    async ({ browser: _browser }, use) => {
      const product = await startOnServer();
      await product.exchange.pause();
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  taken: [async ({ product: _product }, use) => use({ threeWays: 0 }), { scope: 'worker' }],
  set: async ({ product, taken, context }, use) => {
    const set = await cheapThreeWay(product.exchange, product.caller, taken.threeWays++ % THREE_WAYS);
    const { trades } = await product.exchange.state();
    await use({ ...set, tradesBefore: trades.length });
    await leavePages(context);
    // What is still being bought cannot be deleted.
    await eventually(`opportunity ${set.opportunityId} is gone`, async () => {
      const { status } = await product.caller.call(deleteOpportunity, {
        params: { opportunity_id: set.opportunityId },
      });
      return status === 200 || status === 404 ? true : null;
    });
  },
  serverSays: [
    async ({ product }, use, { status, expectedStatus, attach }) => {
      await use(undefined);
      if (status === expectedStatus) return;
      const body = product.output().split('\n').slice(-LINES_SHOWN).join('\n');
      await attach('what the server said', { body, contentType: 'text/plain' });
    },
    { auto: true },
  ],
  signedIn: [true, { option: true }],
  baseURL: async ({ product }, use) => use(product.url),
  storageState: async ({ product, signedIn }, use) => {
    const localStorage = signedIn ? [{ name: 'access_token', value: product.caller.token }] : [];
    await use({ cookies: [], origins: [{ origin: product.url, localStorage }] });
  },
});
