import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Raw = Record<string, unknown>;

/** Serves a catalogue by keyset, with a trouble before each page but the first time it is out of troubles. */
export class GammaStandIn {
  readonly troubles: ((response: ServerResponse) => void)[] = [];
  calls = 0;
  readonly #events: Raw[];
  readonly #server: Server;

  constructor(events: Raw[]) {
    this.#events = events;
    this.#server = createServer((request, response) => {
      this.calls += 1;
      const url = new URL(request.url ?? '/', 'http://stand.in');
      const trouble = url.pathname.endsWith('/keyset') ? this.troubles.shift() : undefined;
      if (trouble !== undefined) return trouble(response);
      response.end(JSON.stringify(this.#answer(url)));
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(url: URL): unknown {
    const markets = this.#events.flatMap(({ markets: listed, ...head }) =>
      (listed as Raw[]).map((one) => ({ ...one, events: [head] })),
    );
    if (url.pathname === '/gamma/markets') return markets.slice(-100).reverse();
    const key = url.pathname.includes('/events') ? 'events' : 'markets';
    const wanted = url.searchParams.getAll('condition_ids');
    const all = (key === 'events' ? this.#events : markets).filter(
      ({ conditionId }) => wanted.length === 0 || wanted.includes(String(conditionId)),
    );
    const from = Number(url.searchParams.get('after_cursor') ?? 0);
    const to = from + Number(url.searchParams.get('limit') ?? 20);
    return { [key]: all.slice(from, to), ...(to < all.length ? { next_cursor: String(to) } : {}) };
  }
}
