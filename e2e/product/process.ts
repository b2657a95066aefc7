import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url));

/** A real process of the product, with what it printed kept for the message of a failure. */
export type Running = {
  pid: number;
  /** Resolves with the first line of stdout that `pattern` matches; rejects when the process ends without it. */
  line: (pattern: RegExp) => Promise<RegExpExecArray>;
  kill: (signal: NodeJS.Signals) => void;
  /** How it ended: an exit code, or the signal that ended it. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  output: () => string;
};

/** What still runs when the tests are over is ended with them. */
const left = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of left) child.kill('SIGKILL');
});

/** A start makes so much that is garbage soon that collecting it in small portions takes a tenth of its processor time. */
const YOUNG_MEMORY = '--min-semi-space-size=16';

/** Runs a program of the repository, as it was built, under the repository's own Node. */
export function run(entry: string, env: Record<string, string>, entryArguments: readonly string[] = []): Running {
  return runProgram(process.execPath, [YOUNG_MEMORY, entry, ...entryArguments], env);
}

const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;

/** Runs a program in the repository's top folder; `env` is all of the environment it gets beside the machine's paths. */
export function runProgram(program: string, programArguments: readonly string[], env: Record<string, string>): Running {
  const child = spawn(program, programArguments, {
    cwd: repositoryRoot,
    env: { PATH, HOME, NODE_COMPILE_CACHE, NO_PROXY: '127.0.0.1,localhost', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const waiting = new Set<(line: string) => void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      for (const tell of waiting) tell(line);
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  left.add(child);
  child.once('close', () => left.delete(child));
  return {
    pid: child.pid ?? 0,
    line: awaitLine(child, lines, waiting, ended),
    kill: (signal) => child.kill(signal),
    ended,
    output: () => lines.join('\n'),
  };
}

function awaitLine(
  child: ChildProcess,
  lines: string[],
  waiting: Set<(line: string) => void>,
  ended: Promise<unknown>,
): Running['line'] {
  return (pattern) =>
    new Promise((resolve, reject) => {
      const tell = (line: string) => {
        const match = pattern.exec(line);
        if (!match) return;
        waiting.delete(tell);
        resolve(match);
      };
      waiting.add(tell);
      for (const line of lines) tell(line);
      ended.then(() =>
        reject(new Error(`${child.spawnargs.join(' ')} ended before it printed ${pattern}:\n${lines.join('\n')}`)),
      );
    });
}
