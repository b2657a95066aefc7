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

describe('the embedded database', () => {
  it('belongs to one process, and keeps all that was committed when that is killed', { timeout: 120_000 }, async () => {
    const last = await killWhileWriting();
    expect(last).toBeGreaterThanOrEqual(ENOUGH);
    const { client, release } = await openEmbeddedDatabase(folder);
    const { rows } = await client.query('select n from committed order by n');
    expect(rows.slice(0, last)).toEqual(Array.from({ length: last }, (_, index) => ({ n: index + 1 })));
    await client.close();
    release();
  });
});
