import type { SecuritySettingsForm } from '@dutchbook/contract/security-settings.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import type { Readiness } from '@dutchbook/engine/desk/assess.ts';
import type { FoundRules, Soundness } from '@dutchbook/engine/risk/context.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { VenueReads } from '@dutchbook/venues/venues.ts';
import { type OpenDecisionJournal, openDecisionJournal } from './market/decision-journal/note.ts';
import { orderInstants } from './market/decision-journal/ordered-instants.ts';
import type { WatchedDiscoverySettings } from './market/discovery/settings.ts';
import { foundBandOf } from './market/discovery/settings.ts';
import { namesKept } from './market/markets/market-names.ts';
import type { BlockersOf, LivePrices } from './market/opportunities/live-prices.ts';
import { startLivePrices } from './market/prices/live-prices.ts';
import { notifyFeedDown } from './market/prices/notify-feed-down.ts';
import { type QuoteFeed, startQuotes } from './market/prices/quotes/quotes.ts';
import { startingFeed } from './market/prices/starting-feed.ts';
import { sweepDeferred } from './people/notifications/deferred.ts';
import type { WatchedSettings } from './people/system-settings/watched-settings.ts';
import type { Engines, ReadFeed } from './platform/engines/engines.ts';
import type { Runtime } from './platform/runtime/runtime.ts';
import type { StreamHub } from './platform/stream/stream-hub.ts';
import { noteAccount } from './trading/execution/account-journal.ts';
import { startClips } from './trading/execution/placing/clips.ts';
import { readInputs } from './trading/execution/placing/inputs.ts';
import { judge, wantedFor } from './trading/execution/placing/judge.ts';
import { openPlacing, triggeredBy } from './trading/execution/placing/placing.ts';
import type { Asker, PlaceParts } from './trading/execution/placing/request.ts';
import { type BatchRunner, callBatch, startBatchRunner } from './trading/execution/runner/batch-runner.ts';
import type { FollowedSettlements } from './trading/execution/settlements.ts';
import { followFeeStops, stopWhereSourcesDiffer } from './trading/fee-stops/follow.ts';
import { startLedgerJob } from './trading/ledger/ledger-job.ts';
import { payResolvedPractice } from './trading/practice/pay-resolved.ts';
import { followSurvival } from './trading/survival/measured-survival.ts';
import { watchShownDepth } from './trading/survival/shown-depth.ts';
import type { Feed } from './trading/trading-controls/system-status.ts';
import type { Desks } from './trading/venue-desk/desks.ts';

export type Trading = PlaceParts & {
  quotes: QuoteFeed;
  journal: OpenDecisionJournal;
  placing: BatchRunner;
  live: LivePrices;
  blockersOf: BlockersOf;
  feed: ReadFeed;
  stop: () => Promise<void>;
};

type SignOffSettings = Pick<SecuritySettingsForm, 'sign_off_above_usd'>;

/** What trades are made with; without `securitySettings` no sign-off is asked for. */
export type TradingNeeds = {
  runtime: Runtime;
  venue: VenueReads;
  desks: Desks;
  settings: WatchedSettings;
  stream: StreamHub;
  engines: Engines;
  discovery: Pick<WatchedDiscoverySettings, 'current'>;
  settlements: Pick<FollowedSettlements, 'current'>;
  securitySettings?: { current: () => SignOffSettings };
};

/** Starts the loops: first what an earlier run left unfinished is taken up, then prices are followed and may trigger. */
export async function startTrading({
  runtime,
  venue,
  desks,
  settings,
  stream,
  engines,
  discovery,
  settlements,
  securitySettings,
}: TradingNeeds): Promise<Trading> {
  const { partitions } = engines;
  const named = { ...venue, catalogue: namesKept(runtime, venue.catalogue) };
  const quotes = startQuotes(runtime, named, settings);
  engines.tellFeed((at) => (at === undefined ? feedOf(quotes, venue.names) : feedAt(quotes, at)), venue.names);
  const divide = () => {
    for (const { trading } of desks.all) trading?.pace.divide(Math.max(1, engines.alive()), runtime.clock.now());
  };
  engines.onBeat(divide);
  divide();
  const stopForgetting = runtime.pubsub.subscribe('cache_cleared', quotes.forget);
  const instants = orderInstants(runtime.clock);
  const journal = openDecisionJournal(runtime, partitions, instants);
  noteMarkets(journal, quotes.markets);
  const feeStops = await followFeeStops(runtime);
  const soundness = (): Soundness => ({
    corruptSettings: settings.corrupt(),
    settlements: settlements.current(),
    ...signOffOf(securitySettings?.current()),
    ...stopsOf(feeStops.current()),
  });
  const isEngine = runtime.config.roles.has('engine');
  if (isEngine) quotes.markets.onKnown(stopWhereSourcesDiffer(runtime));
  const found = (): FoundRules => {
    const form = discovery.current();
    return { placesFound: form.auto_place_found, foundBand: foundBandOf(form) };
  };
  const { catalogue } = venue;
  const running = { runtime, catalogue, quotes, stream, desks, settings, partitions, found, soundness };
  const placing = isEngine ? await startBatchRunner(running) : onlyCalling(runtime);
  const readiness = (): Readiness => ({
    reconciled: placing.isReconciled(),
    ...found(),
    ...soundness(),
  });
  const stopDeferred = isEngine ? await sweepDeferred(runtime) : () => {};
  const depth = watchShownDepth(runtime, quotes);
  const survival = followSurvival(runtime);
  const parts: PlaceParts = { runtime, quotes, catalogue, settings, desks, readiness, survival: survival.current };
  const blockersOf = automaticBlockers(parts);
  const live = await startLivePrices({
    runtime,
    quotes,
    settings,
    stream,
    partitions,
    journal,
    blockersOf,
    noteShown: depth.noteShown,
    onTrigger: {
      isReady: () => isEngine && placing.isReconciled(),
      buy: (opportunity, quoted) => openPlacing(parts, placing, triggeredBy(opportunity, quoted, instants.ofDecision)),
    },
  });
  const clips = isEngine ? startClips({ ...parts, placing, live, partitions }) : null;
  const stopNoting = isEngine && runtime.config.recording.isOn ? noteAccount(parts, settings, journal) : () => {};
  const stopTelling = isEngine ? notifyFeedsDown(runtime, quotes, venue.names) : () => {};
  const stopLedger = isEngine ? startLedgerJob({ runtime, partitions, catalogue, desks: desks.all }) : async () => {};
  const stopPractice = isEngine ? payResolvedPractice({ runtime, catalogue, partitions }) : () => {};
  const stop = async () => {
    stopPractice();
    stopDeferred();
    await clips?.stop();
    await stopLedger();
    stopForgetting();
    stopTelling();
    stopNoting();
    await live.stop();
    await journal.stop();
    await placing.stop();
    feeStops.stop();
    survival.stop();
    await depth.stop();
    await quotes.stop();
  };
  return { ...parts, quotes, journal, placing, live, blockersOf, feed: startingFeed(runtime, engines.feed), stop };
}

