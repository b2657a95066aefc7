/** What still pays after a batch of a run is whole is bought by the next one, decided as live. */
import type { Settings } from '@dutchbook/contract/system-settings.ts';
import { KeptBook, replaceBook } from '@dutchbook/engine/book/book.ts';
import { totalSize } from '@dutchbook/engine/book/walk.ts';
import type { Assessment } from '@dutchbook/engine/desk/assess.ts';
import { isNextClipDue } from '@dutchbook/engine/desk/next-clip.ts';
import { valueOpportunity } from '@dutchbook/engine/opportunity/value.ts';
import type { RunTrigger } from '@dutchbook/engine/rehearsal/compare.ts';
import { forgetLeft, noteTaken, type TakenShares, withoutTaken } from '@dutchbook/engine/rehearsal/standing.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { LiveQuote } from '../../market/markets/live-quotes.ts';
import { deskSettings } from '../../people/system-settings/in-units.ts';
import type { RealBatch } from './run-real-batches.ts';
import type { SharedState } from './shared-state.ts';
import type { VirtualBook } from './virtual-books.ts';
import type { RunItem } from './virtual-opportunity.ts';
import type { EndedBatch, VirtualPlacements } from './virtual-placements.ts';

/** How often a series that is not over is looked at, as live. */
const LOOK_EVERY_MS = 1000;

/** `realId`: of the series that was really bought, as far as this is that; null where it is not. */
type Series = {
  item: RunItem;
  clips: number;
  spent: Usd;
  realId: string | null;
  gone: Map<VirtualBook, TakenShares>;
  /** Asks of each position at which the gates refused. */
  refusedAsks: string | null;
};

export type ClipSurroundings = {
  shared: SharedState;
  placements: VirtualPlacements;
  settings: () => Settings | null;
  quotesOf: (item: RunItem) => LiveQuote[];
  /** Nothing is decided in a span of which nothing is known, nor behind the end. */
  mayDecide: () => boolean;
  onBought: (trigger: RunTrigger) => void;
};

export class VirtualClips {
  readonly #of: ClipSurroundings;
  /** The last series of each item. */
  readonly #open = new Map<RunItem, Series>();

  constructor(of: ClipSurroundings) {
    this.#of = of;
  }

  /** A trigger has bought what a policy of sizes chose. @returns what is to be called once that has ended */
  begin(item: RunItem, plan: Assessment['plan'], books: readonly (VirtualBook | null)[]) {
    const series: Series = { item, clips: 1, spent: USD_ZERO, realId: null, gone: new Map(), refusedAsks: null };
    this.#open.set(item, series);
    return (batch: EndedBatch) => this.#ended(series, plan, books, batch);
  }

  /** It is not followed any more. */
  leave(item: RunItem): void {
    this.#open.delete(item);
  }

  #ended(
    series: Series,
    { orders, size }: Assessment['plan'],
    books: readonly (VirtualBook | null)[],
    { kind, spent, taken, realId }: EndedBatch,
  ): void {
    series.spent = addUsd(series.spent, spent);
    if (series.clips === 1) series.realId = realId;
    for (const [place, levels] of (taken ?? []).entries()) {
      const held = books[place];
      if (held == null) continue;
      const gone = series.gone.get(held) ?? new Map();
      noteTaken(gone, levels);
      series.gone.set(held, gone);
    }
    const isFilled = taken === null || orders.every((_, place) => totalSize(taken[place] ?? []) >= size);
    if (kind === 'completed' && isFilled) this.#look(series);
    else this.#end(series);
  }

  #end(series: Series): void {
    if (this.#open.get(series.item) === series) this.#open.delete(series.item);
  }

  #look(series: Series): void {
    const { shared, mayDecide, settings: settingsNow } = this.#of;
    const { item, clips } = series;
    const settings = settingsNow();
    const state = { cancelRequested: false, isUneven: false, isDisarmedSince: false };
    const whole = { ...state, status: 'completed', clips } as const;
    const opportunity = { active: true, triggered: item.aboveTrigger };
    const isOver = settings === null || !isNextClipDue(whole, opportunity, deskSettings(settings));
    if (isOver || !mayDecide() || this.#open.get(item) !== series) {
      this.#end(series);
      return;
    }
    if (this.#buy(series, settings)) return;
    shared.agenda.add(instantFromMs(shared.now + LOOK_EVERY_MS), () => this.#look(series));
  }

  #buy(series: Series, settings: Settings): boolean {
    const { shared, placements, quotesOf, onBought } = this.#of;
    const { item } = series;
    const { opportunity } = item;
    const streamed = quotesOf(item);
    const asks = JSON.stringify(streamed.map(({ book }) => book?.asks[0] ?? null));
    if (asks === series.refusedAsks) return false;
    const value = valueOpportunity(streamed, opportunity.journaled.targetPrice, deskSettings(settings).pricing);
    if (value.kind === 'unpriced') return false;
    const quotes = streamed.map((quote, place) => withoutGone(quote, series.gone, opportunity.books[place]));
    const assessed = placements.assess(opportunity, quotes, value.currentPrice, settings, {
      seriesSpent: series.spent,
    });
    if (assessed === null || assessed.blockers.length > 0) {
      series.refusedAsks = asks;
      return false;
    }
    series.clips += 1;
    const { plan } = assessed;
    const trigger: RunTrigger = {
      ...{
        opportunityId: opportunity.id,
        at: shared.now,
        currentPrice: value.currentPrice,
        profitPct: value.profitPct,
      },
      ...{ size: plan.size, gates: [], refusals: [], outcomes: null, clip: series.clips },
      ...{ atRisk: plan.worstCaseLoss, until: instantFromMs(shared.now + shared.latency.measuredMs) },
      words: JSON.stringify([opportunity.id, series.clips, plan.size, plan.orders.map(({ limitPrice }) => limitPrice)]),
    };
    onBought(trigger);
    placements.place(trigger, opportunity, assessed, {
      ...{ isSimulated: settings.ORDER_SIMULATION_ENABLED, real: this.#realOf(series), gone: series.gone },
      onEnded: (batch) => this.#ended(series, plan, opportunity.books, batch),
    });
    return true;
  }

  #realOf({ realId, clips }: Series): RealBatch | null {
    return realId === null ? null : this.#of.shared.realBatches.clipOf(realId, clips);
  }
}

function withoutGone(
  quote: LiveQuote,
  goneOf: ReadonlyMap<VirtualBook, TakenShares>,
  held: VirtualBook | null | undefined,
): LiveQuote {
  const gone = held == null ? undefined : goneOf.get(held);
  if (gone === undefined || quote.book === undefined) return quote;
  forgetLeft(gone, quote.book.asks);
  const book = new KeptBook();
  replaceBook(book, quote.book.bids, withoutTaken(quote.book.asks, gone));
  return { ...quote, book };
}
