import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbeddedDatabase } from './embedded-database.ts';
import { FolderInUse } from './folder-lock.ts';

const WRITER = fileURLToPath(new URL('./embedded-database.fixture.ts', import.meta.url));
const ENOUGH = 50;
/** Of 512 bytes: a write-ahead file of 16 MB does not fit, all that there is at first does. */
const FILE_BLOCKS_MAX = 24_000;
const ROW_BYTES = 64_000;
const limits = {
  'the size of a file': ['sh', '-c', `ulimit -S -f ${FILE_BLOCKS_MAX} && exec "$@"`, 'sh', process.execPath],
  'a quota': [process.execPath, '--import', new URL('./disk-quota.fixture.ts', import.meta.url).href],
} as const;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dutchbook-embedded-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Resolves with the last row that the process said it had committed before it was killed in the middle of its work. */
async function killWhileWriting(): Promise<number> {
  const writer = spawn(process.execPath, [WRITER, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(writer, 'exit');
  let last = 0;
  for await (const line of createInterface({ input: writer.stdout })) {
    last = Number(line);
    if (last === 1) await expect(openEmbeddedDatabase(folder)).rejects.toThrow(FolderInUse);
    if (last === ENOUGH) writer.kill('SIGKILL');
  }
  await ended;
  return last;
}

/** The same of a process that cannot write any more at some moment, to its own knowledge or not. */
async function writeUntilRefused(by: keyof typeof limits): Promise<{ last: number; code: unknown; said: string }> {
  const [command, ...given] = [...limits[by], WRITER, folder, String(ROW_BYTES)];
  const writer = spawn(command, given);
  const ended = once(writer, 'close');
  let said = '';
  writer.stderr.on('data', (words) => {
    said += words;
  });
  let last = 0;
  for await (const line of createInterface({ input: writer.stdout })) last = Number(line);
  const [code] = await ended;
  return { last, code, said };
}

async function committedRows() {
  const { client, release } = await openEmbeddedDatabase(folder);
  const { rows } = await client.query('select n from committed order by n');
  await client.close();
  release();
  return rows;
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => ({ n: index + 1 }));

describe('the embedded database', () => {
  it('belongs to one process, and keeps all that was committed when that is killed', { timeout: 120_000 }, async () => {
    const last = await killWhileWriting();
    expect(last).toBeGreaterThanOrEqual(ENOUGH);
    expect((await committedRows()).slice(0, last)).toEqual(upTo(last));
  });

  it.each([
    ['the size of a file', 'The embedded database cannot write'],
    ['a quota', 'I/O error'],
  ] as const)(
    'takes nothing for committed that %s leaves no room for, and has all else when there is room again',
    async (limit, reason) => {
      const { last, code, said } = await writeUntilRefused(limit);
      expect(code, said).toBe(1);
      expect(said).toContain(reason);
      expect(last).toBeGreaterThan(0);
      expect((await committedRows()).slice(0, last)).toEqual(upTo(last));
    },
  );
});
