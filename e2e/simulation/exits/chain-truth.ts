/** What the chain has carried out for our account, and what the database says of submissions to it. */
import { noOf, yesOf } from '@dutchbook/exchange/adapters/kalshi/catalogue/listing.ts';
import { eventMembers } from '@dutchbook/exchange/settlement/event-members.ts';
import type { OpenExchange } from '@dutchbook/exchange/start-exchange.ts';
import { idAt } from '@dutchbook/units/ids.ts';
import { kalshiOf } from '../venues/second-venue.ts';

/**
 * A transaction with calls of ours. `key`: what names the signed submission that it carries, the hash of a plain key's and the
 * signature of a wallet's. `changes`: of our account, in millionths, by token; of cash under the empty name.
 */
export type ChainTransaction = {
  key: string;
  status: 'pending' | 'mined' | 'gone';
  isSuccess: boolean;
  height: number;
  changes: Map<string, number>;
};

/**
 * `nonce`: how many submissions of the account have been carried out, or taken back whole. `payouts`: what a share of each token
 * pays whose market has resolved. `nameless`: outcomes of members of the first protocol that are not listed, whose ids follow from
 * nothing: a conversion hands them out, and neither the venue nor the product can tell of them.
 */
export type ChainTruth = {
  height: number;
  nonce: number;
  transactions: ChainTransaction[];
  payouts: ReadonlyMap<string, number>;
  nameless: ReadonlySet<string>;
  /** Then what a redemption of ours finds may be less than was expected, and the rest has come already. */
  mayVenueRedeem: boolean;
};

export function readChain(exchange: OpenExchange, mayVenueRedeem: boolean): ChainTruth {
  const { chain, engine } = exchange;
  const account = engine.register.firstAccount()?.address ?? '';
  const wallet = chain.wallets.of(account as `0x${string}`);
  const transactions = chain.pool
    .all()
    .filter(({ from, wallet: carried, calls }) => {
      const signer = carried === undefined ? from : chain.wallets.ownerOf(carried.address);
      return calls.length > 0 && signer.toLowerCase() === account.toLowerCase();
    })
    .map(({ hash, data, wallet: carried, status, mined }): ChainTransaction => {
      const changes = new Map<string, number>();
      for (const { account: of, tokenId, micro } of mined?.changes ?? [])
        if (of === account) changes.set(tokenId, (changes.get(tokenId) ?? 0) + micro);
      const key = carried === undefined ? hash : data;
      return { key, status, isSuccess: mined?.isSuccess ?? false, height: mined?.height ?? 0, changes };
    });
  const nonce = wallet === undefined ? chain.keys.nonce(account as `0x${string}`) : chain.wallets.nonce(wallet);
  const payouts = new Map([...payoutsOf(engine), ...paidAtKalshi(exchange)]);
  const nameless = namelessOf(engine);
  return { height: chain.blocks.height(), nonce, transactions, payouts, nameless, mayVenueRedeem };
}

function namelessOf({ directory }: OpenExchange['engine']): Set<string> {
  const old = directory.events.filter(({ markets }) => markets[0]?.protocol === 'v1');
  const tokenIds = old.flatMap((event) => eventMembers(event)?.pairs.flat() ?? []);
  return new Set(tokenIds.filter((tokenId) => directory.token(tokenId) === undefined));
}

/** What is final at the second venue, which pays by itself. */
function paidAtKalshi(exchange: OpenExchange): [string, number][] {
  const venue = kalshiOf(exchange);
  return venue.allMarkets().flatMap((market): [string, number][] => {
    const { status, yesPays } = venue.states.of(market);
    if (status !== 'finalized' || yesPays === null) return [];
    return [
      [idAt('kalshi', yesOf(market.ticker)), yesPays / DOLLAR],
      [idAt('kalshi', noOf(market.ticker)), (DOLLAR - yesPays) / DOLLAR],
    ];
  });
}

const DOLLAR = 1_000_000;

function payoutsOf({ directory }: OpenExchange['engine']): Map<string, number> {
  return new Map(
    directory.all().flatMap(({ tokens, payouts = [0, 0] }) => {
      const whole = payouts[0] + payouts[1];
      return whole === 0 ? [] : tokens.map((tokenId, place) => [tokenId, (payouts[place] ?? 0) / whole] as const);
    }),
  );
}

export type StoredStep = {
  id: string;
  kind: string;
  shares: number;
  changes: { tokenId: string; micro: number }[];
  parts: { orderId: string; batchId: string; shares: number; dollars: number }[];
  /** `split`: what of the dollars that are split the shares cost, and what they are to be sold at, at least. */
  handed_out: {
    orderId: string;
    batchId: string;
    tokenId: string;
    shares: number;
    split?: { cost: number; limit: number };
  }[];
};

/** `key`: what names what was signed, as that of a transaction does; null where nothing is. */
export type StoredSubmission = {
  id: string;
  request_id: string;
  purpose: string;
  status: string;
  by_venue: boolean;
  automatic: boolean;
  expected: number;
  key: string | null;
  nonce: number | null;
  deadline: string | null;
  not_before: string | null;
  error: string | null;
  hash: string | null;
  sent_at: string | null;
  unknown_since: string | null;
  ended_at: string | null;
  booked_at: string | null;
  steps: StoredStep[];
};

export const SUBMISSIONS = `
    (select coalesce(json_agg(s order by s.created_at, s.id), '[]') from (
      select id, request_id, purpose, status, by_venue, automatic, expected, nonce, deadline, not_before, error, hash,
        coalesce(payload::jsonb -> 'request' ->> 'signature', prepared_id) as key,
        sent_at, unknown_since, ended_at, booked_at, created_at,
        (select coalesce(json_agg(json_build_object('id', t.id, 'kind', kind, 'shares', shares, 'changes', changes,
            'parts', parts, 'handed_out', handed_out) order by ordinal), '[]')
          from chain_steps t where t.submission_id = c.id) as steps
      from chain_submissions c) s)`;
