/** Kalshi beside Polymarket at the simulated exchange: its engine, its member and its side of the network. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { STREAM_PATH, streamCallerOf } from '@dutchbook/exchange/adapters/kalshi/serve.ts';
import type { KalshiVenue } from '@dutchbook/exchange/adapters/kalshi/venue.ts';
import type { FaultName, FaultOrder } from '@dutchbook/exchange/faults/faults.ts';
import type { MatchingEngine } from '@dutchbook/exchange/matching-engine/matching-engine.ts';
import type { OpenExchange } from '@dutchbook/exchange/start-exchange.ts';
import { type TokenId, type VenueName, venueOf, withoutVenue } from '@dutchbook/units/ids.ts';
import type { Wire } from '../wire.ts';

/** An Ed25519 key made up for this. */
const SEED_OF_KEY = `302e020100300506032b657004220420${'4b'.repeat(32)}`;
const PRIVATE_KEY = createPrivateKey({ key: Buffer.from(SEED_OF_KEY, 'hex'), format: 'der', type: 'pkcs8' });
const pem = PRIVATE_KEY.export({ format: 'pem', type: 'pkcs8' }).toString();
/** One key that trades, and one that moves cash and does nothing else. */
export const KALSHI_KEYS = {
  key: { id: 'trades-in-the-simulation', privateKey: pem },
  transferKey: { id: 'moves-cash-in-the-simulation', privateKey: pem },
};
const MEMBER = 'member';

export function kalshiOf({ kalshi }: OpenExchange): KalshiVenue {
  if (kalshi === null) throw new Error('the exchange has one venue alone');
  return kalshi.venue;
}

/** Opens the account there: its keys are made known, as its owner does on the pages of the venue. */
export function joinKalshi(exchange: OpenExchange): void {
  const publicKey = createPublicKey(PRIVATE_KEY).export({ format: 'pem', type: 'spki' }).toString();
  const venue = kalshiOf(exchange);
  const { members } = venue;
  const names = new Set<string>();
  spent.set(venue, names);
  venue.orders.onSpent = (_member, name) => names.add(name);
  const add = (id: string, scopes: readonly string[]) =>
    members.addKey(MEMBER, 'direct', { id, publicKey, scopes, subaccount: null });
  add(KALSHI_KEYS.key.id, ['read', 'write::trade']);
  add(KALSHI_KEYS.transferKey.id, ['write::transfer']);
}

const spent = new WeakMap<KalshiVenue, ReadonlySet<string>>();

/** Names of orders that were sent there, whatever was answered: also of what was refused. */
export function spentNames(venue: KalshiVenue): readonly string[] {
  return [...(spent.get(venue) ?? [])];
}

export function engineAt(exchange: OpenExchange, venue: VenueName): MatchingEngine {
  return venue === 'kalshi' ? kalshiOf(exchange).engine : exchange.engine;
}

/** What is the id of a token for the product is called so by its venue. */
export function engineOf(exchange: OpenExchange, tokenId: TokenId): MatchingEngine {
  return engineAt(exchange, venueOf(tokenId));
}

function enginesOf(exchange: OpenExchange): MatchingEngine[] {
  return [exchange.engine, kalshiOf(exchange).engine];
}

/** All that rests of ours, at both venues, with the engine that it rests in. */
export function restingAt(exchange: OpenExchange) {
  return enginesOf(exchange).flatMap((engine) => engine.register.openOrders().map((order) => ({ engine, order })));
}

export function cancelResting(exchange: OpenExchange): void {
  for (const { engine, order } of restingAt(exchange)) engine.cancel(order.id);
}

/** What may strike at Kalshi: its numbers have two decimals, and it neither holds orders nor forgets them. */
const AT_KALSHI = new Set<FaultName>([
  'accept_then_500',
  'drop_response',
  'hang',
  'lose_book_frame',
  'lose_user_frame',
  'partial_fill',
  'rate_limit_429',
]);

/** Strikes at both venues what concerns both; a fault of one token at the venue of that alone. */
export function addFault(exchange: OpenExchange, order: FaultOrder, nowMs: number): void {
  const { name, token_id: tokenId } = order;
  const venue = tokenId === undefined ? null : venueOf(tokenId);
  if (venue !== 'kalshi') exchange.faults.add(order, nowMs);
  if (venue === 'polymarket' || !AT_KALSHI.has(name)) return;
  const there = tokenId === undefined ? order : { ...order, token_id: withoutVenue(tokenId) };
  kalshiOf(exchange).faults.add(there, nowMs);
}

export function clearFaults(exchange: OpenExchange): void {
  exchange.faults.clear();
  kalshiOf(exchange).faults.clear();
}

/** Connects a stream of the product to the venue that its address is of, as far as that takes it. */
export function connectStream(
  exchange: OpenExchange,
  { path, headers }: { path: string; headers: Record<string, string> },
  wire: Wire,
): void {
  if (path === STREAM_PATH) connectKalshi(exchange, headers, wire);
  else if (path === '/ws/user') exchange.userStream.connect(wire.server);
  else exchange.marketStream.connect(wire.server);
}

function connectKalshi({ kalshi }: OpenExchange, headers: Record<string, string>, wire: Wire): void {
  const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const caller = kalshi === null ? null : streamCallerOf(lowered, kalshi.venue);
  if (caller === null) {
    wire.close();
    return;
  }
  kalshi?.stream.connect(wire.server, caller);
  wire.pingEvery(PING_EVERY_MS);
}

const PING_EVERY_MS = 10_000;
