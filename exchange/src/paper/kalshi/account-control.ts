import { complement } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { notional, USD_ZERO, type Usd, usdFromText, usdToText } from '@dutchbook/units/usd.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { yesOf } from '../../adapters/kalshi/catalogue/listing.ts';
import { type Member, moveCash, SHARDS } from '../../adapters/kalshi/members.ts';
import { type KalshiVenue, partOf } from '../../adapters/kalshi/venue.ts';
import { hashId } from '../../catalogue/ids.ts';
import { ControlError, decimal, post, postAwaited } from '../../control/calls.ts';
import type { Token } from '../../matching-engine/market.ts';
import { type Ended, type EndOfRun, endOfRun, KeptRuns, NOT_ENDED } from '../run-end.ts';

export interface AccountParts {
  readonly venue: KalshiVenue;
  /** Reads the books of these markets. @returns how many of them are out of reach */
  readonly readBooks: (tickers: readonly string[]) => Promise<number>;
}

const transferBody = z.object({ usd: decimal });
const movesQuery = z.object({ after: z.coerce.number().int().nonnegative().default(0) });

/** Controls of the paper account at Kalshi: deposits, withdrawals, and the end of a run. */
export function registerAccountControl(app: FastifyInstance, parts: AccountParts): void {
  const { venue } = parts;
  const kept = new KeptRuns();
  postAwaited(app, 'kalshi/end_run', endOfRun, (body) => endRun(parts, kept, body));
  post(app, 'kalshi/transfer', transferBody, ({ usd }) => transfer(venue, usdFromText(usd)));
  app.get('/_control/kalshi/moves', ({ query }) => movesOf(venue, movesQuery.parse(query).after));
}

/**
 * Ends a run of the account and begins one with `cash`. What stands is canceled, what is held is closed at the bid, all dollars leave and
 * the new ones come, on the shards as at first. A run is ended once, however often it is asked; what is refused has changed nothing.
 */
async function endRun({ venue, readBooks }: AccountParts, kept: KeptRuns, { run, step, ...body }: EndOfRun) {
  const cash = usdFromText(body.cash);
  const names = { in: hashId('end of run', run, 'kalshi in'), out: hashId('end of run', run, 'kalshi out') };
  const answer = (): Ended => ({ in: names.in, out: venue.moves.has(names.out) ? names.out : null });
  if (venue.moves.has(names.in)) return answer();
  if (step === 'keep') return kept.keep(run);
  if (cash <= 0) throw new ControlError(422, 'cash must be above 0');
  const member = memberOf(venue);
  const trading = () => [...heldBy(venue, member)].filter((held) => isTrading(venue, held));
  let missing = await readBooks(trading().map(({ token }) => token.market.listing.id));
  // Another call may have been faster.
  if (venue.moves.has(names.in)) return answer();
  missing = Math.max(missing, trading().filter(({ token }) => !token.market.hasBooks).length);
  if (missing > 0)
    throw new ControlError(409, `the books of ${missing} markets that are held are out of reach at the real venue`);
  kept.refuse({ run, step });
  if (step === 'check') return NOT_ENDED;
  // From here on nothing is waited for: the journal has all of it, or nothing.
  for (const order of venue.orders.of(member)) venue.orders.cancel(order);
  for (const held of heldBy(venue, member))
    close(venue, held, hashId('end of run', run, held.pocket, held.token.tokenId));
  const leaving = cashOf(venue, member);
  for (const pocket of member.pockets()) put(venue, pocket, -venue.engine.balances.cash(pocket) as Usd);
  if (leaving > 0) venue.moves.add(names.out, -leaving as Usd);
  for (const { index } of SHARDS) put(venue, member.pocket(0, index), partOf(cash, index));
  venue.moves.add(names.in, cash);
  return answer();
}

/** Dollars come to the first shard, or below zero leave, of the first shards that have them free. */
function transfer(venue: KalshiVenue, usd: Usd): { name: string } {
  const member = memberOf(venue);
  const pockets = SHARDS.map(({ index }) => member.pocket(0, index));
  const free = pockets.map((pocket) => Math.max(0, venue.orders.freeCash(pocket)));
  if (free.reduce((sum, part) => sum + part, 0) < -usd)
    throw new ControlError(409, 'the account has less that is free');
  let left = usd;
  for (const [place, pocket] of pockets.entries()) {
    const part = usd > 0 ? left : (-Math.min(-left, free[place] ?? 0) as Usd);
    if (part !== USD_ZERO) put(venue, pocket, part);
    left = (left - part) as Usd;
  }
  const name = hashId('transfer', venue.engine.clock.now(), venue.moves.size);
  venue.moves.add(name, usd);
  return { name };
}

/** Moves after `after`, in the form of chain transfers, with the cash after the last of them. */
function movesOf(venue: KalshiVenue, after: number) {
  const member = venue.members.first();
  return {
    through: venue.moves.size,
    cash: usdToText(member === undefined ? USD_ZERO : cashOf(venue, member)),
    moves: venue.moves.after(after).map(({ name, place, usd, shares }) => ({ name, place, usd, shares })),
  };
}

interface Held {
  readonly pocket: string;
  readonly token: Token;
  readonly shares: Shares;
}

function* heldBy({ engine }: KalshiVenue, member: Member): Generator<Held> {
  for (const pocket of member.pockets())
    for (const [tokenId, shares] of [...engine.balances.holdings(pocket)]) {
      const token = engine.directory.token(tokenId);
      if (token !== undefined && shares > 0) yield { pocket, token, shares };
    }
}

function isTrading(venue: KalshiVenue, { token }: Held): boolean {
  return stateOf(venue, token).status === 'active';
}

function stateOf(venue: KalshiVenue, { market }: Token) {
  const of = venue.market(market.listing.id);
  if (of === undefined) throw new ControlError(409, `${market.listing.id} is not listed`);
  return venue.states.of(of);
}

/** Takes all of a token for what it is worth. */
function close(venue: KalshiVenue, { pocket, token, shares }: Held, name: string): void {
  const usd = worthOf(venue, token, shares);
  venue.engine.balances.debit({ account: pocket, usd: USD_ZERO, tokenId: token.tokenId, shares });
  put(venue, pocket, usd);
  venue.fills.alignPositions();
  venue.moves.add(name, usd, { [token.tokenId]: shares });
}

/** The announced payout of its market, else the bid; without a bid nothing. */
function worthOf(venue: KalshiVenue, token: Token, shares: Shares): Usd {
  const { market, tokenId } = token;
  const { yesPays } = stateOf(venue, token);
  const ask = market.book.best('ask');
  const isYes = tokenId === yesOf(market.listing.id);
  if (yesPays !== null) return notional(shares, isYes ? yesPays : complement(yesPays), 'down');
  if (!market.hasBooks) return USD_ZERO;
  const bid = isYes ? market.book.best('bid') : ask && complement(ask);
  return bid === undefined ? USD_ZERO : notional(shares, bid, 'down');
}

function put(venue: KalshiVenue, pocket: string, usd: Usd): void {
  moveCash(venue.engine.balances, pocket, usd);
  venue.transfers.onMoved(pocket);
}

function cashOf({ engine }: KalshiVenue, member: Member): Usd {
  return member.pockets().reduce((sum, pocket) => sum + engine.balances.cash(pocket), SHARES_ZERO as number) as Usd;
}

function memberOf({ members }: KalshiVenue): Member {
  const member = members.first();
  if (member === undefined) throw new ControlError(409, 'no API key has been made known yet');
  return member;
}
