import { instantFromMs } from '@dutchbook/units/instant.ts';
import { expect, it } from 'vitest';
import { openExports } from './export-thread.ts';
import { recordingFolder } from './recorder.fixture.ts';

it('an export whose reader goes away makes room for the next, which is made to its end', async () => {
  using disk = recordingFolder();
  const start = openExports();
  const wanted = { folder: disk.folder, tokenIds: null, from: instantFromMs(0), until: instantFromMs(1000) };
  const task = { venue: 'simulated', wanted };
  const left = start(task);
  expect(() => start(task)).toThrow('Recordings are being exported already');
  const waiting = left.pieces.next();
  left.end();
  await expect(waiting).rejects.toThrow('the export has ended early');
  const next = start(task);
  const parts: Uint8Array[] = [];
  for await (const part of next.pieces) parts.push(part);
  expect(Buffer.concat(parts).toString('latin1')).toMatch(/^PAR1.*PAR1$/s);
  // Long gone, it ends nothing but itself.
  const last = start(task);
  left.end();
  next.end();
  expect(() => start(task)).toThrow('Recordings are being exported already');
  last.end();
});
