import { readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { applyLevelChange } from '@dutchbook/engine/book/book.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { complement, priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { systemRandom } from '../../platform/runtime/random.ts';
import { testTime } from '../../platform/runtime/test-time.ts';
import { trimRecordings } from './files.ts';
import { type FoundRecord, findRecords } from './find-records.ts';
import { NOTHING_WORTH } from './kept/what-goes.ts';
import { recordingFolder, scriptedTokens } from './recorder.fixture.ts';
import { type OpenWriter, type RecorderPlan, startRecorder } from './recorder.ts';
import { openStatusReader } from './status.ts';
import { openWriter } from './writer.ts';
import { openWriterThread } from './writer-thread.ts';

const LIMITS = { maxBytes: 10_000_000, days: 7 };
const MINUTE_MS = 60_000;
/** Where the clock of tests begins. */
const START = 1_767_225_600_000;

/** Moments are milliseconds since the clock began. */
function recording(folder: string, given: Partial<RecorderPlan> = {}, time = testTime(), open?: OpenWriter) {
  const { clock, timers } = time;
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
  const scripted = scriptedTokens(clock);
  const plan = { folder, venue: 'simulated', tokens: scripted.tokens, limits: LIMITS, keptFreeBytes: 0, ...given };
  const recorder = startRecorder({ clock, timers, random: systemRandom, log }, plan, open);
  return {
    ...scripted,
    time,
    recorder,
    lines,
    bid: (tokenId: string, price: string, size: string) => {
      applyLevelChange(scripted.book(tokenId), 'buy', priceFromText(price), sharesFromText(size));
      scripted.tell(tokenId);
    },
    offer: (tokenId: string, price: string, size: string) =>
      applyLevelChange(scripted.book(tokenId), 'sell', priceFromText(price), sharesFromText(size)),
    written: () => vi.waitUntil(() => recorder.state().waitingBytes === 0),
    status: () => openStatusReader(folder)(clock.now(), LIMITS, recorder.state()),
  };
}

async function found(folder: string, tokenId: string, fromMs: number, untilMs: number): Promise<FoundRecord[]> {
  const records: FoundRecord[] = [];
  const [from, until] = [instantFromMs(START + fromMs), instantFromMs(START + untilMs)];
  for await (const each of findRecords({ folder, tokenIds: new Set([tokenId]), from, until })) records.push(each);
  return records;
}

const level = (price: string, size: string) => ({ price: priceFromText(price), size: sharesFromText(size) });

/** Of a bid that comes, another a tenth of a second later, and a book that is trusted less from then on. */
async function expectStoryOf(folder: string): Promise<void> {
  const [tokenId, begun, at] = ['a:yes', START + 1050, START + 1100];
  expect(await found(folder, tokenId, 1050, MINUTE_MS)).toEqual([
    { kind: 'book', tokenId, at: begun, venueAt: null, bids: [level('0.40', '5')], asks: [] },
    { kind: 'trust', tokenId, at: begun, venueAt: null, trust: 'live' },
    { kind: 'changes', tokenId, at, venueAt: at - 40, changes: [{ side: 'buy', ...level('0.41', '7') }] },
    { kind: 'trust', tokenId, at, venueAt: null, trust: 'stale' },
  ]);
}

describe('the recorder', () => {
  it('records what changes, when by both clocks, and is read from any moment on', async () => {
    using place = recordingFolder();
    const { time, bid, recorder, trust, tell } = recording(place.folder);
    await time.advance(1000);
    bid('a:yes', '0.40', '5');
    await time.advance(100);
    bid('a:yes', '0.41', '7');
    trust('a:yes', 'stale');
    tell('a:yes');
    await time.advance(5000);
    await recorder.stop();
    await expectStoryOf(place.folder);
    expect(await found(place.folder, 'b:yes', 0, MINUTE_MS)).toEqual([]);
  });

  it('gives the books of an outcome that mirrors the other without those of the other', async () => {
    using place = recordingFolder();
    const { time, bid, offer, recorder } = recording(place.folder);
    await time.advance(1000);
    for (const [offered, wanted, size] of [
      ['0.40', '0.60', '5'],
      ['0.41', '0.59', '3'],
    ] as const) {
      offer('a:no', offered, size);
      bid('a:yes', wanted, size);
      await time.advance(100);
    }
    await recorder.stop();
    const records = await found(place.folder, 'a:yes', 1050, MINUTE_MS);
    const mirrored = complement(priceFromText('0.41'));
    expect(records).toMatchObject([
      { kind: 'book', bids: [{ price: 600_000 }], asks: [] },
      { kind: 'trust', trust: 'live' },
      { kind: 'changes', tokenId: 'a:yes', changes: [{ side: 'buy', price: mirrored, size: 3_000_000 }] },
    ]);
  });

  it('has every book that is followed, also one that has not changed for long, and across hours', async () => {
    using place = recordingFolder();
    const { time, bid, recorder } = recording(place.folder);
    await time.advance(1000);
    bid('a:yes', '0.40', '5');
    await time.advance(70 * MINUTE_MS);
    await recorder.stop();
    expect(readdirSync(place.folder)).toHaveLength(2);
    expect(await found(place.folder, 'a:yes', 62 * MINUTE_MS, 63 * MINUTE_MS)).toMatchObject([
      { kind: 'book', bids: [level('0.40', '5')] },
      { kind: 'trust', trust: 'live' },
    ]);
  });

  it('says that it was not running: nothing is known in between, and a block that was cut off is part of that', async () => {
    using place = recordingFolder();
    const time = testTime();
    const first = recording(place.folder, {}, time);
    await time.advance(1000);
    first.bid('a:yes', '0.40', '5');
    await time.advance(1500);
    first.bid('a:yes', '0.45', '5');
    await time.advance(2500);
    await first.written();
    first.bid('a:yes', '0.50', '5');
    await first.recorder.stop();
    const [name = ''] = readdirSync(place.folder);
    truncateSync(path.join(place.folder, name), statSync(path.join(place.folder, name)).size - 1);
    await time.advance(5000);
    const second = recording(place.folder, {}, time);
    await time.advance(1000);
    second.bid('a:yes', '0.60', '5');
    await time.advance(1000);
    await second.recorder.stop();
    const gap = { kind: 'gap', reason: 'not running', until: START + 10_000 };
    const records = await found(place.folder, 'a:yes', 1500, MINUTE_MS);
    expect(records).toMatchObject([
      { kind: 'book', bids: [level('0.40', '5')] },
      { kind: 'trust', trust: 'live' },
      { kind: 'changes', at: START + 2500 },
      { ...gap, at: START + 2501 },
      { kind: 'book', bids: [level('0.60', '5')], at: START + 11_000 },
      { kind: 'trust', trust: 'live' },
    ]);
    expect((await found(place.folder, 'a:yes', 5000, MINUTE_MS))[0]).toMatchObject({ ...gap, at: START + 5000 });
    expect((await second.status()).holes).toEqual([
      { from: START + 2501, until: START + 10_000, reason: 'not running' },
    ]);
  });

  it('drops what the disk does not take, says so once, and goes on behind a gap when it does', async () => {
    using place = recordingFolder();
    const { time, bid, recorder, lines, status } = recording(place.folder);
    await time.advance(1000);
    bid('a:yes', '0.40', '5');
    await time.advance(2000);
    await vi.waitUntil(() => recorder.state().records > 0);
    // The next file, that of the next hour, cannot be made.
    rmSync(place.folder, { recursive: true });
    writeFileSync(place.folder, 'in the way');
    await time.advance(60 * MINUTE_MS);
    for (let second = 0; second < 40; second += 1) {
      bid('a:yes', '0.41', `${second + 1}`);
      await time.advance(1000);
    }
    await vi.waitUntil(() => recorder.state().interrupted !== null);
    expect(recorder.state()).toMatchObject({ interrupted: { reason: 'the disk does not take it' }, since: null });
    expect(recorder.state().droppedRecords).toBeGreaterThan(0);
    expect(lines.filter((line) => line === 'recording interrupted')).toHaveLength(1);
    expect((await status()).holes).toMatchObject([{ until: null, reason: 'the disk does not take it' }]);
    rmSync(place.folder);
    await time.advance(11_000);
    bid('a:yes', '0.42', '1');
    await time.advance(2000);
    await vi.waitUntil(() => lines.includes('recording interrupted, recovered'));
    await recorder.stop();
    const again = await found(place.folder, 'a:yes', 60 * MINUTE_MS, 120 * MINUTE_MS);
    expect(again.at(-1)).toMatchObject({ kind: 'changes', changes: [{ size: 1_000_000 }] });
    expect(await status()).toMatchObject({ hole_count: 1, holes: [{ reason: 'the disk does not take it' }] });
  });

  it('begins with whole books also where nothing of those before has reached the disk', async () => {
    using place = recordingFolder();
    const { time, bid, recorder } = recording(place.folder);
    await time.advance(1000);
    writeFileSync(place.folder, 'in the way');
    bid('a:yes', '0.40', '5');
    await time.advance(2000);
    await vi.waitUntil(() => recorder.state().interrupted !== null);
    rmSync(place.folder);
    await time.advance(11_000);
    bid('a:yes', '0.42', '1');
    await time.advance(2000);
    await recorder.stop();
    expect(await found(place.folder, 'a:yes', 14_500, MINUTE_MS)).toMatchObject([
      { kind: 'book', bids: [level('0.42', '1'), level('0.40', '5')] },
      { kind: 'trust', trust: 'live' },
    ]);
  });

  it('drops what does not fit into the buffer, and goes on behind a gap', async () => {
    using place = recordingFolder();
    const { time, bid, recorder } = recording(place.folder, { waitingBytesMax: 200 });
    await time.advance(1000);
    bid('a:yes', '0.40', '5');
    await time.advance(2000);
    await vi.waitUntil(() => recorder.state().records > 0);
    for (let shares = 0; shares < 100; shares += 1) bid('a:yes', '0.40', `${shares + 10}`);
    await time.advance(2000);
    expect(recorder.state()).toMatchObject({ interrupted: { reason: 'the buffer is full' } });
    expect(recorder.state().droppedRecords).toBeGreaterThanOrEqual(100);
    await time.advance(11_000);
    expect(recorder.state()).toMatchObject({ interrupted: null, gaps: 1 });
    await recorder.stop();
  });

  it('drops what comes faster than it is read, and goes on behind a gap with whole books', async () => {
    using place = recordingFolder();
    const { time, bid, recorder, lines } = recording(place.folder, { logNumbers: 256 });
    await time.advance(1000);
    bid('a:yes', '0.40', '5');
    await time.advance(2000);
    await vi.waitUntil(() => recorder.state().records > 0);
    const before = recorder.state().droppedRecords;
    for (let shares = 0; shares < 100; shares += 1) bid('a:yes', '0.40', `${shares + 10}`);
    expect(recorder.state()).toMatchObject({ since: null, interrupted: { reason: 'the buffer is full' } });
    expect(recorder.state().droppedRecords).toBeGreaterThan(before);
    bid('a:yes', '0.41', '7');
    await time.advance(11_000);
    bid('a:yes', '0.42', '1');
    await time.advance(1000);
    expect(recorder.state()).toMatchObject({ interrupted: null, gaps: 1 });
    await recorder.stop();
    expect(lines.filter((line) => line === 'recording interrupted')).toHaveLength(1);
    const records = await found(place.folder, 'a:yes', 1050, MINUTE_MS);
    const gap = records.findIndex(({ kind }) => kind === 'gap');
    expect(records[gap]).toMatchObject({ reason: 'the buffer is full' });
    expect(records.slice(gap + 1)).toMatchObject([
      { kind: 'book', bids: [level('0.41', '7'), level('0.40', '109')] },
      { kind: 'trust', trust: 'live' },
      { kind: 'changes', changes: [{ side: 'buy', ...level('0.42', '1') }] },
    ]);
  });

  it('begins anew with another writer where the one it has breaks', async () => {
    using place = recordingFolder();
    let broken = 0;
    const breakingOnce: OpenWriter = (plan, { failures }) => {
      const writer = openWriter(plan, () => `0000000${broken}`, failures);
      const wake: typeof writer.wake = async (waking) => {
        if (broken === 0 && waking.at > START + 4000) {
          broken += 1;
          throw new Error('it is broken');
        }
        await writer.wake(waking);
      };
      return { ...writer, wake };
    };
    const { time, bid, recorder, lines } = recording(place.folder, {}, testTime(), breakingOnce);
    await time.advance(1000);
    bid('a:yes', '0.40', '5');
    await time.advance(2000);
    await vi.waitUntil(() => recorder.state().records > 0);
    const { records } = recorder.state();
    await time.advance(2000);
    expect(recorder.state()).toMatchObject({ since: null, interrupted: { since: START + 1000, reason: 'an error' } });
    bid('a:yes', '0.41', '5');
    await time.advance(11_000);
    expect(recorder.state()).toMatchObject({ interrupted: null, gaps: 1 });
    await recorder.stop();
    expect(recorder.state().records).toBeGreaterThan(records);
    expect(lines).toContain('recording interrupted, recovered');
    expect((await found(place.folder, 'a:yes', 3000, MINUTE_MS)).map(({ kind }) => kind)).toEqual([
      'gap',
      'book',
      'trust',
    ]);
  });

  it('says of a writer that does not answer that something waits', async () => {
    using place = recordingFolder();
    const silent: OpenWriter = (plan, { failures }) => {
      const writer = openWriter(plan, () => '00000000', failures);
      return { ...writer, wake: async () => {} };
    };
    const { time, recorder } = recording(place.folder, {}, testTime(), silent);
    await time.advance(2000);
    expect(recorder.state().waitingBytes).toBeGreaterThan(0);
  });

  it('records the same in a thread of its own', async () => {
    using place = recordingFolder();
    const { time, bid, offer, trust, recorder } = recording(place.folder, {}, testTime(), openWriterThread);
    await time.advance(1000);
    bid('a:yes', '0.40', '5');
    await time.advance(100);
    offer('a:no', '0.60', '5');
    bid('a:no', '0.30', '5');
    trust('a:yes', 'stale');
    bid('a:yes', '0.41', '7');
    await time.advance(3000);
    await recorder.stop();
    expect(recorder.state()).toMatchObject({ waitingBytes: 0, droppedRecords: 0, gaps: 0 });
    await expectStoryOf(place.folder);
  });

  it('leaves a disk alone that is nearly full', async () => {
    using place = recordingFolder();
    const { time, bid, recorder } = recording(place.folder, { keptFreeBytes: Number.MAX_SAFE_INTEGER });
    await time.advance(1000);
    bid('a:yes', '0.40', '5');
    await time.advance(3000);
    await vi.waitUntil(() => recorder.state().records > 0);
    await time.advance(58_000);
    bid('a:yes', '0.41', '5');
    await time.advance(20_000);
    expect(recorder.state()).toMatchObject({ since: null, interrupted: { reason: 'the disk is nearly full' } });
    await recorder.stop();
  });

  it('keeps what is within its limits, the newest and what is pinned', async () => {
    using place = recordingFolder();
    const { time, bid, recorder } = recording(place.folder);
    await time.advance(1000);
    bid('a:yes', '0.40', '5');
    await time.advance(2000);
    await recorder.stop();
    const [newest = ''] = readdirSync(place.folder);
    const names = ['2025-12-20T00', '2025-12-31T20', '2025-12-31T21', '2025-12-31T22'].map(
      (hour) => `${hour}-0000000a.dbr`,
    );
    for (const name of [...names, 'notes.txt']) writeFileSync(path.join(place.folder, name), 'x'.repeat(1000));
    writeFileSync(path.join(place.folder, 'pinned'), `${names[1]}\n`);
    const now = instantFromMs(START + 3000);
    await trimRecordings(
      place.folder,
      { maxBytes: 10_000, days: 7 },
      now,
      { written: newest, neededSince: null },
      NOTHING_WORTH,
    );
    expect(readdirSync(place.folder).toSorted()).toEqual([...names.slice(1), newest, 'notes.txt', 'pinned'].toSorted());
    await trimRecordings(
      place.folder,
      { maxBytes: 1500, days: 7 },
      now,
      { written: newest, neededSince: null },
      NOTHING_WORTH,
    );
    expect(readdirSync(place.folder).toSorted()).toEqual([names[1], newest, 'notes.txt', 'pinned'].toSorted());
  });

  it('tells how much there is, and how fast it grows', async () => {
    using place = recordingFolder();
    const { time, bid, recorder, status } = recording(place.folder);
    await time.advance(1000);
    expect(await status()).toMatchObject({
      files: 0,
      bytes: 0,
      bytes_per_hour: null,
      hours: [],
      oldest: null,
      holes: [],
    });
    for (let minute = 0; minute < 5; minute += 1) {
      bid('a:yes', '0.40', `${minute + 1}`);
      await time.advance(MINUTE_MS);
    }
    await recorder.stop();
    const { bytes, ...rest } = await status();
    expect(bytes).toBe(recorder.state().bytes);
    expect(rest).toMatchObject({
      ...{
        files: 1,
        oldest: START + 1000,
        tokens: 1,
        since: START,
        hole_count: 0,
        max_bytes: 10_000_000,
        days: 7,
      },
      hours: [{ hour: START, bytes }],
    });
    expect(rest.bytes_per_hour).toBe(Math.round(bytes * 12));
  });
});
