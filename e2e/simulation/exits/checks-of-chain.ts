/**
 * What must hold of submissions to the chain (X of exits): each is recorded before it leaves and carried out once at most, the
 * books say what the chain did to the last millionth, and what became of each is known soon after it can be known.
 */

import { ordersFills, sum } from '../fill-sums.ts';
import type { Stored, StoredOrder, Truth } from '../truth.ts';
import { must } from '../violation.ts';
import type { ChainTransaction, ChainTruth, StoredSubmission } from './chain-truth.ts';
import { checkSplitsAlways, checkSplitsAtRest } from './checks-of-splits.ts';

/** Holds at every moment, whatever is under way. */
export function checkChainAlways(stored: Stored, chain: ChainTruth, before: Stored | null): void {
  everyTransactionIsRecorded(stored, chain);
  noEndIsWrong(stored, chain);
  booksSayWhatTheChainDid(stored, chain);
  onlyWhatIsConfirmedIsConverted(stored);
  resolvedSharesPayWhatTheyPay(stored, chain);
  if (before !== null) nothingIsUndone(stored, before);
  requestsAreAudited(stored);
  checkSplitsAlways(stored);
}

/** What the chain has, or may still carry out, was marked as sent before, and none of it is there twice. */
function everyTransactionIsRecorded({ submissions }: Stored, { transactions }: ChainTruth): void {
  const sent = new Map(submissions.filter(wasSent).map((submission) => [submission.key, submission]));
  const carriedOut = new Set<string>();
  for (const { key, status, isSuccess } of transactions) {
    if (status === 'gone') continue;
    must(sent.has(key), 'X1', () => `the chain has transaction ${key}, which is not marked as sent`);
    if (status !== 'mined' || !isSuccess) continue;
    must(!carriedOut.has(key), 'X1', () => `submission ${sent.get(key)?.id} was carried out twice`);
    carriedOut.add(key);
  }
}

/** One that was signed and never sent has the bytes of the next with the same calls, where nothing in them tells the time. */
function wasSent({ sent_at }: StoredSubmission): boolean {
  return sent_at !== null;
}

/** What is believed to be carried out is in a block; what is believed to have failed never will be, or has moved nothing there. */
function noEndIsWrong({ submissions }: Stored, chain: ChainTruth): void {
  for (const submission of submissions) {
    const { id, status, by_venue } = submission;
    if (by_venue || !wasSent(submission)) continue;
    const done = carriedOutBy(submission, chain);
    if (status === 'confirmed')
      must(done !== undefined, 'X2', () => `submission ${id} is confirmed, and is in no block`);
    if (status !== 'failed') continue;
    const hasMoved = done !== undefined && done.changes.size > 0;
    must(!hasMoved, 'X2', () => `submission ${id} is failed, and the chain has carried it out`);
  }
}

function carriedOutBy({ key }: StoredSubmission, { transactions }: ChainTruth): ChainTransaction | undefined {
  return transactions.find((one) => one.key === key && one.status === 'mined' && one.isSuccess);
}

/** To the micro-dollar, and share by share. */
function booksSayWhatTheChainDid(stored: Stored, chain: ChainTruth): void {
  const orders = new Map(stored.orders.map((order) => [order.id, order]));
  for (const submission of stored.submissions) {
    const { id, purpose, status, steps, booked_at, by_venue } = submission;
    const given = steps.flatMap(({ parts }) => parts.flatMap(({ orderId }) => orders.get(orderId) ?? []));
    const received = steps.flatMap((step) => step.handed_out.flatMap(({ orderId }) => orders.get(orderId) ?? []));
    if (status !== 'confirmed') {
      const booked = [...given, ...received].find(({ filled_size }) => filled_size > 0);
      must(booked === undefined, 'X3', () => `order ${booked?.id} is booked for submission ${id}, which is ${status}`);
    }
    if (booked_at === null || by_venue || (purpose === 'redeem' && chain.mayVenueRedeem)) continue;
    const done = wasSent(submission) ? carriedOutBy(submission, chain) : undefined;
    const changes = done?.changes ?? new Map<string, number>();
    const dollars = sum(given, ({ filled_cost }) => filled_cost) - sum(received, ({ filled_cost }) => filled_cost);
    const gained = changes.get('') ?? 0;
    must(
      dollars === gained,
      'X3',
      () => `submission ${id} is booked with ${dollars} dollars, the chain gave ${gained}`,
    );
    const tokenIds = new Set([...changes.keys(), ...[...given, ...received].map(({ token_id }) => token_id)]);
    for (const tokenId of tokenIds) {
      if (tokenId === '' || isUnbooked(tokenId, chain)) continue;
      const booked = sharesOf(received, tokenId) - sharesOf(given, tokenId);
      const moved = changes.get(tokenId) ?? 0;
      must(
        booked === moved,
        'X3',
        () => `submission ${id} is booked with ${booked} of ${tokenId}, the chain moved ${moved}`,
      );
    }
  }
}

