/** The simulated exchange beside a bench, and the moments that only it can tell. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ExchangeOptions } from '@dutchbook/exchange/start-exchange.ts';
import type { ExchangeCommand, ExchangeNote } from './exchange-thread.ts';

/** Nothing reaches the exchange for this long where it should have. */
const PATIENCE_MS = 2500;

export type Exchange = AsyncDisposable & {
  url: string;
  /** The variables of a product that trades there. */
  variables: Record<string, string>;
  setBook: (command: { tokenId: string; ask: string }) => void;
  /** From now on every answer to a trader takes so much longer. */
  slowDown: (slowMs: number) => void;
  /** When each POST to `path` arrived while `work` went on. */
  posts: (path: string, work: () => Promise<void>) => Promise<bigint[]>;
  /** Does `work`, and answers when the next frame about a book left, if one did, and when a POST to `path` arrived; null where none did. */
  until: (path: string, work: () => void) => Promise<{ publishedNs: bigint; postedNs: bigint } | null>;
  control: (name: string, body: unknown, method?: string) => Promise<void>;
};

export type PlantedCounts = NonNullable<ExchangeOptions['planted']>;

/** With makers at rest. `planted`: events behind the others that are quoted wrong on purpose, or look so. */
export async function openExchangeThread(options: { planted?: PlantedCounts } = {}): Promise<Exchange> {
  const worker = new Worker(new URL('./exchange-thread.ts', import.meta.url), { workerData: options });
  const [port] = (await once(worker, 'message')) as [number];
  const url = `http://127.0.0.1:${port}`;
  const tell = (command: ExchangeCommand) => worker.postMessage(command);
  return {
    url,
    variables: {
      VENUE: 'simulated',
      DEMO_DATA: 'off',
      POLYMARKET_CLOB_URL: url,
      POLYMARKET_GAMMA_URL: `${url}/gamma`,
      POLYMARKET_WS_URL: `ws://127.0.0.1:${port}/ws`,
    },
    setBook: tell,
    slowDown: (slowMs) => tell({ slowMs }),
    posts: async (path, work) => {
      const arrived: bigint[] = [];
      const hear = (note: ExchangeNote) => {
        if (note.kind === 'posted' && pathOf(note.path) === path) arrived.push(note.atNs);
      };
      worker.on('message', hear);
      await work();
      worker.off('message', hear);
      return arrived;
    },
    until: (path, work) =>
      new Promise((resolve) => {
        const begunNs = process.hrtime.bigint();
        let publishedNs: bigint | null = null;
        const done = (found: { publishedNs: bigint; postedNs: bigint } | null) => {
          worker.off('message', hear);
          clearTimeout(tooLate);
          resolve(found);
        };
        const hear = (note: ExchangeNote) => {
          // The port keeps what was noted while there was no listener: how the work before this one ended.
          if (note.atNs < begunNs) return;
          if (note.kind === 'published') publishedNs ??= note.atNs;
          else if (pathOf(note.path) === path) done({ publishedNs: publishedNs ?? note.atNs, postedNs: note.atNs });
        };
        const tooLate = setTimeout(() => done(null), PATIENCE_MS);
        worker.on('message', hear);
        work();
      }),
    control: async (name, body, method = 'POST') => {
      const given = body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      };
      const answer = await fetch(`${url}/_control/${name}`, { method, ...given });
      if (!answer.ok) throw new Error(`${name}: ${await answer.text()}`);
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}

function pathOf(url: string): string {
  return url.split('?')[0] ?? '';
}
