import { mkdir, mkdtempDisposable, rmdir, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { watchDisk } from './disk.ts';
import { testTime } from './test-time.ts';

const everything = async () => {
  const { blocks, bsize } = await statfs(tmpdir());
  return blocks * bsize + 1;
};

it('says whether the disk of a folder has less room than is needed, looks again, and stops', async () => {
  const { timers, advance } = testTime();
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'dutchbook-disk-'));
  const below = path.join(folder.path, 'data');
  const { isFull, stop } = await watchDisk(below, timers, await everything());
  expect(isFull()).toBe(false);
  await mkdir(below);
  await advance(5000);
  expect(isFull()).toBe(true);
  await rmdir(below);
  await advance(5000);
  expect(isFull()).toBe(false);
  const roomy = await watchDisk(folder.path, timers, 0);
  expect(roomy.isFull()).toBe(false);
  for (const end of [stop, roomy.stop]) end();
  expect(await advance(60_000)).toBe(false);
});
