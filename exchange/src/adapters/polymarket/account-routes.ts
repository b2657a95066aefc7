import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Protocol } from '../../catalogue/listed-event.ts';
import type { Faults } from '../../faults/faults.ts';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import { type Account, isStanding, type TradeRecord, tokensIn } from '../../matching-engine/records.ts';
import { type Answer, ok, page, refused, UNAUTHORIZED } from './answers.ts';
import { EXCHANGE_CONTRACTS } from './contracts.ts';
import { issueAccount, verifyL1 } from './credentials.ts';
import { seconds, wireOrder, wireTrade } from './order-shape.ts';
import { send } from './trading-routes.ts';

const PAGE_SIZE = 100;
/** How the venue answers for an order that it has forgotten. */
const NOTHING: Answer = { status: 200, body: 'null', headers: { 'content-type': 'application/json' } };

const orderParams = z.object({ id: z.string() });
const balanceQuery = z.object({ asset_type: z.string(), token_id: z.string().optional() });

export interface AccountParts {
  readonly engine: MatchingEngine;
  readonly faults: Faults;
  readonly seed: number;
  readonly authenticate: (request: FastifyRequest) => Account | undefined;
}

/** Keys (L1), and what a key's owner may read about itself (L2). */
export function registerAccount(app: FastifyInstance, parts: AccountParts): void {
  registerKeys(app, parts);
  const { engine } = parts;
  const read = (url: string, show: (account: Account, request: FastifyRequest) => Answer) =>
    app.get(url, (request, reply) => answerOwner(parts, show, request, reply));

  read('/data/orders', (account, request) => openOrders(account, request.query, engine));
  read('/data/order/:id', (account, request) => {
    const { id } = orderParams.parse(request.params);
    const order = engine.register.orders.get(id);
    if (order?.account !== account.address) return refused(404, 'order not found');
    return order.isForgotten === true ? NOTHING : ok(wireOrder(order, engine));
  });
  read('/data/trades', (account, request) => trades(account, request.query, engine));
  read('/balance-allowance', (account, request) => balance(account, request.query, parts));
  read('/balance-allowance/update', (account, request) => lookAgain(account, request.query, parts));
  read('/auth/api-keys', (account) => ok({ apiKeys: [account.apiKey] }));
  read('/auth/ban-status/closed-only', () => ok({ closed_only: false }));
  read('/v1/user/rate-limit-tier', () => ok({ tier: 'standard' }));
  read('/notifications', () => ok([]));
  read('/order-scoring', () => ok({ scoring: false }));
}

function registerKeys(app: FastifyInstance, { engine, seed }: AccountParts): void {
  const credentials = ({ apiKey, secret, passphrase }: Account) => ({ apiKey, secret, passphrase });
  app.post('/auth/api-key', async (request, reply) => {
    const proof = verifyL1(request.headers, engine.clock.readings());
    if (proof === undefined) return send(reply, refused(401, 'Invalid L1 Request headers'));
    const account = issueAccount(seed, proof.address, proof.nonce);
    if (engine.register.accounts.has(account.apiKey)) return send(reply, refused(400, 'Could not create api key'));
    engine.openAccount(account);
    return credentials(account);
  });
  app.get('/auth/derive-api-key', async (request, reply) => {
    const proof = verifyL1(request.headers, engine.clock.readings());
    if (proof === undefined) return send(reply, refused(401, 'Invalid L1 Request headers'));
    const account = engine.register.accounts.get(issueAccount(seed, proof.address, proof.nonce).apiKey);
    return account === undefined ? send(reply, refused(400, 'Could not derive api key!')) : credentials(account);
  });
}

function answerOwner(
  parts: AccountParts,
  show: (account: Account, request: FastifyRequest) => Answer,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const account = parts.authenticate(request);
  return send(reply, account === undefined ? UNAUTHORIZED : show(account, request));
}

const listQuery = z.object({
  id: z.string().optional(),
  market: z.string().optional(),
  asset_id: z.string().optional(),
  maker_address: z.string().optional(),
  before: z.coerce.number().optional(),
  after: z.coerce.number().optional(),
  next_cursor: z.string().optional(),
});

