import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BlockEncoder } from '@dutchbook/recordings/block.ts';
import { blockBytes, fileStart } from '@dutchbook/recordings/file.ts';
import { writeParquet } from '@dutchbook/recordings/parquet/write.ts';
import type { Recorded, RecordedLevel } from '@dutchbook/recordings/record.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openFixture, StreamClient } from '../adapters/polymarket/exchange-fixture.ts';
import { startExchange } from '../start-exchange.ts';

const YES = '1001';
const NO = '1002';
const ALONE = '2001';
const START_MS = 1_780_795_851_000;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'exchange-blocks-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const at = (ms: number): Instant => instantFromMs(START_MS + ms);
const level = (price: string, size: string): RecordedLevel => ({
  price: priceFromText(price),
  size: sharesFromText(size),
});
const book = (ms: number, tokenId: string, bids: RecordedLevel[], asks: RecordedLevel[]): Recorded => {
  return { kind: 'book', tokenId, at: at(ms), venueAt: null, bids, asks };
};

const BLOCKS: Recorded[][] = [
  [
    book(0, YES, [level('0.45', '30'), level('0.44', '7')], [level('0.5', '20')]),
    { kind: 'mirror', tokenId: NO, at: at(0), venueAt: null, of: YES },
    { kind: 'trust', tokenId: YES, at: at(0), venueAt: null, trust: 'live' },
    book(5, ALONE, [level('0.1', '5')], []),
  ],
  [
    {
      ...{ kind: 'changes', tokenId: YES, at: at(10), venueAt: null },
      changes: [
        { side: 'buy', ...level('0.45', '0') },
        { side: 'sell', ...level('0.47', '12.5') },
      ],
    },
  ],
  [
    { kind: 'gap', at: at(20), venueAt: null, until: at(30), reason: 'not running' },
    book(40, YES, [level('0.43', '9')], [level('0.47', '12.5'), level('0.6', '1')]),
  ],
];

async function record(name: string): Promise<string> {
  const blocks = BLOCKS.map((records) => {
    const block = new BlockEncoder();
    for (const each of records) block.add(each);
    return blockBytes(block);
  });
  const file = join(folder, name);
  writeFileSync(file, Buffer.concat([fileStart('polymarket'), ...(await Promise.all(blocks))]));
  return file;
}

async function recordParquet(name: string): Promise<string> {
  async function* blocks() {
    yield* BLOCKS;
  }
  const parts: Uint8Array[] = [];
  await writeParquet('polymarket', blocks(), async (bytes) => void parts.push(bytes));
  const file = join(folder, name);
  writeFileSync(file, Buffer.concat(parts));
  return file;
}

const KINDS = [
  ['as it recorded it', () => record('hour.dbr')],
  ['as Parquet', () => recordParquet('hour.parquet')],
] as const;

it.each(KINDS)('what the product has recorded is played with the books as they were, %s', async (_, file) => {
  const fixture = await openFixture({ replay: { files: [await file()], speed: 'max' } });
  const stream = await StreamClient.open(fixture.exchange, 'market', { assets_ids: [YES, NO], type: 'market' });
  await stream.untilAnswered();
  await fixture.control('resume');
  await stream.expect<{ timestamp?: string }>(({ timestamp }) => timestamp === String(START_MS + 40));
  await stream.untilAnswered();
  const booksOf = async (token: string) => (await fetch(`${fixture.exchange.url}/book?token_id=${token}`)).json();
  expect(await booksOf(YES)).toMatchObject({
    bids: [{ price: '0.43', size: '9' }],
    asks: [
      { price: '0.6', size: '1' },
      { price: '0.47', size: '12.5' },
    ],
  });
  expect(await booksOf(NO)).toMatchObject({
    bids: [
      { price: '0.4', size: '1' },
      { price: '0.53', size: '12.5' },
    ],
    asks: [{ price: '0.57', size: '9' }],
  });
  expect(await booksOf(ALONE)).toMatchObject({ bids: [{ price: '0.1', size: '5' }], asks: [] });
  stream.close();
  await fixture.exchange.close();
});

it('a file that only has the name of one is refused by its name', async () => {
  const file = join(folder, 'other.dbr');
  writeFileSync(file, 'nothing of that kind\n');
  await expect(startExchange({ replay: { files: [file], speed: 'max' } })).rejects.toThrow(
    `${file}: this is not a recording of format 1`,
  );
  const parquet = join(folder, 'other.parquet');
  writeFileSync(parquet, 'nothing of that kind\n');
  await expect(startExchange({ replay: { files: [parquet], speed: 'max' } })).rejects.toThrow(
    `${parquet}: this is no Parquet file`,
  );
});
