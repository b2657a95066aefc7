import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as it, onTestFinished } from 'vitest';
import { KeptResult } from './kept-result.ts';

const PASSED = { passed: 3, failures: [] };

function openRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'dutchbook-kept-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ['units', 'server', 'units/node_modules']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'units/a.ts'), '1');
  return root;
}

const resultOf = (root: string) => new KeptResult(['units'], root);

it('answers how tests ended until a file of their folders, the packages or a variable changes', () => {
  const root = openRoot();
  expect(resultOf(root).read()).toBeUndefined();
  resultOf(root).keep(PASSED);
  writeFileSync(join(root, 'server/b.ts'), '2');
  writeFileSync(join(root, 'units/node_modules/c.js'), '3');
  expect(resultOf(root).read()).toEqual(PASSED);

  process.env.EXIT_RUNS = '7';
  onTestFinished(() => void delete process.env.EXIT_RUNS);
  expect(resultOf(root).read()).toBeUndefined();
  delete process.env.EXIT_RUNS;
  for (const [file, content] of [
    ['units/a.ts', '4'],
    ['units/d.ts', ''],
    ['package-lock.json', '{}'],
  ] as const) {
    resultOf(root).keep(PASSED);
    writeFileSync(join(root, file), content);
    expect(resultOf(root).read(), file).toBeUndefined();
  }
});

it('keeps nothing of tests that have failed', () => {
  const root = openRoot();
  resultOf(root).keep({ passed: 2, failures: ['a'] });
  expect(resultOf(root).read()).toBeUndefined();
});
