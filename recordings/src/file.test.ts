import { instantFromMs } from '@dutchbook/units/instant.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBlock } from './block.ts';
import { blockPlaces, type Damage, readBlocks, readFileStart } from './file.ts';
import type { Recorded } from './record.ts';
import { anyRecord, blockOf, fileOf, readAll, readsOf } from './testing.fixture.ts';

const trustAt = (ms: number): Recorded => ({
  ...{ kind: 'trust', tokenId: '1', at: instantFromMs(ms), venueAt: null, trust: 'live' },
});
const THREE = [[trustAt(1000), trustAt(2000)], [trustAt(3000)], [trustAt(4000), trustAt(5000)]];

describe('a recording', () => {
  it('gives back whatever records it was given', () => {
    fc.assert(
      fc.property(fc.array(anyRecord, { minLength: 1 }), (records) => {
        expect(decodeBlock(blockOf(records).bytes())).toEqual(records);
      }),
    );
  });

  it('says of which venue it is, and gives back its blocks', async () => {
    expect(await readAll(await fileOf(THREE))).toEqual({ venue: 'simulated', blocks: THREE, damaged: 0 });
  });

  it('loses no more than the last block wherever it is cut off', async () => {
    const bytes = await fileOf(THREE);
    const { end: first } = await readFileStart(readsOf(bytes));
    const ends: number[] = [];
    for await (const { end } of blockPlaces(readsOf(bytes), first)) ends.push(end);
    for (let length = first; length <= bytes.length; length += 1) {
      const whole = ends.filter((end) => end <= length).length;
      const { blocks, damaged } = await readAll(bytes.subarray(0, length));
      expect({ length, blocks }).toEqual({ length, blocks: THREE.slice(0, whole) });
      expect({ length, damaged }).toEqual({ length, damaged: [first, ...ends].includes(length) ? 0 : 1 });
    }
  });

  it('loses the one block that has a wrong byte, and says between which moments that was', async () => {
    const bytes = await fileOf(THREE);
    const { end: start } = await readFileStart(readsOf(bytes));
    const places: { start: number; end: number }[] = [];
    for await (const place of blockPlaces(readsOf(bytes), start)) places.push(place);
    const middle = places[1] ?? { start: 0, end: 0 };
    for (let wrong = middle.start; wrong < middle.end; wrong += 1) {
      const damagedBytes = Buffer.from(bytes);
      damagedBytes[wrong] = (damagedBytes[wrong] ?? 0) ^ 0x55;
      const found: Recorded[][] = [];
      const damage: Damage[] = [];
      for await (const block of readBlocks(readsOf(damagedBytes), start, undefined, (each) => void damage.push(each))) {
        found.push(block.records);
      }
      expect({ wrong, found }).toEqual({ wrong, found: [THREE[0], THREE[2]] });
      expect(damage).toMatchObject([{ from: 2000, until: 4000 }]);
    }
  });

  it('reads the blocks that are wanted, and none of the others', async () => {
    const bytes = await fileOf(THREE);
    const read: number[] = [];
    const reads = readsOf(bytes);
    const { end } = await readFileStart(reads);
    const counting = (start: number, length: number) => {
      read.push(length);
      return reads(start, length);
    };
    const found: Recorded[][] = [];
    for await (const { records } of readBlocks(counting, end, ({ until }) => until >= 4000)) found.push(records);
    expect(found).toEqual([THREE[2]]);
    // Heads, and whether the last byte is there; of the wanted one its bytes to check and to read.
    expect(read.filter((length) => length !== 32 && length !== 1)).toHaveLength(2);
  });

  it('refuses what is no recording', async () => {
    await expect(readAll(Buffer.from('{"event_type":"book"}\n'))).rejects.toThrow('not a recording of format 1');
    await expect(readAll(Buffer.alloc(0))).rejects.toThrow('not a recording of format 1');
  });

  it('refuses bytes that are no block, and never runs on', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          decodeBlock(bytes);
        } catch (error) {
          expect((error as Error).name).toMatch(/UnreadableRecording|RangeError|Invalid/);
        }
      }),
    );
  });
});
