/** The stand-in of the venue, started and commanded from here. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { VenueCommand, VenueCounts } from './venue-process.ts';

export async function openStandInVenue(markets: number) {
  const child = fork(path.join(import.meta.dirname, 'venue-process.ts'), [String(markets)], { execArgv: [] });
  const [port] = (await once(child, 'message')) as [number];
  const url = `http://127.0.0.1:${port}`;
  const command = (given: VenueCommand) => void child.send(given);
  return {
    url,
    variables: {
      POLYMARKET_CLOB_URL: url,
      POLYMARKET_GAMMA_URL: `${url}/gamma`,
      POLYMARKET_DATA_URL: `${url}/data`,
      POLYMARKET_WS_URL: `ws://127.0.0.1:${port}/ws`,
    },
    command,
    counts: async (): Promise<VenueCounts> => {
      command('counts');
      return (await once(child, 'message'))[0] as VenueCounts;
    },
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

/** Reads all pages of events one after the other, and nothing else: seconds. */
export async function readPlainly(url: string): Promise<number> {
  const begunMs = performance.now();
  let cursor = '';
  do {
    const query = `closed=false&limit=100${cursor === '' ? '' : `&after_cursor=${cursor}`}`;
    const answer = await fetch(`${url}/gamma/events/keyset?${query}`);
    const page = (await answer.json()) as { next_cursor?: string };
    cursor = page.next_cursor ?? '';
  } while (cursor !== '');
  return (performance.now() - begunMs) / 1000;
}
