import assert from 'node:assert/strict';
import type { Market, MarketOutcome } from '@dutchbook/engine/market/market.ts';
import type { MarketId } from '@dutchbook/units/ids.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import type {
  ConversionLookup,
  ConversionRequest,
  MergeRequest,
  PreparedConversion,
  SubmitOutcome,
  VenueChain,
} from '../venue-chain.ts';
import type { Bench } from './bench.ts';

/** So long that none comes by itself while a case runs. */
const BLOCK_MS = 60_000;
/** As many as put a transaction beyond a reorganisation. */
const FINAL_AFTER_BLOCKS = 7;

export function chainOf(bench: Bench): VenueChain {
  assert.ok(bench.venue.chain, 'the venue has a chain');
  return bench.venue.chain;
}

/** Blocks come from now on when the case says so. */
export async function holdBlocks({ control }: Bench): Promise<void> {
  await control.setChain({ block_ms: 50 });
  await control.setChain({ block_ms: BLOCK_MS });
}

export async function nextBlock({ control }: Bench, count = 1): Promise<void> {
  await control.advanceClock(count * BLOCK_MS);
}

export async function makeFinal(bench: Bench): Promise<void> {
  await nextBlock(bench, FINAL_AFTER_BLOCKS);
}

/** A market of which the account holds so many pairs and nothing else; `ids`: one of these. */
export async function pairsOf(
  bench: Bench,
  amount: string,
  ids?: readonly string[],
): Promise<{ market: Market; yes: MarketOutcome; no: MarketOutcome; merge: MergeRequest }> {
  const fresh = await bench.freshMarket(ids ?? (await marketsForPairs(bench)));
  await bench.control.split(fresh.market.id, amount);
  return { ...fresh, merge: { kind: 'merge', marketIds: [fresh.market.id], shares: sharesFromText(amount) } };
}

/** Without the members of events that cases convert as a whole. */
async function marketsForPairs(bench: Bench): Promise<string[]> {
  const all = await allMarkets(bench);
  return all.filter(({ id, event }) => !isMember(id) && event?.marketIds.length !== WHOLE_MEMBERS).map(({ id }) => id);
}

/** Members of the first-protocol event that is converted as a whole. */
export const WHOLE_MEMBERS = 5;

/** Whether the id is of a market of Protocol V2 that is a member of an event. */
export function isMember(marketId: MarketId): boolean {
  return /^0x0[1-4].{36}0{16}.{8}00$/.test(marketId);
}

/** Every market that the catalogue lists. */
export async function allMarkets({ venue }: Bench): Promise<Market[]> {
  return (await venue.catalogue.searchMarkets({ skip: 0, limit: 1_000 })).data;
}

/** Sends what was prepared; `sentAs` is undefined where it was not taken for sure. */
export async function submit(
  bench: Bench,
  prepared: PreparedConversion,
): Promise<{ outcome: SubmitOutcome; sentAs: string | undefined }> {
  const outcome = await chainOf(bench).submit(prepared);
  return { outcome, sentAs: outcome.kind === 'sent' ? outcome.id : undefined };
}

/** Prepares, sends, and lets it end: as many submissions as the requests need. */
export async function convert(bench: Bench, requests: readonly ConversionRequest[]): Promise<ConversionLookup[]> {
  const chain = chainOf(bench);
  const ends: ConversionLookup[] = [];
  for (let from = 0; from < requests.length; from += chain.callsMax) {
    const prepared = await chain.prepare(requests.slice(from, from + chain.callsMax));
    const { outcome, sentAs } = await submit(bench, prepared);
    assert.equal(outcome.kind, 'sent');
    await makeFinal(bench);
    ends.push(await chain.lookUp(prepared, sentAs));
  }
  return ends;
}

/** Looks up until the faults that were ordered have struck, and answers the last verdict; the ones before it in `on the way`. */
export async function lookUpThrough(
  bench: Bench,
  prepared: PreparedConversion,
  times: number,
): Promise<{ onTheWay: ConversionLookup[]; last: ConversionLookup }> {
  const onTheWay: ConversionLookup[] = [];
  for (let count = 0; count < times; count += 1) onTheWay.push(await chainOf(bench).lookUp(prepared));
  await bench.control.clearFaults();
  return { onTheWay, last: await chainOf(bench).lookUp(prepared) };
}

/** What a lookup says: its kind, with its reason where it has one. */
export function verdict(lookup: ConversionLookup): string {
  return 'reason' in lookup ? `${lookup.kind}: ${lookup.reason}` : lookup.kind;
}

/** How cash and shares of tokens change while something is done, in text. */
export async function changes(
  bench: Bench,
  tokens: readonly MarketOutcome[],
  act: () => Promise<unknown>,
): Promise<{ cash: number; shares: number[] }> {
  const ids = tokens.map(({ tokenId }) => tokenId);
  const before = await chainOf(bench).balances(ids);
  await act();
  const after = await chainOf(bench).balances(ids);
  return {
    cash: after.cash - before.cash,
    shares: ids.map((id) => (after.shares.get(id) ?? Number.NaN) - (before.shares.get(id) ?? Number.NaN)),
  };
}

/** How many transactions the chain was sent while something is done. */
export async function sentWhile({ control }: Bench, act: () => Promise<unknown>): Promise<number> {
  const { transactions: before } = await control.chain();
  await act();
  return (await control.chain()).transactions.length - before.length;
}
