/** Decides a span of the past again, by the present settings and by proposed ones. */

import type { DiscoverySettingsForm } from '@dutchbook/contract/discovery-settings.ts';
import {
  MOMENTS_OF_DIFFERENCE_MAX,
  type PolicyRun,
  type RehearsalChanges,
  type RehearsalDifference,
  type RehearsalResult,
} from '@dutchbook/contract/rehearsals.ts';
import { SETTINGS, type Settings } from '@dutchbook/contract/system-settings.ts';
import { compareRuns, courseOf, figuresOf, type RunTrigger } from '@dutchbook/engine/rehearsal/compare.ts';
import type { Recorded } from '@dutchbook/recordings/record.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { type JournalState, journalAt, journalBetween, lostSpans } from '../../market/decision-journal/read.ts';
import type { FoundPrices } from '../../market/discovery/settings.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { readKnown } from '../../trading/survival/store.ts';
import { LEAD_MS, mergedRecords } from '../recordings/merged-records.ts';
import { AHEAD_MS, JournalAhead, TakenDecisions } from './run-journal.ts';
import { dayBefore, readLatency, readRealBatches } from './run-real-batches.ts';
import { presentDifference, presentFigures } from './run-result.ts';
import { UnknownSpans } from './run-unknown.ts';
import type { SharedState } from './shared-state.ts';
import { VirtualAgenda } from './virtual-agenda.ts';
import { VirtualDesk } from './virtual-desk.ts';
import { VirtualPlacements } from './virtual-placements.ts';
import { type RunSurroundings, VirtualRun } from './virtual-run.ts';

/**
 * `folder`: where the recordings of the venue lie. `assumePlacing`: as if trading had been armed, and placing automatically switched
 * on, all the while. `onProgress`: from 0 to 1.
 */
export type RehearsalPlan = {
  db: Db;
  folder: string;
  venue: string;
  from: Instant;
  until: Instant;
  changes: RehearsalChanges;
  assumePlacing: boolean;
  onProgress: (progress: number) => void;
  signal: AbortSignal;
};

/** `present` and `proposed`: each decision of the run as `decisionLine` writes it, in the order in which they were taken. */
export type Rehearsed = {
  result: RehearsalResult;
  differences: RehearsalDifference[];
  present: string[];
  proposed: string[];
};

/** Throws the signal's reason once it is aborted. */
async function rehearseOnce(plan: RehearsalPlan): Promise<Rehearsed & { triggers: readonly RunTrigger[] }> {
  const startedMs = performance.now();
  const { db, venue, from, until, changes, assumePlacing } = plan;
  const shared: SharedState = {
    now: from,
    ...{ settings: null, account: null, lostUntil: null, assumePlacing },
    unknown: new UnknownSpans(from, until),
    agenda: new VirtualAgenda(),
    decisions: new TakenDecisions(),
    realBatches: await readRealBatches(db, dayBefore(from), instantFromMs(until + AHEAD_MS)),
    latency: await readLatency(db, venue),
    survivalKnown: await readKnown(db, from, until),
  };
  const { auto_place_found: placesFound = null, price_low, price_high } = changes.discovery ?? {};
  const overlay = {
    limits: changes.limits ?? {},
    placesFound,
    foundPrices: given<FoundPrices>({ price_low, price_high }),
  };
  const asItWas = { limits: {}, placesFound: null, foundPrices: {} };
  const placing = assumePlacing ? { AUTO_PLACE_ORDER_ENABLED: true } : {};
  const settingsOf = (settings: Settings) => ({
    present: { ...settings, ...placing },
    proposed: { ...settings, ...placing, ...given(changes.settings ?? {}) },
  });
  const discoveryOf = discoveryBy(changes.discovery ?? {});
  const openRuns = (surroundings: RunSurroundings) => ({
    present: new VirtualRun(0, shared, new VirtualPlacements(shared, asItWas), surroundings),
    proposed: new VirtualRun(1, shared, new VirtualPlacements(shared, overlay), surroundings),
  });
  const desk = new VirtualDesk({ shared, openRuns, settingsOf, discoveryOf });
  const { present, proposed } = desk.runs;
  for (const batch of shared.realBatches.laterClips) {
    if (batch.at <= from) continue;
    for (const { placements } of [present, proposed]) shared.agenda.add(batch.at, () => placements.noteReal(batch));
  }
  const records = await replay(plan, shared, desk);
  const differences = compareRuns(present.triggers, proposed.triggers, MOMENTS_OF_DIFFERENCE_MAX);
  return {
    result: {
      present: presentFigures(figuresOf(present.triggers)),
      proposed: presentFigures(figuresOf(proposed.triggers)),
      differences: differences.length,
      unknown: shared.unknown.spans,
      left_out: desk.leftOut,
      records,
      tokens: desk.books.count,
      latency: {
        measured_ms: shared.latency.measuredMs,
        pessimistic_ms: shared.latency.pessimisticMs,
        is_own: shared.latency.isOwn,
      },
      took_ms: Math.round(performance.now() - startedMs),
    },
    differences: differences.map((difference) => presentDifference(difference, desk.titles)),
    present: present.lines,
    proposed: proposed.lines,
    triggers: proposed.triggers,
  };
}

