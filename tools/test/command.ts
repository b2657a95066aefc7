import { type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname, join } from 'node:path';
import { repositoryRoot } from '../repository.ts';

/**
 * Runs a JavaScript program of an installed package on this Node, its output going to the terminal. Returns whether it
 * succeeded.
 */
export function runInstalled(
  program: string,
  programArguments: readonly string[],
  env: NodeJS.ProcessEnv = {},
): boolean {
  return run(process.execPath, [join(repositoryRoot, 'node_modules', program), ...programArguments], env);
}

/** Runs a program in the repository's top folder, its output going to the terminal. Returns whether it succeeded. */
export function run(program: string, programArguments: readonly string[], env: NodeJS.ProcessEnv = {}): boolean {
  const { status, error } = spawnSync(program, programArguments, optionsWith(env));
  if (error !== undefined) process.stderr.write(`${program} could not be run: ${error.message}\n`);
  return status === 0;
}

/** Runs it while this process goes on: a server started by it stops once its output is no longer read. */
export async function runMeanwhile(
  program: string,
  programArguments: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  const [status] = await once(spawn(program, programArguments, optionsWith(env)), 'exit');
  return status === 0;
}

/** Runs a JavaScript program on this Node meanwhile; resolves to how it ended and all that it printed. */
export function spawnCollecting(
  programArguments: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ status: number | null; said: string }> {
  const program = spawn(process.execPath, programArguments, {
    ...optionsWith(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const parts: Buffer[] = [];
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (part: Buffer) => parts.push(part));
  return new Promise((resolve) => {
    const end = (status: number | null) => resolve({ status, said: Buffer.concat(parts).toString() });
    program.once('close', end);
    program.once('error', (error) => {
      parts.push(Buffer.from(error.message));
      end(null);
    });
  });
}

function optionsWith(env: NodeJS.ProcessEnv) {
  return {
    cwd: repositoryRoot,
    stdio: ['ignore', 'inherit', 'inherit'] as StdioOptions,
    // A `node` that a test starts by name is then this one too.
    env: { ...process.env, ...env, PATH: [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter) },
  };
}