/** Nothing is said of it where it is off, so that what decisions were made with reads as it always did. */
function signOffOf(security: SignOffSettings | undefined): Pick<Soundness, 'signOffAbove'> {
  const signOffAbove = security?.sign_off_above_usd ?? null;
  return signOffAbove === null ? {} : { signOffAbove };
}

/** Nor is anything said of these where there are none. */
function stopsOf(categories: ReadonlySet<string>): Pick<Soundness, 'feeStops'> {
  return categories.size === 0 ? {} : { feeStops: categories };
}

/** Journals the markets of opportunities. The end of watching is not published, because other parts may still watch them. */
function noteMarkets(journal: OpenDecisionJournal, markets: QuoteFeed['markets']): void {
  markets.onKnown((marketId, market) => journal.note('market', marketId, market));
  journal.onRetell(function* () {
    for (const [subject, data] of markets.all()) if (data !== null) yield { topic: 'market', subject, data };
  });
}

/** A process without the engine's role only records; one that has it finds the work in the database. */
function onlyCalling(runtime: Runtime): BatchRunner {
  const wake = (batchId: string) =>
    void callBatch(runtime, batchId).catch((error: unknown) =>
      runtime.log.warn({ err: error, batchId }, 'call of a batch failed, left to the next sweep'),
    );
  return { wake, isReconciled: () => true, stop: async () => {}, onRested: () => () => {}, fastPath: null };
}

/** Nothing is placed for it. */
const ANYBODY: Asker = { userId: '', placedBefore: 0, wayIn: undefined, signedOff: null };

/** What refuses an automatic order now: what would refuse a person's, and what only the product itself may not pass. */
function automaticBlockers(parts: PlaceParts): BlockersOf {
  const { now } = parts.runtime.clock;
  return async (opportunity, quotes) => {
    const request = { ...triggeredBy(opportunity, quotes, now), quotedPrice: null };
    const inputs = await readInputs(parts, wantedFor(parts, request));
    const { blockers } = judge(parts, request, inputs, now());
    if (blockers.length === 0) return [];
    const byHand = judge(parts, { ...request, askedBy: ANYBODY }, inputs, now()).blockers;
    const refuseAll = new Set(byHand.map(({ gate }) => gate));
    return blockers.map((blocker) => ({ ...blocker, automatic_only: !refuseAll.has(blocker.gate) }));
  };
}

/** Feed of several venues: their common state, or degraded where they differ. */
export function feedOf(quotes: Pick<QuoteFeed, 'health'>, venues: readonly VenueName[]): Feed {
  const [first = 'down', ...others] = venues.map((venue) => feedAt(quotes, venue));
  return others.every((each) => each === first) ? first : 'degraded';
}

function notifyFeedsDown(
  runtime: Runtime,
  quotes: Pick<QuoteFeed, 'health'>,
  venues: readonly VenueName[],
): () => void {
  const stops = venues.map((venue) => {
    const label = venues.length === 1 ? null : VENUE_LABELS[venue];
    return notifyFeedDown(runtime, { venue, label }, () => feedAt(quotes, venue));
  });
  return () => {
    for (const stop of stops) stop();
  };
}

/** State of the venue's feed; a single missing book does not change it. */
function feedAt(quotes: Pick<QuoteFeed, 'health'>, venue: VenueName): Feed {
  const { mode, sockets, connected, sound, readsFail } = quotes.health(venue);
  if (mode === 'poll') return readsFail ? 'down' : 'polled';
  if (sockets > 0 && connected === 0) return 'down';
  return sound < sockets || readsFail ? 'degraded' : 'live';
}