type ListQuery = z.infer<typeof listQuery>;

/** Standing orders, oldest first; with an id, that order whatever became of it. */
function openOrders(account: Account, query: unknown, engine: MatchingEngine): Answer {
  const wanted = listQuery.safeParse(query);
  if (!wanted.success) return refused(400, 'Invalid query');
  const { id, market, asset_id, next_cursor } = wanted.data;
  const orders = engine.register
    .ordersOf(account.address)
    .filter((order) => (id ? order.id === id : isStanding(order)))
    .filter((order) => !market || order.conditionId === market)
    .filter((order) => !asset_id || order.tokenId === asset_id);
  return ok(
    page(
      orders.map((order) => wireOrder(order, engine)),
      next_cursor,
      PAGE_SIZE,
    ),
  );
}

/** Trades of the account, newest first. */
function trades(account: Account, query: unknown, engine: MatchingEngine): Answer {
  const parsed = listQuery.safeParse(query);
  if (!parsed.success) return refused(400, 'Invalid query');
  const found = engine.register
    .tradesOf(account.address)
    .filter((trade) => isWanted(trade, parsed.data))
    .reverse()
    .map((trade) => wireTrade(trade, account.address, engine));
  return ok(page(found, parsed.data.next_cursor, PAGE_SIZE));
}

function isWanted(trade: TradeRecord, wanted: ListQuery): boolean {
  const at = seconds(trade.matchedAt);
  return (
    (!wanted.id || trade.id === wanted.id) &&
    (!wanted.market || trade.conditionId === wanted.market) &&
    (!wanted.asset_id || tokensIn(trade).includes(wanted.asset_id)) &&
    (wanted.before === undefined || at < wanted.before) &&
    (wanted.after === undefined || at > wanted.after)
  );
}

const TOKEN_TYPES: Readonly<Record<string, Protocol>> = { CONDITIONAL: 'v1', 'CONDITIONAL-V2': 'v2' };

/** Balances in base units, and what each contract may take of them. A token asked for as one of the other protocol is none. */
function balance(account: Account, query: unknown, { engine, faults }: AccountParts): Answer {
  const wanted = balanceQuery.safeParse(query);
  if (!wanted.success) return refused(400, 'Invalid asset type');
  const { asset_type, token_id } = wanted.data;
  const asset = asset_type === 'COLLATERAL' ? 'COLLATERAL' : 'CONDITIONAL';
  const allowances = Object.fromEntries(
    EXCHANGE_CONTRACTS.map((contract) => [contract, String(engine.allowances.of(account.address, contract, asset))]),
  );
  if (asset_type === 'COLLATERAL')
    return ok({ balance: seen(engine, account, '', engine.balances.cash(account.address)), allowances });
  const protocol = TOKEN_TYPES[asset_type];
  if (protocol === undefined || !token_id) return refused(400, 'Invalid asset type');
  const isOther = engine.directory.token(token_id)?.market.listing.protocol !== protocol;
  const isHidden = isOther || faults.strike('empty_positions', [token_id]) !== undefined;
  const held = isHidden ? 0 : engine.balances.tokens(account.address, token_id);
  return ok({ balance: isHidden ? '0' : seen(engine, account, token_id, held), allowances });
}

/** A balance as the venue last saw it: without later changes on the chain. */
function seen({ balances }: MatchingEngine, { address }: Account, tokenId: string, held: number): string {
  return String(Math.max(0, held - balances.hidden(address, tokenId)));
}

/** Looks at the chain again, for the cash or for one token. */
function lookAgain(account: Account, query: unknown, { engine, faults }: AccountParts): Answer {
  const wanted = balanceQuery.safeParse(query);
  if (!wanted.success) return refused(400, 'Invalid asset type');
  const tokenId = wanted.data.asset_type === 'COLLATERAL' ? '' : (wanted.data.token_id ?? '');
  if (faults.strike('stale_balance', [tokenId]) !== undefined) return ok({});
  engine.balances.look(account.address, tokenId);
  engine.announcer.accountChanged(account.address);
  return ok({});
}
