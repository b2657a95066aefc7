import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BlockEncoder } from '@dutchbook/recordings/block.ts';
import { blockBytes, fileStart } from '@dutchbook/recordings/file.ts';
import { instantFromIso } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { expect, it } from 'vitest';
import { recordingFolder } from './recordings/recorder.fixture.ts';

const PROGRAM = path.join(import.meta.dirname, 'recordings-command.ts');

function command(dataDir: string, ...args: string[]) {
  const env = { ...process.env, DATA_DIR: dataDir, VENUE: 'simulated' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], { env, encoding: 'utf8' });
  return { status, says: `${stdout}${stderr}` };
}

async function recording(file: string, venue: string): Promise<void> {
  const block = new BlockEncoder();
  const level = { price: priceFromText('0.4'), size: sharesFromText('5') };
  const at = instantFromIso('2026-06-07T01:30:00Z');
  block.add({ kind: 'book', tokenId: '1', at, venueAt: null, bids: [level], asks: [] });
  writeFileSync(file, Buffer.concat([fileStart(venue), await blockBytes(block)]));
}

it('recordings are converted, imported and exported by commands, which say what they did or why not', async () => {
  using disk = recordingFolder();
  const dataDir = disk.parent;
  const file = (name: string) => path.join(dataDir, name);
  const run = (...args: string[]) => command(dataDir, ...args);
  await recording(file('hour.dbr'), 'simulated');
  expect(run('convert', file('hour.dbr'), file('hour.parquet'))).toMatchObject({ status: 0 });
  const imported = run('import', file('hour.parquet'));
  expect(imported.says).toMatch(/^2 records of 1 tokens are in .*simulated: 2026-06-07T01-[0-9a-f]{8}\.dbr\. Nothing/);
  expect(readdirSync(path.join(dataDir, 'recordings/simulated'))).toHaveLength(2);
  expect(run('import', file('hour.parquet'))).toEqual({
    status: 1,
    says: expect.stringContaining('is recorded already'),
  });
  const span = ['--from', '2026-06-07T01:00:00Z', '--until', '2026-06-07T02:00:00Z'];
  expect(run('export', ...span, file('out.parquet')).says).toBe(`2 records are in ${file('out.parquet')}.\n`);
  expect(run('export', ...span, file('out.parquet')).says).toMatch(/is there already/);
  expect(run('export', ...span, '--token', '7', file('none.parquet'))).toMatchObject({ status: 1 });
  expect(run('convert', file('out.parquet'), file('out.dbr')).status).toBe(0);
  // What a file says of its venue is no way out of the folder.
  await recording(file('outside.dbr'), '../../outside');
  expect(run('import', file('outside.dbr'))).toEqual({ status: 1, says: '../../outside is no name of a venue.\n' });
  expect(run('import', '--from')).toMatchObject({ status: 1 });
  expect(readdirSync(dataDir).toSorted()).toEqual([
    ...['hour.dbr', 'hour.parquet', 'out.dbr', 'out.parquet', 'outside.dbr', 'recordings'],
  ]);
}, 60_000);
