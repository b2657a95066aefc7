import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { repositoryRoot } from '../repository.ts';
import { type Child, startChild, stop } from './child.ts';
import { EXCHANGE_PROGRAM } from './program-build.ts';

const LISTENS_WITHIN_MS = 30_000;
/** In MB. What a mirror receives lives for moments: more room for that costs memory, and saves no time. */
export const EXCHANGE_OPTIONS = ['--max-semi-space-size=8'];

export interface RunningExchange {
  readonly child: Child;
  /** Where its venue wire listens, for example http://127.0.0.1:40123, without a slash at the end. */
  readonly url: string;
}

/**
 * Starts the simulated exchange and waits until it listens. By its journal the account, its orders and its positions are
 * there again after a restart. Throws when it does not listen within half a minute, or when `stopping` comes first.
 */
export async function startExchange(
  ownJournal: string,
  env: NodeJS.ProcessEnv,
  stopping: AbortSignal,
): Promise<RunningExchange> {
  mkdirSync(dirname(ownJournal), { recursive: true, mode: 0o700 });
  const journal = process.env.EXCHANGE_JOURNAL ?? ownJournal;
  const script = join(repositoryRoot, EXCHANGE_PROGRAM);
  const ofExchange = { ...env, EXCHANGE_JOURNAL: journal };
  const child = startChild('The simulated exchange', script, ofExchange, 'pipe', EXCHANGE_OPTIONS);
  try {
    return { child, url: await readAddress(child, stopping) };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

/** The exchange prints one JSON line, `{"listening": url}`, once it can be reached; whatever it prints later is passed on. */
export function readAddress(child: Child, stopping: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const { stdout } = child.process;
    if (stdout === null) throw new Error('The simulated exchange was started without a standard output to read.');
    const tooLate = setTimeout(() => reject(notListening('nothing within half a minute')), LISTENS_WITHIN_MS);
    stopping.addEventListener('abort', () => reject(new Error('Stopped before the simulated exchange was up.')));
    void child.ended.then((code) => reject(notListening(`its end, with code ${code}`)));
    createInterface({ input: stdout }).once('line', (line) => {
      clearTimeout(tooLate);
      const url = addressIn(line);
      if (url === undefined) reject(notListening(line));
      else resolve(url);
      stdout.pipe(process.stdout, { end: false });
    });
  });
}

function addressIn(line: string): string | undefined {
  try {
    const message: unknown = JSON.parse(line);
    const said =
      typeof message === 'object' && message !== null && 'listening' in message ? message.listening : undefined;
    return typeof said === 'string' ? said.replace(/\/$/, '') : undefined;
  } catch {
    return undefined;
  }
}

function notListening(instead: string): Error {
  return new Error(`The simulated exchange should say where it listens, but there was ${instead}.`);
}