const POLICIES = Object.keys(SETTINGS.SIZE_POLICY.options) as Settings['SIZE_POLICY'][];
const SIZE_SETTINGS = ['SIZE_POLICY', 'CLIP_USD', 'CLIPS_MAX', 'LOSS_ALLOWANCE_USD'] as const;
const COURSE_PARTS = 60;

/** Where a setting of sizes is changed, with what each size policy would have made. Throws the signal's reason once it is aborted. */
export async function runRehearsal(plan: RehearsalPlan): Promise<Rehearsed> {
  const { from, until, changes, onProgress } = plan;
  const settings = changes.settings ?? {};
  const isOfSizes = SIZE_SETTINGS.some((name) => settings[name] !== undefined);
  const asked = isOfSizes ? POLICIES.filter((policy) => policy !== settings.SIZE_POLICY) : [];
  const nth = (run: number) => (progress: number) => onProgress((run + progress) / (1 + asked.length));
  const { triggers, ...rehearsed } = await rehearseOnce({ ...plan, onProgress: nth(0) });
  if (!isOfSizes) return rehearsed;
  const runs = new Map([[settings.SIZE_POLICY, { triggers, totals: rehearsed.result.proposed }]]);
  for (const [place, policy] of asked.entries()) {
    const changed = { ...changes, settings: { ...settings, SIZE_POLICY: policy } };
    const one = await rehearseOnce({ ...plan, changes: changed, onProgress: nth(place + 1) });
    runs.set(policy, { triggers: one.triggers, totals: one.result.proposed });
  }
  const policies = POLICIES.flatMap((policy): PolicyRun[] => {
    const run = runs.get(policy);
    if (run === undefined) return [];
    const course = courseOf(run.triggers, { from, until, parts: COURSE_PARTS });
    return [{ policy, totals: run.totals, course: course.map(({ at, profit }) => ({ at, profit_usd: profit })) }];
  });
  return { ...rehearsed, result: { ...rehearsed.result, policies } };
}

function given<Form extends object>(changes: { [Name in keyof Form]?: Form[Name] | undefined }): Partial<Form> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Partial<Form>;
}

/** Whether, and at which prices, what was found is placed changes nothing of what is found. */
function discoveryBy({
  auto_place_found: _places,
  price_low: _low,
  price_high: _high,
  ...changes
}: NonNullable<RehearsalChanges['discovery']>) {
  const proposed = given<DiscoverySettingsForm>(changes);
  if (Object.keys(proposed).length === 0) return null;
  return (form: DiscoverySettingsForm) => ({ present: form, proposed: { ...form, ...proposed } });
}

/** @returns how many records there are in the span */
async function replay(plan: RehearsalPlan, shared: SharedState, desk: VirtualDesk): Promise<number> {
  const { db, venue, folder, from, until, signal, onProgress } = plan;
  const end = instantFromMs(until + shared.latency.pessimisticMs);
  const journal = new JournalAhead(journalBetween(db, venue, from, instantFromMs(until + AHEAD_MS)), shared.decisions);
  const begin = { state: await journalAt(db, venue, from), lost: await lostSpans(db, venue, from, until) };
  const tape = new Tape(plan, shared, desk, journal);
  for await (const records of mergedRecords(folder, instantFromMs(from - LEAD_MS), end)) {
    signal.throwIfAborted();
    await journal.readFor(records.at(-1)?.at ?? until);
    for (const record of records) {
      if (!tape.isOpen && record.at > from) tape.open(begin);
      tape.play(record);
    }
    onProgress(Math.min(1, Math.max(0, (shared.now - from) / Math.max(1, until - from))));
  }
  signal.throwIfAborted();
  await journal.readFor(end);
  if (!tape.isOpen) tape.open(begin);
  tape.end();
  return tape.records;
}