/** What has lost is redeemed with what has won, for nothing; of what has no name nothing can be said. */
function isUnbooked(tokenId: string, { payouts, nameless }: ChainTruth): boolean {
  return payouts.get(tokenId) === 0 || nameless.has(tokenId);
}

function sharesOf(orders: readonly StoredOrder[], tokenId: string): number {
  return sum(
    orders.filter(({ token_id }) => token_id === tokenId),
    ({ filled_size }) => filled_size,
  );
}

/** C2: a purchase that may still fail to settle is not converted, even where the chain has other shares of the token. */
function onlyWhatIsConfirmedIsConverted(stored: Stored): void {
  for (const buy of stored.orders.filter(({ side }) => side === 'buy')) {
    const rounds = stored.orders.filter(({ sells_order_id, chain_step_id }) => {
      return sells_order_id === buy.id && chain_step_id !== null;
    });
    const converted = sum(rounds, ({ status, size }) => (status === 'failed' ? 0 : size));
    const confirmed = ordersFills(stored, buy).filter(({ settlement }) => settlement === 'confirmed');
    const settled = sum(confirmed, ({ size }) => size);
    must(converted <= settled, 'C2', () => `${converted} of order ${buy.id} are converted, ${settled} are confirmed`);
  }
}

function resolvedSharesPayWhatTheyPay({ orders }: Stored, { payouts }: ChainTruth): void {
  for (const { id, token_id, resolved_value } of orders) {
    const pays = (payouts.get(token_id) ?? Number.NaN) * 1e6;
    must(
      resolved_value === null || resolved_value === pays,
      'X3',
      () => `order ${id} pays ${resolved_value}, not ${pays}`,
    );
  }
}

/** What may become of a status, in any number of moves; what is not named stays. */
const MOVES: Record<string, readonly string[]> = {
  planned: ['approving', 'sent', 'unknown', 'mined', 'confirmed', 'failed'],
  approving: ['planned', 'sent', 'unknown', 'mined', 'confirmed', 'failed'],
  // What the venue has not looked at is as if it had not been sent.
  sent: ['planned', 'approving', 'unknown', 'mined', 'confirmed', 'failed'],
  // Also what was marked by a process that then stood still: it alone could have sent that, and has not.
  unknown: ['planned', 'approving', 'sent', 'mined', 'confirmed', 'failed'],
  // A block may be undone.
  mined: ['sent', 'unknown', 'confirmed', 'failed'],
  confirmed: [],
  failed: [],
};

function nothingIsUndone({ submissions }: Stored, before: Stored): void {
  const known = new Map(submissions.map((submission) => [submission.id, submission]));
  for (const was of before.submissions) {
    const is = known.get(was.id);
    must(is !== undefined, 'C5', () => `submission ${was.id} has vanished`);
    if (is === undefined) continue;
    const mayBecome = was.status === is.status || (MOVES[was.status]?.includes(is.status) ?? false);
    must(mayBecome, 'C5', () => `submission ${was.id} went from ${was.status} to ${is.status}`);
    const isMined = was.status === 'mined';
    must(!isMined || was.key === is.key, 'X1', () => `submission ${was.id} was signed again while it was mined`);
    must(was.booked_at === null || is.booked_at !== null, 'C5', () => `submission ${was.id} is booked no more`);
  }
}

const ACTIONS: Record<string, string> = { cash_now: 'chain.cash_now', redeem: 'chain.redeemed' };

/** C7: once for each request, also of what the product asks for by itself; what the venue did is no user's action. */
function requestsAreAudited({ submissions, audit }: Stored): void {
  for (const [purpose, action] of Object.entries(ACTIONS)) {
    const own = submissions.filter((submission) => submission.purpose === purpose && !submission.by_venue);
    const requestIds = new Set(own.map(({ request_id }) => request_id));
    const requests = requestIds.size;
    // What a request goes on with, once it is there, is audited under the request.
    const audited = audit.filter((entry) => entry.action === action && !requestIds.has(entry.object ?? ''));
    must(requests === audited.length, 'C7', () => `${requests} requests to ${purpose}, ${audited.length} are audited`);
    const automatic = new Set(own.filter((one) => one.automatic).map(({ request_id }) => request_id)).size;
    const bySystem = audited.filter(({ actor }) => actor === 'system').length;
    must(
      automatic === bySystem,
      'C7',
      () => `${automatic} requests to ${purpose} are automatic, ${bySystem} audited so`,
    );
  }
}

