/** Disposals of shares, first in, first out, with what they had cost and made, income, and the totals of the ledger that they add up to. */
import type { LedgerLine } from '@dutchbook/engine/ledger/entry.ts';
import { type Disposal, type LotEntry, openLots, type SplitBasis } from '@dutchbook/engine/ledger/lots.ts';
import { idAt, type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { elapsedMs, type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { venueOfCash } from '@dutchbook/units/ledger-kinds.ts';
import { microToText } from '@dutchbook/units/micro.ts';
import { isNotNull } from 'drizzle-orm';
import { csvPieces } from '../../platform/csv/csv-pieces.ts';
import { defuse } from '../../platform/csv/formula-cells.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { type ExportedEntry, newestEntry, type Period, pagesOfLedger, standingEntries } from './export-pages.ts';
import { ledgerEntries } from './table.ts';

export type TaxRequest = Period & { splitBasis: SplitBasis; venue: string };

const DAY_MS = 86_400_000;
/** More than a year. */
const LONG_TERM_ABOVE_DAYS = 365;

const COLUMNS = [
  ...['row', 'acquired_at', 'disposed_at', 'market_name', 'outcome', 'venue', 'quantity', 'cost_usd', 'proceeds_usd'],
  ...['gain_usd', 'method', 'days_held', 'term', 'disposed_by', 'token_id', 'acquisition_entry', 'disposal_entry'],
  'note',
] as const;
type Cells = Partial<Record<(typeof COLUMNS)[number], string>>;

const NOTES = [
  'This file is no tax advice: have an adviser check it who knows the rules that hold for you.',
  'FIFO: what was acquired first is disposed of first, token by token, over the whole wallet. Cost includes fees, proceeds are net of fees, gas is not in either. All times are UTC. Long term: held for more than 365 days.',
  'What a split hands out has cost its part of the dollars: by what each was quoted at then, or, where that was asked for, the same for each share.',
  'A merge brings each of its shares its part of the dollars, by what the shares had cost. A conversion hands its cost on to the shares that it brings, less the dollars that come back, and makes only what they exceed it by.',
  'Rewards and rebates are dollars that the venue has sent beside trading: each is a row of income, dated when it came, and in no disposal and not in the profit. Dollars of unknown origin are in neither until a person has named them.',
  'Shares that pay nothing are disposed of for nothing once their market has resolved, or when what won beside them is redeemed. Trades that were taken back later are left out, and those that were corrected later stand as they were reported last. Shares that were not acquired here have no acquisition date and no cost: look these up where they came from.',
];

export async function* exportTax(db: Db, { since, until, splitBasis, venue }: TaxRequest): AsyncGenerator<string[][]> {
  const newest = await newestEntry(db);
  const standing = await standingEntries(db, newest);
  const lots = openLots(splitBasis);
  const names = new Map<string, Pick<ExportedEntry, 'marketName' | 'outcome'>>();
  const gas = new Map<string, number>();
  const income = openIncome({ since, until, nameOf: openVenueNames(venue) });
  const listed = { cost: 0, proceeds: 0 };
  let gainBefore = 0;

  const nameOf = openVenueNames(venue);
  const recordsOf = (disposals: readonly Disposal[]): string[][] => {
    const inPeriod = disposals.filter(({ disposedAt }) => since === undefined || disposedAt >= since);
    for (const { cost, proceeds } of inPeriod) {
      listed.cost += cost;
      listed.proceeds += proceeds;
    }
    gainBefore += gainOf(disposals) - gainOf(inPeriod);
    return inPeriod.map((disposal) =>
      record({ ...cellsOf(disposal), ...namesOf(names, disposal), venue: nameOf(venueOf(disposal.tokenId)) }),
    );
  };

  yield* csvPieces([[...COLUMNS]]);
  for await (const page of pagesOfLedger(db, newest, { until })) {
    const disposals: Disposal[] = [];
    const incomeRows = page.flatMap((entry) => income.add(entry));
    for (const entry of page) {
      const { tokenId, marketName, outcome } = entry;
      if (tokenId !== null) names.set(tokenId, { marketName, outcome });
      for (const { account, unit, amount } of entry.lines)
        if (account === 'gas') gas.set(unit, (gas.get(unit) ?? 0) + amount);
      disposals.push(...lots.add(lotEntry(entry, standing)));
    }
    yield* csvPieces([...recordsOf(disposals), ...incomeRows]);
  }
  yield* csvPieces(recordsOf(lots.end()));
  // A transfer within the period may have been named after it.
  if (until !== undefined)
    for await (const page of pagesOfLedger(db, newest, { since: until }, isNotNull(ledgerEntries.namesEntryId)))
      yield* csvPieces(page.flatMap((entry) => income.add(entry)));

  const { held, withdrawn, other, undone: undoneLater, profit } = lots.totals();
  const gain = listed.proceeds - listed.cost;
  const sums = { cost_usd: microToText(listed.cost), proceeds_usd: microToText(listed.proceeds) };
  yield* csvPieces([
    total('All disposals in this file', { ...sums, gain_usd: microToText(gain) }),
    ...optional('Disposals before it', gainBefore),
    total('What is still held has cost', { cost_usd: microToText(held), gain_usd: microToText(-held) }),
    ...optional('What went to another account had cost', -withdrawn),
    ...optional('Dollars that moved with no shares', other),
    ...optional('Trades that were taken back or corrected after the period', undoneLater),
    total('Profit of the ledger: the sum of these', { gain_usd: microToText(profit) }),
    ...income.totals(),
    ...[...gas].map(([unit, amount]) => total(`Gas, in ${unit}`, { quantity: microToText(amount) })),
    ...NOTES.map((note) => record({ row: 'note', note })),
  ]);
}

/** `first`: what the one whose ids have no prefix is called: it may be simulated. */
function openVenueNames(first: string): (venue: VenueName) => string {
  return (venue) => (idAt(venue, '') === '' ? first : venue);
}

/** Venue of the cash in these lines. */
function venueOfLines(lines: readonly LedgerLine[]): VenueName {
  return lines.flatMap(({ account }) => venueOfCash(account) ?? [])[0] ?? venueOf('');
}

const INCOME = { reward: 'Rewards', rebate: 'Rebates' } as const;

/** Rows of what came as income, by when it came, and what these add up to; dollars that are not named yet stand beside them. */
function openIncome({ since, until, nameOf }: Period & { nameOf: (venue: VenueName) => string }) {
  const sums = { reward: 0, rebate: 0 };
  let unnamed = 0;
  return {
    add: ({ id, at, cameAt, cameLines, kind, lines }: ExportedEntry): string[][] => {
      const came = cameAt ?? at;
      const isBefore = until === undefined || came < until;
      for (const { account, amount } of lines) if (account === 'unnamed' && isBefore) unnamed -= amount;
      const isWanted = (since === undefined || came >= since) && isBefore;
      if ((kind !== 'reward' && kind !== 'rebate') || !isWanted) return [];
      const usd = lines.reduce((sum, { account, amount }) => (account === 'income' ? sum - amount : sum), 0);
      sums[kind] += usd;
      const amounts = { proceeds_usd: microToText(usd), gain_usd: microToText(usd) };
      return [
        record({
          row: 'income',
          disposed_at: instantToIso(came),
          venue: nameOf(venueOfLines(cameLines ?? lines)),
          ...amounts,
          disposed_by: kind,
          disposal_entry: String(id),
        }),
      ];
    },
    totals: () => [
      ...(['reward', 'rebate'] as const).flatMap((kind) => optional(INCOME[kind], sums[kind])),
      ...optional('Dollars of unknown origin', unnamed),
    ],
  };
}

/** The lots of an entry: a trade has one token; contracts hand out and convert several at once. */
function lotEntry(entry: ExportedEntry, standing: ReadonlyMap<number, LedgerLine[]>): LotEntry {
  const { id, at, kind, lines, stepId, stepEntries } = entry;
  const isCall = (kind === 'split' || kind === 'convert') && stepId !== null && stepEntries !== null;
  return {
    ...{ id, at, kind, lines, stands: standing.get(id) ?? lines },
    worthless: kind === 'lost' ? lines.map(({ unit }) => unit) : (entry.worthless ?? []),
    call: isCall ? { id: stepId, entries: stepEntries } : null,
  };
}

function cellsOf({ kind, tokenId, shares, acquiredAt, acquiredBy, disposedAt, disposedBy, cost, proceeds }: Disposal) {
  return {
    row: 'disposal',
    acquired_at: acquiredAt === null ? '' : instantToIso(acquiredAt),
    disposed_at: instantToIso(disposedAt),
    quantity: microToText(shares),
    cost_usd: microToText(cost),
    proceeds_usd: microToText(proceeds),
    gain_usd: microToText(proceeds - cost),
    method: 'FIFO',
    ...(acquiredAt !== null && held(acquiredAt, disposedAt)),
    disposed_by: kind === 'matched' || kind === 'settled' ? 'sale' : kind,
    token_id: defuse(tokenId),
    acquisition_entry: acquiredBy === null ? '' : String(acquiredBy),
    disposal_entry: String(disposedBy),
  };
}

function held(acquiredAt: Instant, disposedAt: Instant): Cells {
  const days = Math.max(0, Math.floor(elapsedMs(acquiredAt, disposedAt) / DAY_MS));
  return { days_held: String(days), term: days > LONG_TERM_ABOVE_DAYS ? 'long' : 'short' };
}

function namesOf(
  names: ReadonlyMap<string, Pick<ExportedEntry, 'marketName' | 'outcome'>>,
  { tokenId }: Disposal,
): Cells {
  const { marketName = null, outcome = null } = names.get(tokenId) ?? {};
  return { market_name: defuse(marketName ?? ''), outcome: defuse(outcome ?? '') };
}

function gainOf(disposals: readonly Disposal[]): number {
  return disposals.reduce((sum, { cost, proceeds }) => sum + proceeds - cost, 0);
}

function total(note: string, cells: Cells): string[] {
  return record({ row: 'total', ...cells, note });
}

function optional(note: string, amount: number): string[][] {
  return amount === 0 ? [] : [total(note, { gain_usd: microToText(amount) })];
}

function record(cells: Cells): string[] {
  return COLUMNS.map((column) => cells[column] ?? '');
}
