/** The simulated exchange beside a bench, and the moments that only it can tell. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { BookWish, ExchangeNote } from './exchange-thread.ts';

/** Nothing reaches the exchange for this long where it should have. */
const PATIENCE_MS = 5000;

export type Exchange = AsyncDisposable & {
  url: string;
  /** What the product has to be told to trade there. */
  variables: Record<string, string>;
  setBook: (wish: BookWish) => void;
  /** Does `work`, and answers when the next frame about a book left, if one did, and when a POST to `path` arrived; null where none did. */
  until: (path: string, work: () => void) => Promise<{ toldNs: bigint; postedNs: bigint } | null>;
  control: (name: string, body: unknown) => Promise<void>;
};

export async function openExchangeThread(): Promise<Exchange> {
  const worker = new Worker(new URL('./exchange-thread.ts', import.meta.url));
  const [port] = (await once(worker, 'message')) as [number];
  const url = `http://127.0.0.1:${port}`;
  const setBook = (wish: BookWish) => worker.postMessage(wish);
  return {
    url,
    variables: {
      VENUE: 'simulated',
      DEMO_DATA: 'off',
      POLYMARKET_CLOB_URL: url,
      POLYMARKET_GAMMA_URL: `${url}/gamma`,
      POLYMARKET_WS_URL: `ws://127.0.0.1:${port}/ws`,
    },
    setBook,
    until: (path, work) =>
      new Promise((resolve) => {
        let toldNs: bigint | null = null;
        const settle = (found: { toldNs: bigint; postedNs: bigint } | null) => {
          worker.off('message', hear);
          clearTimeout(tooLate);
          resolve(found);
        };
        const hear = (note: ExchangeNote) => {
          if (note.kind === 'told') toldNs ??= note.atNs;
          else if (note.path.split('?')[0] === path) settle({ toldNs: toldNs ?? note.atNs, postedNs: note.atNs });
        };
        const tooLate = setTimeout(() => settle(null), PATIENCE_MS);
        worker.on('message', hear);
        work();
      }),
    control: async (name, body) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${url}/_control/${name}`, { method: 'POST', headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${name}: ${await answer.text()}`);
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}