/** Whether nothing is expected of the chain any more. */
export function isChainAtRest(stored: Stored, truth: Truth, chain: ChainTruth): boolean {
  return (
    stored.submissions.every(({ booked_at }) => booked_at !== null) &&
    [...chain.payouts].every(
      ([tokenId, payout]) => payout === 0 || heldOf(stored, tokenId) <= (truth.tokens.get(tokenId) ?? 0),
    )
  );
}

/** @throws Violation */
export function checkChainAtRest(stored: Stored, truth: Truth, chain: ChainTruth): void {
  checkSplitsAtRest(stored);
  for (const { id, status, booked_at, error } of stored.submissions)
    must(booked_at !== null, 'C8', () => `submission ${id} is still ${status}: ${error}`);
  for (const { id, chain_step_id, status } of stored.orders)
    must(
      chain_step_id === null || ['filled', 'failed', 'canceled'].includes(status),
      'C8',
      () => `order ${id} of a submission is still ${status}`,
    );
  for (const tokenId of new Set([...truth.tokens.keys(), ...stored.orders.map(({ token_id }) => token_id)])) {
    if (isUnbooked(tokenId, chain)) continue;
    const [held, there] = [heldOf(stored, tokenId), truth.tokens.get(tokenId) ?? 0];
    must(held === there, 'C4', () => `batches hold ${held} of ${tokenId}, the account ${there}`);
  }
}

/** By the fills of all batches. */
function heldOf(stored: Stored, tokenId: string): number {
  return sum(
    stored.orders.filter(({ token_id }) => token_id === tokenId),
    (order) => (order.side === 'buy' ? 1 : -1) * sum(ordersFills(stored, order), ({ size }) => size),
  );
}

/** So long after it could be known, the outcome of a submission is recorded. */
const TOLD_WITHIN_MS = 15_000;
/** So long bids are waited for that take all of what dollars were split into. */
const SOLD_WITHIN_MS = 60_000;
/** A block is final under this many newer ones. */
const SETTLED_DEPTH = 5;
/** For as many blocks more is believed that something will never come. */
const SETTLING_MS = 14_000;

/** Watches, while nothing goes wrong, how long what could be known is not recorded. */
export class Answers {
  readonly #since = new Map<string, number>();

  readonly #unbookedSince = new Map<string, number>();

  /** @throws Violation */
  check({ submissions }: Stored, chain: ChainTruth, now: number): void {
    for (const submission of submissions) {
      const { id, status, error, purpose, ended_at, booked_at } = submission;
      if (ended_at !== null) {
        if (booked_at !== null) continue;
        const most = TOLD_WITHIN_MS + (purpose === 'split' ? SOLD_WITHIN_MS : 0);
        const ms = waited(this.#unbookedSince, id, now);
        must(ms <= most, 'X4', () => `submission ${id} is ${status} and not booked for ${ms} ms`);
        continue;
      }
      const answer = submission.sent_at === null ? null : answerOf(submission, chain, now);
      if (answer === null) {
        this.#since.delete(id);
        continue;
      }
      const most = TOLD_WITHIN_MS + (answer === 'settled' ? 0 : SETTLING_MS);
      const ms = waited(this.#since, id, now);
      must(ms <= most, 'X4', () => `submission ${id} is ${status} for ${ms} ms: ${error}`);
    }
  }
}

/** @returns for how many ms it has been so at each call */
function waited(since: Map<string, number>, id: string, now: number): number {
  const first = since.get(id) ?? now;
  since.set(id, first);
  return now - first;
}

/** What there is to know: it lies deep in a block, or can never come into one; null: nothing yet. */
function answerOf(
  { key, nonce, deadline }: StoredSubmission,
  chain: ChainTruth,
  now: number,
): 'settled' | 'never' | null {
  const own = chain.transactions.filter((one) => one.key === key);
  const mined = own.find(({ status }) => status === 'mined');
  if (mined !== undefined) return chain.height - mined.height >= SETTLED_DEPTH ? 'settled' : null;
  if (deadline !== null) return now > Date.parse(deadline) ? 'never' : null;
  return chain.nonce > (nonce ?? 0) ? 'never' : null;
}
