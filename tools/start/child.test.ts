import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startChild, stop } from './child.ts';

const STAYS_UP = "process.stdout.write('up\\n'); setInterval(() => undefined, 1000);";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'dutchbook-child-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function scriptOf(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

function firstLine(stream: NodeJS.ReadableStream | null): Promise<string> {
  return new Promise((resolve) => {
    if (stream !== null) createInterface({ input: stream }).once('line', resolve);
  });
}

test('stops a child as it asks to be stopped, and hands on its exit code', async () => {
  const script = scriptOf('polite.ts', `process.on('SIGTERM', () => process.exit(7)); ${STAYS_UP}`);
  const child = startChild('The child', script, {}, 'pipe');
  await firstLine(child.process.stdout);
  expect(await stop(child)).toBe(7);
});

test('counts the signal that ended a child as shells do', async () => {
  const child = startChild('The child', scriptOf('plain.ts', STAYS_UP), {}, 'pipe');
  await firstLine(child.process.stdout);
  child.process.kill('SIGKILL');
  expect(await child.ended).toBe(137);
});

test('a child stops when its parent is killed', async () => {
  const child = scriptOf('child.ts', STAYS_UP);
  const code = `import { startChild } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'child.ts')))};
startChild('The child', ${JSON.stringify(child)}, {}, 'inherit');`;
  const parent = spawn(process.execPath, [scriptOf('parent.ts', code)], { stdio: ['ignore', 'pipe', 'inherit'] });
  // The child holds the other end of this pipe too, so it closes once both are gone.
  const bothEnded = new Promise((resolve) => parent.once('close', resolve));
  expect(await firstLine(parent.stdout)).toBe('up');
  parent.kill('SIGKILL');
  await bothEnded;
});