const NOT_RECORDED = 'nothing was recorded';

/** Plays the records into the desk, and what else happened between them. */
class Tape {
  records = 0;
  isOpen = false;
  readonly #from: Instant;
  readonly #until: Instant;
  readonly #shared: SharedState;
  readonly #desk: VirtualDesk;
  readonly #journal: JournalAhead;
  /** Time of the last record; null before the first, and after a gap. */
  #lastAt: Instant | null = null;
  /** Venue's time of the last record of changes. */
  #lastVenueAt: Instant | null = null;
  #isClosed = false;

  constructor({ from, until }: RehearsalPlan, shared: SharedState, desk: VirtualDesk, journal: JournalAhead) {
    this.#from = from;
    this.#until = until;
    this.#shared = shared;
    this.#desk = desk;
    this.#journal = journal;
  }

  /** All records until the beginning of the span were played. */
  open({ state, lost }: { state: JournalState; lost: Parameters<VirtualDesk['open']>[1] }): void {
    this.isOpen = true;
    this.#shared.now = this.#from;
    this.#desk.open(state, lost);
  }

  play(record: Recorded): void {
    if (this.#lastAt === null ? record.at > this.#from : record.at - this.#lastAt > LEAD_MS) {
      this.#desk.endInstant();
      this.#desk.lose({ from: this.#lastAt ?? this.#from, until: record.at }, NOT_RECORDED);
    }
    if (this.isOpen && this.#isOfAnotherInstant(record)) this.#goOnTo(record.at);
    this.#lastAt = record.at;
    if (record.at > this.#from && record.at <= this.#until) this.records += 1;
    if (record.kind === 'gap') this.#desk.lose({ from: record.at, until: record.until }, record.reason);
    else this.#desk.apply(record);
  }

  /** Also changes of one millisecond were seen one after the other where the venue's own time differs. */
  #isOfAnotherInstant({ at, kind, venueAt }: Recorded): boolean {
    const last = this.#lastVenueAt;
    if (kind === 'changes') this.#lastVenueAt = venueAt;
    return at !== this.#shared.now || (kind === 'changes' && last !== null && venueAt !== null && last !== venueAt);
  }

  end(): void {
    this.#goOnTo(Number.POSITIVE_INFINITY as Instant);
    const last = this.#lastAt;
    const { unknown } = this.#shared;
    if (last === null) unknown.add(this.#from, this.#until, NOT_RECORDED);
    else if (this.#until - last > LEAD_MS) unknown.add(last, this.#until, NOT_RECORDED);
  }

  /** The instant is over; what else happened, and what was due, before the next. */
  #goOnTo(next: Instant): void {
    this.#desk.endInstant();
    const { agenda } = this.#shared;
    for (;;) {
      const [due, noted] = [
        agenda.nextAt ?? Number.POSITIVE_INFINITY,
        this.#journal.nextAt ?? Number.POSITIVE_INFINITY,
      ];
      const at = Math.min(due, noted);
      if (at > next || at === Number.POSITIVE_INFINITY) break;
      this.#setClock(Math.max(at, this.#shared.now) as Instant);
      if (due <= noted) agenda.runUntil(at);
      else this.#takeJournalRow();
      this.#desk.valueDue();
    }
    if (next !== Number.POSITIVE_INFINITY) this.#setClock(next);
  }

  #takeJournalRow(): void {
    const row = this.#journal.take();
    if (row !== null) this.#desk.take(row);
  }

  #setClock(now: Instant): void {
    this.#shared.now = now;
    if (now <= this.#until || this.#isClosed) return;
    this.#isClosed = true;
    this.#desk.close();
  }
}
