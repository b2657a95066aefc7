import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startChild, stop } from './child.ts';
import { keepRunning } from './keep-running.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'dutchbook-kept-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const LISTENS = "process.send('listening');";
const STAYS_UP = `${LISTENS} setInterval(() => undefined, 1000);`;
/** The code is sent after the message has left. */
const ENDS = "process.send('listening', () => process.exit(3));";
const never = new Promise<never>(() => undefined);

/** Runs what stands in the n-th text for the n-th time, the last one from then on. */
function programOf(...texts: string[]) {
  const starts = join(directory, 'starts');
  writeFileSync(starts, '');
  return {
    starts: () => readFileSync(starts, 'utf8').length,
    start: () => {
      const nth = readFileSync(starts, 'utf8').length;
      appendFileSync(starts, '.');
      const script = join(directory, `${nth}.ts`);
      writeFileSync(script, texts[Math.min(nth, texts.length - 1)] ?? '');
      return startChild('The server', script, {}, 'pipe');
    },
  };
}

test('starts a server that ended by itself again and says so, until it is stopped', async () => {
  const said: string[] = [];
  const program = programOf(ENDS, STAYS_UP);
  let stopIt = (): void => undefined;
  const untilStopped = new Promise<void>((resolve) => {
    stopIt = resolve;
  });
  const kept = keepRunning({
    ...{ name: 'The server', start: program.start, untilStopped, nowMs: () => 0 },
    say: (line) => said.push(line),
  });
  await expect.poll(program.starts).toBe(2);
  stopIt();
  await stop(await kept);
  expect(said).toEqual([
    'The server has ended by itself, with code 3. It is started again, for the first time in a minute.',
  ]);
});

test('starts it again at most five times in a minute', async () => {
  const said: string[] = [];
  const program = programOf(ENDS);
  const kept = {
    name: 'The server',
    start: program.start,
    untilStopped: never,
    say: (line: string) => said.push(line),
  };
  expect(await (await keepRunning({ ...kept, nowMs: () => 0 })).ended).toBe(3);
  expect(program.starts()).toBe(6);
  expect(said.at(-1)).toBe(
    'The server has ended by itself, with code 3, after 5 restarts in a minute. It is not started again.',
  );
});

test('counts restarts of the last minute alone', async () => {
  const program = programOf(...Array.from({ length: 7 }, () => ENDS), 'process.exit(4)');
  const said: string[] = [];
  let nowMs = 0;
  const start = () => {
    nowMs += program.starts() < 7 ? 20_000 : 0;
    return program.start();
  };
  const kept = { name: 'The server', start, untilStopped: never, say: (line: string) => said.push(line) };
  await keepRunning({ ...kept, nowMs: () => nowMs });
  expect(said.slice(0, 7).every((line) => /the (first|second|third|fourth) time in a minute/.test(line))).toBe(true);
  expect(said.at(-1)).toContain('with code 4, after 5 restarts in a minute');
});

test('does not start one again that ended before it listened', async () => {
  const said: string[] = [];
  const program = programOf('process.exit(1)');
  const kept = {
    name: 'The server',
    start: program.start,
    untilStopped: never,
    say: (line: string) => said.push(line),
  };
  expect(await (await keepRunning({ ...kept, nowMs: () => 0 })).ended).toBe(1);
  expect([program.starts(), said]).toEqual([1, ['The server has ended by itself, with code 1.']]);
});
