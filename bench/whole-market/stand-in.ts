/** The stand-in of the venue, started and commanded from here. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { VenueCommand, VenueCounts } from './venue-process.ts';

const FOLLOWED_WITHIN_MS = 4000;

export async function openStandInVenue(markets: number) {
  const child = fork(path.join(import.meta.dirname, 'venue-process.ts'), [String(markets)], { execArgv: [] });
  const [port] = (await once(child, 'message')) as [number];
  const url = `http://127.0.0.1:${port}`;
  const command = (given: VenueCommand) => void child.send(given);
  const counts = async (): Promise<VenueCounts> => {
    command('counts');
    return (await once(child, 'message'))[0] as VenueCounts;
  };
  return {
    url,
    variables: {
      POLYMARKET_CLOB_URL: url,
      POLYMARKET_GAMMA_URL: `${url}/gamma`,
      POLYMARKET_DATA_URL: `${url}/data`,
      POLYMARKET_WS_URL: `ws://127.0.0.1:${port}/ws`,
    },
    command,
    counts,
    /** Resolves once no more books are followed than before. */
    untilFollowed: async (): Promise<void> => {
      for (let before = -1; ; await pause(FOLLOWED_WITHIN_MS)) {
        const { followed } = await counts();
        if (followed === before) return;
        before = followed;
      }
    },
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
