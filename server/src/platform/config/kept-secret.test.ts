import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keptSecret } from './kept-secret.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dutchbook-kept-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a secret in a file', () => {
  it('is the same as long as the file is there, and never an empty one', () => {
    expect(keptSecret(folder, 'key', () => 'first')).toBe('first');
    expect(keptSecret(folder, 'key', () => 'second')).toBe('first');
    writeFileSync(path.join(folder, 'key'), '');
    expect(() => keptSecret(folder, 'key', () => 'third')).toThrow('is empty');
  });

  it('leaves no file where the disk has no room for it', () => {
    const { href } = new URL('./kept-secret.ts', import.meta.url);
    const made = `import { keptSecret } from '${href}'; keptSecret(process.argv[1], 'key', () => 'first')`;
    const words = [process.execPath, '--input-type=module', '--eval', made, folder];
    const { status, stderr } = spawnSync('sh', ['-c', 'ulimit -f 0; exec "$@"', 'sh', ...words], { encoding: 'utf8' });
    expect(stderr).toContain('EFBIG');
    expect(status).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });
});
