/**
 * Records as rows of one flat table and back: a row for each level, and one for a record without any. Rows of one record have the same
 * number. `docs/recordings.md` says what each column means.
 */
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromNumber, priceToNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber, sharesToNumber } from '@dutchbook/units/shares.ts';
import { UnreadableRecording } from '../bytes.ts';
import { type LevelChange, RECORDED_TRUSTS, type Recorded, type RecordedLevel, type RecordedSide } from '../record.ts';

export const RECORD_COLUMNS = [
  ...(['record', 'at', 'venue_at', 'token_id', 'kind', 'side', 'price', 'size'] as const),
  ...(['trust', 'until', 'reason', 'mirror_of'] as const),
];
type RecordColumn = (typeof RECORD_COLUMNS)[number];

/** Values by column, as many in each as there are rows; times in milliseconds since 1970, prices in dollars, sizes in shares. */
export type RecordTable = Record<RecordColumn, unknown[]>;

export function emptyTable(): RecordTable {
  const column = (): unknown[] => [];
  return {
    ...{ record: column(), at: column(), venue_at: column(), token_id: column(), kind: column(), side: column() },
    ...{ price: column(), size: column(), trust: column(), until: column(), reason: column(), mirror_of: column() },
  };
}

/** `number`: greater than that of every record before it. */
export function addRows(table: RecordTable, record: Recorded, number: number): void {
  const add = (level: LevelChange | null) => {
    const values: Record<RecordColumn, unknown> = {
      record: number,
      at: record.at,
      venue_at: record.venueAt,
      token_id: record.kind === 'gap' ? null : record.tokenId,
      kind: record.kind,
      side: level?.side ?? null,
      price: level && priceToNumber(level.price),
      size: level && sharesToNumber(level.size),
      trust: record.kind === 'trust' ? record.trust : null,
      until: record.kind === 'gap' ? record.until : null,
      reason: record.kind === 'gap' ? record.reason : null,
      mirror_of: record.kind === 'mirror' ? record.of : null,
    };
    for (const column of RECORD_COLUMNS) table[column].push(values[column]);
  };
  const levels = levelsOf(record);
  for (const level of levels) add(level);
  if (levels.length === 0) add(null);
}

function levelsOf(record: Recorded): readonly LevelChange[] {
  if (record.kind === 'changes') return record.changes;
  if (record.kind !== 'book') return [];
  const side = (name: RecordedSide, levels: readonly RecordedLevel[]) =>
    levels.map((level) => ({ side: name, ...level }));
  return [...side('buy', record.bids), ...side('sell', record.asks)];
}

/** Puts rows together into records, of which one may go on in the next table. */
export class RowReader {
  #open: { number: unknown; record: Recorded; changes: LevelChange[] } | null = null;
  #rows = 0;

  /** @returns the records that have ended. @throws UnreadableRecording, which names the row */
  read(table: RecordTable): Recorded[] {
    const records: Recorded[] = [];
    for (let place = 0; place < table.record.length; place += 1) {
      this.#rows += 1;
      try {
        const number = table.record[place];
        if (this.#open?.number !== number) {
          records.push(...this.end());
          this.#open = { number, record: recordAt(table, place), changes: [] };
        }
        const level = levelAt(table, place);
        if (level !== null) this.#open?.changes.push(level);
      } catch (error) {
        throw new UnreadableRecording(`row ${this.#rows}: ${error instanceof Error ? error.message : 'unreadable'}`);
      }
    }
    return records;
  }

  /** The last record, behind which there is no row. */
  end(): Recorded[] {
    const open = this.#open;
    this.#open = null;
    if (open === null) return [];
    const { record, changes } = open;
    if (record.kind === 'changes') return [{ ...record, changes }];
    if (record.kind !== 'book') return [record];
    const side = (name: RecordedSide) =>
      changes.filter((change) => change.side === name).map(({ price, size }) => ({ price, size }));
    return [{ ...record, bids: side('buy'), asks: side('sell') }];
  }
}

/** Without its levels. */
function recordAt(table: RecordTable, place: number): Recorded {
  const text = (column: RecordColumn) => textOf(table[column][place], column);
  const time = (column: RecordColumn) => timeOf(table[column][place], column);
  const at = time('at');
  const kind = text('kind');
  if (kind === 'gap') return { kind, at, venueAt: null, until: time('until'), reason: text('reason') };
  const tokenId = text('token_id');
  const venueAt = isNothing(table.venue_at[place]) ? null : time('venue_at');
  switch (kind) {
    case 'book':
      return { kind, tokenId, at, venueAt, bids: [], asks: [] };
    case 'changes':
      return { kind, tokenId, at, venueAt, changes: [] };
    case 'mirror':
      return { kind, tokenId, at, venueAt: null, of: text('mirror_of') };
    case 'trust':
      return { kind, tokenId, at, venueAt: null, trust: oneOf(RECORDED_TRUSTS, text('trust'), 'trust') };
    default:
      throw new UnreadableRecording(`kind is ${kind.slice(0, 40)}`);
  }
}

function levelAt({ side, price, size }: RecordTable, place: number): LevelChange | null {
  if (isNothing(side[place])) return null;
  return {
    side: oneOf(['buy', 'sell'], textOf(side[place], 'side'), 'side'),
    price: priceFromNumber(numberOf(price[place], 'price')),
    size: sharesFromNumber(numberOf(size[place], 'size')),
  };
}

function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function oneOf<Name extends string>(names: readonly Name[], text: string, column: string): Name {
  const name = names.find((each) => each === text);
  if (name === undefined) throw new UnreadableRecording(`${column} is ${text.slice(0, 40)}`);
  return name;
}

/** Longer than any id or reason. */
const TEXT_MAX = 1000;

/** @throws UnreadableRecording */
export function textOf(value: unknown, column: string): string {
  if (typeof value !== 'string') throw new UnreadableRecording(`${column} is no text`);
  if (value.length > TEXT_MAX) throw new UnreadableRecording(`${column} is longer than ${TEXT_MAX} characters`);
  return value;
}

/** @throws UnreadableRecording */
export function numberOf(value: unknown, column: string): number {
  if (typeof value !== 'number') throw new UnreadableRecording(`${column} is no number`);
  return value;
}

/** @throws UnreadableRecording, UnitError */
export function timeOf(value: unknown, column: string): Instant {
  return instantFromMs(numberOf(typeof value === 'bigint' ? Number(value) : value, column));
}
