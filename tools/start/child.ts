import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';

const END_WITH_PARENT = join(import.meta.dirname, 'end-with-parent.ts');
const STOP_WITHIN_MS = 10_000;
/** The C library gives each thread an arena of its own by default, and keeps in each what was freed: 44 of 780 MB at 30,000 markets. */
export const CHILD_ENV = { MALLOC_ARENA_MAX: '2' };

/** A process this one started and answers for. */
export interface Child {
  readonly name: string;
  readonly process: ChildProcess;
  /** Resolves with the exit code once the process has ended; a signal counts as 128 and its number, as shells do. */
  readonly ended: Promise<number>;
  /** Resolves once the process has sent that it listens, which not every program does. */
  readonly listening: Promise<void>;
}

/**
 * Runs a TypeScript file on this Node. The child gets a process group of its own: a terminal's Ctrl-C then reaches it
 * once, through `stop`, and not a second time past it.
 */
export function startChild(
  name: string,
  script: string,
  env: NodeJS.ProcessEnv,
  stdout: 'inherit' | 'pipe',
  nodeOptions: readonly string[] = [],
): Child {
  const child = spawn(process.execPath, [...nodeOptions, '--import', END_WITH_PARENT, script], {
    env: { ...CHILD_ENV, ...process.env, ...env },
    stdio: ['ignore', stdout, 'inherit', 'ipc'],
    detached: process.platform !== 'win32',
  });
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
    child.once('error', () => resolve(1));
  });
  const listening = new Promise<void>((resolve) => {
    child.once('message', () => resolve());
  });
  return { name, process: child, ended, listening };
}

/** Asks a child to end, and makes it after ten seconds. Returns its exit code. */
export async function stop(child: Child): Promise<number> {
  child.process.kill('SIGTERM');
  const deadline = setTimeout(() => {
    process.stderr.write(`${child.name} did not stop within ${STOP_WITHIN_MS / 1000} s and is killed.\n`);
    child.process.kill('SIGKILL');
  }, STOP_WITHIN_MS);
  const code = await child.ended;
  clearTimeout(deadline);
  return code;
}
