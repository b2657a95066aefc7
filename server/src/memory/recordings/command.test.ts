import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BlockEncoder } from '@dutchbook/recordings/block.ts';
import { blockBytes, fileStart } from '@dutchbook/recordings/file.ts';
import { instantFromIso } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { expect, it } from 'vitest';
import { recordingsCommand } from './command.ts';
import { recordingFolder } from './recorder.fixture.ts';

const PROGRAM = path.join(import.meta.dirname, '../../recordings-command.ts');

async function command(dataDir: string, ...args: string[]) {
  const lines: string[] = [];
  const env = { DATA_DIR: dataDir, VENUE: 'simulated' };
  const say = (line: string) => void lines.push(`${line}\n`);
  const failure = await recordingsCommand(args, { env, say }).catch((error: Error) => error);
  return { status: failure ? 1 : 0, says: `${lines.join('')}${failure ? `${failure.message}\n` : ''}` };
}

async function recording(file: string, venue: string): Promise<void> {
  writeFileSync(file, Buffer.concat([fileStart(venue), await blockAt('2026-06-07T01:30:00Z')]));
}

async function blockAt(time: string): Promise<Uint8Array> {
  const block = new BlockEncoder();
  const level = { price: priceFromText('0.4'), size: sharesFromText('5') };
  block.add({ kind: 'book', tokenId: '1', at: instantFromIso(time), venueAt: null, bids: [level], asks: [] });
  return await blockBytes(block);
}

it('recordings are converted, imported and exported by commands, which say what they did or why not', async () => {
  using disk = recordingFolder();
  const dataDir = disk.parent;
  const file = (name: string) => path.join(dataDir, name);
  const run = (...args: string[]) => command(dataDir, ...args);
  await recording(file('hour.dbr'), 'simulated');
  expect(await run('convert', file('hour.dbr'), file('hour.parquet'))).toMatchObject({ status: 0 });
  const imported = await run('import', file('hour.parquet'));
  expect(imported.says).toMatch(/^2 records of 1 tokens are in .*simulated: 2026-06-07T01-[0-9a-f]{8}\.dbr\. Nothing/);
  expect(readdirSync(path.join(dataDir, 'recordings/simulated'))).toHaveLength(2);
  expect(await run('import', file('hour.parquet'))).toEqual({
    status: 1,
    says: expect.stringContaining('is recorded already'),
  });
  const span = ['--from', '2026-06-07T01:00:00Z', '--until', '2026-06-07T02:00:00Z'];
  expect((await run('export', ...span, file('out.parquet'))).says).toBe(`2 records are in ${file('out.parquet')}.\n`);
  expect((await run('export', ...span, file('out.parquet'))).says).toMatch(/is there already/);
  expect(await run('export', ...span, '--token', '7', file('none.parquet'))).toMatchObject({ status: 1 });
  expect((await run('convert', file('out.parquet'), file('out.dbr'))).status).toBe(0);
  // What a file says of its venue is no way out of the folder.
  await recording(file('outside.dbr'), '../../outside');
  expect(await run('import', file('outside.dbr'))).toEqual({
    status: 1,
    says: '../../outside is no name of a venue.\n',
  });
  expect(await run('import', '--from')).toMatchObject({ status: 1 });
  expect(readdirSync(dataDir).toSorted()).toEqual([
    ...['hour.dbr', 'hour.parquet', 'out.dbr', 'out.parquet', 'outside.dbr', 'recordings'],
  ]);
});

it('what of a file cannot be read is named, and the command ends as failed though the rest was converted or imported', async () => {
  using disk = recordingFolder();
  const dataDir = disk.parent;
  const file = (name: string) => path.join(dataDir, name);
  const times = ['2026-06-07T01:30:00Z', '2026-06-07T01:30:02Z', '2026-06-07T01:30:04Z', '2026-06-07T01:30:06Z'];
  const [first, second, third, last] = await Promise.all(times.map(blockAt));
  if (!(first && second && third && last)) throw new Error('there are four');
  second[40] = (second[40] ?? 0) ^ 1;
  const secondAt = fileStart('simulated').length + first.length;
  const thirdAt = secondAt + second.length;
  const fourthAt = thirdAt + third.length;
  writeFileSync(file('hour.dbr'), Buffer.concat([fileStart('simulated'), first, second, third, last.subarray(0, 40)]));
  const lost = [
    'Lost, because it is damaged or was cut off:',
    `${file('hour.dbr')}: bytes ${secondAt} to ${thirdAt - 1}, 2026-06-07T01:30:00.000Z to 2026-06-07T01:30:04.000Z`,
    `${file('hour.dbr')}: everything from byte ${fourthAt} on, 2026-06-07T01:30:04.000Z to the end`,
  ].join('\n');
  for (const out of ['out.parquet', 'out.dbr']) {
    const { status, says } = await command(dataDir, 'convert', file('hour.dbr'), file(out));
    expect([status, says]).toEqual([1, `${file(out)} has what ${file('hour.dbr')} has, and could be read.\n${lost}\n`]);
  }
  expect(await command(dataDir, 'import', file('hour.dbr'))).toMatchObject({
    status: 1,
    says: expect.stringContaining(lost),
  });
  expect(readdirSync(path.join(dataDir, 'recordings/simulated'))).toHaveLength(2);
  // What came of it is whole, with a gap where something is missing.
  expect((await command(dataDir, 'convert', file('out.dbr'), file('again.dbr'))).status).toBe(0);
});

it('the program ends as failed where its command does, and says why', () => {
  using disk = recordingFolder();
  const env = { ...process.env, DATA_DIR: disk.parent };
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, 'import'], { env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringContaining('npm run recordings -- import')]);
});
