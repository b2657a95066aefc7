import { type SpawnOptionsWithStdioTuple, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot, say } from '../repository.ts';
import { spawnCollecting } from './command.ts';
import { firstLine } from './failure.ts';
import { ONE_PASSED, oneFailed, type Tally } from './tally.ts';

const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Runs an installed program that checks everything at once, as one test: the first line it prints names the failure. */
export function runChecker(name: string, program: string, programArguments: readonly string[]): Tally {
  const { status, error, stdout, stderr } = spawnSync(process.execPath, commandOf(program, programArguments), {
    ...OPTIONS,
    encoding: 'utf8',
    maxBuffer: MOST_OUTPUT_BYTES,
  });
  return tell(name, status, [stdout, stderr, error?.message]);
}

/** Begins a checker; the function returned waits until it has ended, and prints only then. */
export function beginChecker(name: string, program: string, programArguments: readonly string[]): () => Promise<Tally> {
  const ended = spawnCollecting(commandOf(program, programArguments));
  return async () => {
    const { status, said } = await ended;
    return tell(name, status, [said]);
  };
}

const OPTIONS: SpawnOptionsWithStdioTuple<'ignore', 'pipe', 'pipe'> = {
  cwd: repositoryRoot,
  stdio: ['ignore', 'pipe', 'pipe'],
};

function commandOf(program: string, programArguments: readonly string[]): string[] {
  return [join(repositoryRoot, 'node_modules', program), ...programArguments];
}

function tell(name: string, status: number | null, said: readonly (string | undefined)[]): Tally {
  const words = said.filter(Boolean).join('\n').trim();
  if (words !== '') say(words);
  return status === 0 ? ONE_PASSED : oneFailed(`${name}: ${firstLine(words)}`);
}
