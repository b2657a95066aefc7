/** The product's server in a process of its own, as `npm start` runs it: one file, built before. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildProgramsWhenNeeded, SERVER_PROGRAM } from '@dutchbook/tools/start/program-build.ts';
import { buildWebWhenNeeded } from '@dutchbook/tools/start/web-build.ts';

const LISTENS = /Dutchbook listens on (http:\S+\d)/;

export type ServerProcess = AsyncDisposable & {
  url: string;
  pid: number;
  /** Ends it as a power cut does. */
  kill: () => Promise<void>;
};

export function buildWhatStarts(): void {
  if (!buildWebWhenNeeded()) throw new Error('the pages could not be built');
  buildServer();
}

/** What is enough where no page is asked for. */
export function buildServer(): void {
  if (!buildProgramsWhenNeeded()) throw new Error('the server could not be built');
}

/** Resolves when it listens; throws where it ends before. */
export async function startServer(variables: Record<string, string>): Promise<ServerProcess> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', SERVER_PROGRAM)], {
    env: { PATH, HOME, NO_PROXY: '127.0.0.1,localhost', ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = LISTENS.exec(line) ?? [];
    if (url === undefined || child.pid === undefined) continue;
    child.stdout.resume();
    return { url, pid: child.pid, kill: () => end('SIGKILL'), [Symbol.asyncDispose]: () => end('SIGTERM') };
  }
  throw new Error('the server ended before it listened');
}
