import { POSITIONS_MAX } from '@dutchbook/contract/opportunities.ts';
import type { Market, MarketEvent } from '@dutchbook/engine/market/market.ts';
import type { VenueCatalogue } from '@dutchbook/venues/venue.ts';
import type { Runtime } from '../runtime.ts';
import { importDrafts } from './csv/import-drafts.ts';
import { type DraftResult, readDraft } from './draft.ts';
import { countOpportunities } from './store.ts';

const MARKETS_PER_PAGE = 500;
/** How many of each kind; sets of Yes over whole events come once per event. */
const COMPLETE_NO_SETS = 3;
const PARTIAL_NO_SETS = 3;
const BINARY_SETS = 4;

type Sample = { markets: readonly Market[]; outcomes: readonly number[]; targetPrice: number; details: string };

/**
 * Fills an empty table with sets over what the venue lists, so that the first page a newcomer opens is alive. Answers
 * how many; none where anything is stored already. Throws VenueUnavailable.
 */
export async function importSamples(runtime: Runtime, catalogue: VenueCatalogue): Promise<number> {
  if ((await countOpportunities(runtime.db, {})) > 0) return 0;
  const samples = samplesOver(await allMarkets(catalogue));
  const rows = samples.map((sample, index) => ({ row: index + 1, characters: 0, result: draftOfSample(sample) }));
  const { opportunity_ids: ids } = await importDrafts(runtime, rows);
  return ids.length;
}

async function allMarkets(catalogue: VenueCatalogue): Promise<Market[]> {
  const markets: Market[] = [];
  for (;;) {
    const { data, count } = await catalogue.searchMarkets({ skip: markets.length, limit: MARKETS_PER_PAGE });
    markets.push(...data);
    if (data.length === 0 || markets.length >= count) return markets;
  }
}

const YES = 0;
const NO = 1;

function samplesOver(markets: readonly Market[]): Sample[] {
  const events = wholeEvents(markets);
  const exhaustive = events.filter(({ event }) => !event.augmented);
  const open = events.filter(({ event }) => event.augmented).slice(0, 1);
  const single = markets.filter(({ event, negRisk, outcomes }) => !negRisk && !event?.negRisk && outcomes.length === 2);
  return [
    ...exhaustive.map((whole) => yesOnAll(whole)),
    ...exhaustive.slice(0, COMPLETE_NO_SETS).map(({ event, members }) => noOn(event, members, 'all')),
    ...exhaustive.slice(-PARTIAL_NO_SETS).map(({ event, members }) => noOn(event, members.slice(0, 2), 'the first')),
    ...open.map((whole) => yesOnAll(whole)),
    ...single.slice(0, BINARY_SETS).map(
      (market): Sample => ({
        markets: [market, market],
        outcomes: [YES, NO],
        targetPrice: 1,
        details: `${market.question} Both outcomes`,
      }),
    ),
  ];
}

type WholeEvent = { event: MarketEvent; members: Market[] };

/** Negative-risk events of which every listed market was found, in the order of the list. */
function wholeEvents(markets: readonly Market[]): WholeEvent[] {
  const byEvent = new Map<string, WholeEvent>();
  for (const market of markets) {
    if (!market.event?.negRisk || market.closed) continue;
    const whole = byEvent.get(market.event.id) ?? { event: market.event, members: [] };
    whole.members.push(market);
    byEvent.set(market.event.id, whole);
  }
  return [...byEvent.values()].filter(
    ({ event, members }) => members.length === event.marketIds.length && members.length <= POSITIONS_MAX,
  );
}

function yesOnAll({ event, members }: WholeEvent): Sample {
  const what = event.augmented ? 'all listed' : 'all';
  return {
    markets: members,
    outcomes: members.map(() => YES),
    targetPrice: 1,
    details: `${event.title}: Yes on ${what} ${members.length} outcomes`,
  };
}

/** At most one of an event's outcomes comes true, so that of n times No at least n - 1 pay. */
function noOn(event: MarketEvent, members: readonly Market[], which: string): Sample {
  return {
    markets: members,
    outcomes: members.map(() => NO),
    targetPrice: members.length - 1,
    details: `${event.title}: No on ${which} ${members.length} outcomes`,
  };
}

function draftOfSample({ markets, outcomes, targetPrice, details }: Sample): DraftResult {
  const legs = markets.map((market, index) => ({
    leg: index + 1,
    markets: [{ id: market.id, outcome: market.outcomes[outcomes[index] ?? YES]?.outcome ?? '' }],
  }));
  return readDraft({
    market_combinations: legs,
    target_price: targetPrice,
    active: true,
    source: 'sample',
    source_details: details,
  });
}
