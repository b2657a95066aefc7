import type { Batch } from '@dutchbook/contract/batches.ts';
import type { OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import type { RelationRow } from '@dutchbook/contract/relations.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { expect, it } from 'vitest';
import type { Read } from '../../live/fresher.ts';
import {
  batchEntry,
  cashNowEntry,
  disarmEntry,
  entriesFor,
  eventEntries,
  opportunityEntries,
  relationEntry,
  screenEntries,
  WORDS_ENTRY,
} from './palette-entries.ts';
import { SETTING_ENTRIES } from './setting-entries.ts';

const OPPORTUNITY_ID = 'fb89b0dd-ac49-4969-b13c-8adf0f2b3058';
const BATCH_ID = '39d519ea-f30d-430c-ae97-f8776c149f7f';

const opportunity = {
  id: OPPORTUNITY_ID,
  name: 'Grand Regatta line honours · Yes on all 8',
  profit_percentage: null,
} as unknown as Read<OpportunityRow>;

const batch = {
  id: BATCH_ID,
  opportunity_id: OPPORTUNITY_ID,
  name: 'Grand Regatta line honours · Yes on all 8',
  status: 'partial_completed',
  total_orders: 3,
  expected_orders: 4,
} as Batch;

const entries = [...screenEntries(undefined), ...opportunityEntries(opportunity, true), batchEntry(batch)];
const found = (typed: string) => entriesFor(typed, entries).map(({ target }) => target);

it('shows the screens first, and to superusers the administration', () => {
  expect(
    entriesFor('', entries)
      .slice(0, 2)
      .map(({ label }) => label),
  ).toEqual(['Dashboard', 'Arbitrage']);
  expect(screenEntries(undefined).map(({ label }) => label)).not.toContain('Admin');
  expect(screenEntries({ is_superuser: true }).map(({ label }) => label)).toContain('Admin');
});

it('finds an opportunity by the start of its id or by its words, its page before its simulation', () => {
  const both = [
    { kind: 'opportunity', id: OPPORTUNITY_ID },
    { kind: 'simulation', id: OPPORTUNITY_ID },
  ];
  expect(found('FB89')).toMatchObject([...both, { kind: 'batch', id: BATCH_ID }]);
  expect(found('regatta hon')).toEqual([...both, { kind: 'batch', id: BATCH_ID }]);
});

it.each(['s fb89', 'simulate regatta', 's fb89b0dd-ac49-4969-b13c-8adf0f2b3058'])(
  'simulates at once by "%s"',
  (typed) => {
    expect(found(typed)[0]).toEqual({ kind: 'simulation', id: OPPORTUNITY_ID });
  },
);

it('finds a batch by its id and its status', () => {
  expect(found('39d519ea')).toEqual([{ kind: 'batch', id: BATCH_ID }]);
  expect(found('partially')).toEqual([]);
  expect(found('batch partial')).toEqual([{ kind: 'batch', id: BATCH_ID }]);
});

it('leads to a whole id that was not read, and to nothing by words that none has', () => {
  const unknown = '0b8e7f0e-6a0a-4c39-9d0e-3a52c1a3f7d1';
  expect(found(` ${unknown} `)).toEqual([
    { kind: 'opportunity', id: unknown },
    { kind: 'batch', id: unknown },
  ]);
  expect(found('zebra')).toEqual([]);
});

const paying = { ...opportunity, active: true, profit_percentage: percentFromNumber(2) };

it.each(['p fb89', 'place regatta'])('places at once by "%s", where that may be', (typed) => {
  const targets = (mayPlace: boolean, row = paying) =>
    entriesFor(typed, opportunityEntries(row, mayPlace)).map(({ target }) => target);
  expect(targets(true)).toEqual([{ kind: 'placing', id: OPPORTUNITY_ID }]);
  expect(targets(false)).toEqual([]);
  expect(targets(true, { ...paying, active: false })).toEqual([]);
});

it('disarms by the first letters of the word, before all else', () => {
  const all = [...screenEntries({ is_superuser: true }), disarmEntry(), ...entries];
  for (const typed of ['disarm', 'disa', 'kill switch'])
    expect(entriesFor(typed, all)[0]?.target).toEqual({ kind: 'disarm' });
});

it('finds settings by their words and by the names of calls', () => {
  const targets = (typed: string) => entriesFor(typed, [...entries, ...SETTING_ENTRIES]).map(({ target }) => target);
  expect(targets('clips')).toEqual([{ kind: 'setting', anchor: 'CLIPS_MAX' }]);
  expect(targets('CLIPS_MAX')).toEqual([{ kind: 'setting', anchor: 'CLIPS_MAX' }]);
  expect(targets('loss')).toEqual([{ kind: 'setting', anchor: 'LOSS_ALLOWANCE_USD' }]);
  expect(targets('open exposure')).toEqual([{ kind: 'setting', anchor: 'open_exposure_usd' }]);
  expect(targets('place found')).toEqual([{ kind: 'setting', anchor: 'discovery-auto_place_found' }]);
});

it('finds what explains a word by that word', () => {
  for (const typed of ['clip', 'shard', 'glossary', 'what'])
    expect(entriesFor(typed, [...entries, WORDS_ENTRY]).map(({ target }) => target)).toEqual([{ kind: 'words' }]);
});

it('says in cents how far a relation is away, as Discover does', () => {
  const detail = (distance: number | null) =>
    relationEntry({ title: '', event_title: '', distance } as RelationRow).detail;
  expect([detail(72_000), detail(-8_000), detail(null)]).toEqual(['7.2 c away', 'pays 0.8 c', 'no price']);
});

it('finds relations and events by their words, each event once, and what can be cash now', () => {
  const relation = {
    ...{ id: BATCH_ID, title: 'Exactly one of 8 boats wins', event_id: 'e1', event_title: 'Grand Regatta' },
    distance: null,
  } as unknown as RelationRow;
  const held = { event_id: 'e1', title: 'Grand Regatta' };
  const all = [...eventEntries([relation, relation]), relationEntry(relation), cashNowEntry(held)];
  const targets = (typed: string) => entriesFor(typed, all).map(({ target }) => target);
  expect(targets('event regatta')).toEqual([{ kind: 'event', title: 'Grand Regatta' }]);
  expect(targets('relation regatta')).toEqual([{ kind: 'relation', id: BATCH_ID }]);
  expect(targets('cash regatta')).toEqual([{ kind: 'cash_now', eventId: 'e1', title: 'Grand Regatta' }]);
});
