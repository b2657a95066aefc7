/**
 * What must hold of the ledger: every entry balances, and once all is at rest its cash and shares are the exchange's own, to the
 * last millionth.
 */
import type { OpenExchange } from '@dutchbook/exchange/start-exchange.ts';
import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import type { Strangers } from './checks.ts';
import type { StartingCash } from './checks-at-rest.ts';
import type { ChainTruth } from './exits/chain-truth.ts';
import { cashOf, sum } from './fill-sums.ts';
import type { SharedDatabase } from './shared-database.ts';
import type { Truth } from './truth.ts';
import { must } from './violation.ts';

type Sum = { account: string; unit: string; amount: number };

export type StoredLedger = {
  /** Of all entries, and of what is folded with the entries since. */
  sums: Sum[];
  kept: Sum[];
  /** What was there when the ledger began. */
  opening: Sum[];
  isOpened: boolean;
  unbalanced: number[];
  /** Fills of which the ledger has something else than was reported last. */
  behind: string[];
  /** Differences that were notified. */
  reported: string[];
  results: StoredResult[];
  /** What limits and cash go by, where it is kept otherwise than the rows add up to: of a batch, or in all. */
  misreserved: { batch: string | null; account: string; day: string; sum: number | null; kept: number | null }[];
};

/**
 * What the report says of a batch, beside what the ledger has of it: `cash` with what is receivable, and `ledgerFees`. Null where the
 * report says nothing.
 */
type StoredResult = {
  id: string;
  isDue: boolean;
  actualProfit: number | null;
  cash: number;
  ledgerFees: number;
  /** Payouts of markets whose set has not been paid as a whole: the report may count them with the last. */
  putAside: number;
  /** What its days of cash add up to. */
  dated: number;
  result: {
    paid: number;
    received: number;
    fees: number;
    paid_profit: number;
    locked_profit: number;
    at_risk: number;
  } | null;
};

const READ_LEDGER = `
  with lines as (
    select e.id, e.kind, e.block, e.batch_id, l ->> 'account' as account, l ->> 'unit' as unit, (l ->> 'amount')::float8 as amount
    from ledger_entries e, jsonb_array_elements(e.lines) l
  ), kept as (
    select account, unit, amount::float8 from ledger_balances
    union all select account, unit, amount from lines where block is null
  ), bought as (
    select o.*, coalesce(substring(o.token_id from '^[a-z]+:'), '') as at, b.simulated, b.status <> 'sold' and b.sold_at is null as is_holding,
      greatest(0, o.filled_size - o.sold_size - o.gone_size) as left_size, o.resolved_value is distinct from 0 as may_pay
    from batch_orders o join batches b on b.id = o.batch_id where o.side = 'buy' and not b.simulated
  ), taking as (
    select o.batch_id, o.at, o.is_holding, a.status, a.price, coalesce(a.fee_rate, o.fee_rate) as fee_rate, o.fee_step,
      coalesce(to_char(a.sent_at at time zone 'UTC', 'YYYY-MM-DD'), case a.status when 'prepared' then 'unsent' end) as day,
      (select coalesce(sum(f.cost + f.fee), 0) from fills f where f.attempt_id = a.id and f.settlement <> 'failed') as spent,
      greatest(0, case when a.status in ('rejected', 'failed') then 0 when a.status in ('canceled', 'matched')
        then coalesce(a.matched_size, 0) else a.size end
        - (select coalesce(sum(f.size), 0) from fills f where f.attempt_id = a.id)) as size
    from bought o join attempts a on a.order_id = o.id
    union all
    select batch_id, at, is_holding, 'prepared', price, fee_rate, fee_step, 'unsent', 0, size from bought o
    where status = 'pending' and not exists (select from attempts a where a.order_id = o.id)
  ), pending as (
    select *, ceil(size * price / 1e6) + fee_step * ceil(size * fee_rate * price * (1e6 - price) / (1e18 * fee_step)) as usd from taking
  ), wanted as (
    select batch_id, account, day, sum(usd) as amount from (
      select batch_id, at || case status when 'open' then 'resting' else 'reserved' end as account, '' as day, usd from pending
      union all select batch_id, at || 'placed', day, usd + spent from pending where day is not null
      union all select batch_id, at || 'exposed', '', usd from pending where is_holding
      union all select batch_id, at || 'exposed', '', ceil((filled_cost + fee)::numeric * left_size / filled_size)
        from bought where is_holding and left_size > 0 and may_pay and batch_id in (
          select batch_id from bought where may_pay and left_size >= 10000 and left_size * 20 > filled_size)
    ) each group by 1, 2, 3 having sum(usd) <> 0
  )
  select
    (select coalesce(json_agg(s), '[]') from (
      select account, unit, sum(amount) as amount from lines group by 1, 2 having sum(amount) <> 0 order by 1, 2) s) as sums,
    (select coalesce(json_agg(s), '[]') from (
      select account, unit, sum(amount) as amount from kept group by 1, 2 having sum(amount) <> 0 order by 1, 2) s) as kept,
    (select coalesce(json_agg(s), '[]') from (
      select account, unit, amount from lines where kind = 'opening' and account <> 'outside') s) as opening,
    exists (select 1 from ledger_checks) as "isOpened",
    (select coalesce(json_agg(id), '[]') from (
      select id from lines group by id, unit having sum(amount) <> 0) s) as unbalanced,
    (select coalesce(json_agg(trade_id), '[]') from fills where in_ledger is distinct from 'simulated' and in_ledger is distinct from
      case settlement when 'confirmed' then 'settled' when 'failed' then 'undone' else 'matched' end) as behind,
    (select coalesce(json_agg(message), '[]') from notifications where notification_type in ('ledger_difference', 'fee_difference')) as reported,
    (select coalesce(json_agg(json_build_object('id', b.id, 'isDue', b.results_due, 'actualProfit', b.actual_profit,
        'cash', s.cash, 'ledgerFees', s.fees, 'result', to_jsonb(r),
        'putAside', case when exists (select from bought o where o.batch_id = b.id and o.may_pay and o.left_size * 20 > o.filled_size)
          then (select coalesce(sum(o.filled_cost), 0)::float8 from batch_orders o where o.batch_id = b.id and o.side = 'sell'
            and o.submission_purpose = 'redeem') else 0 end,
        'dated', (select coalesce(sum(d.paid), 0)::float8 from cash_days d where d.batch_id = b.id)) order by b.id), '[]')
      from batches b left join batch_results r on r.batch_id = b.id, lateral (
        select coalesce(sum(amount) filter (where unit = 'usd' and split_part(account, '@', 1) in ('cash', 'receivable')), 0)::float8 as cash,
          coalesce(sum(amount) filter (where split_part(account, '@', 1) = 'fees'), 0)::float8 as fees
        from lines where batch_id = b.id) s
      where not b.simulated) as results,
    (select coalesce(json_agg(s), '[]') from (
      select batch_id as batch, account, day, w.amount::float8 as sum, r.amount::float8 as kept
      from wanted w full join (select * from reserved_entries where amount <> 0 and account not like '%@practice') r
        using (batch_id, account, day)
      where w.amount is distinct from r.amount
      union all
      select null, account, day, sum(e.folded)::float8, max(b.amount)::float8
      from reserved_entries e full join reserved_balances b using (account, day)
      group by account, day having coalesce(sum(e.folded), 0) <> coalesce(max(b.amount), 0)
      union all
      select id, 'unreserved', '', null, null from batches where not reserved
      union all
      select batch_id, 'unreserved', '', null, null from attempts where not reserved) s) as misreserved`;

export async function readLedger(database: Pick<SharedDatabase, 'query'>): Promise<StoredLedger> {
  const [row] = await database.query<StoredLedger>(READ_LEDGER);
  if (row === undefined) throw new Error('one row was asked for');
  return row;
}

/** All that the account has, of markets too that the venue does not list. */
export function holdingsOf({ engine }: OpenExchange, { tokens }: Truth): ReadonlyMap<string, number> {
  return new Map([...tokens, ...engine.balances.holdings(engine.register.firstAccount()?.address ?? '')]);
}

export type AccountHistory = {
  /** The account begins without shares. */
  startingCash: StartingCash;
  holdings: ReadonlyMap<string, number>;
  chain: Pick<ChainTruth, 'payouts' | 'nameless' | 'transactions'>;
  strangers: Strangers;
};

export function checkLedgerAtRest(
  ledger: StoredLedger,
  truth: Truth,
  { startingCash, holdings, chain, strangers }: AccountHistory,
): void {
  const { payouts, nameless, transactions } = chain;
  const { sums, kept, opening, isOpened, unbalanced, behind, reported, results, misreserved } = ledger;
  for (const result of results) addsUp(result);
  must(unbalanced.length === 0, 'L1', () => `entries ${unbalanced.join()} do not balance`);
  must(JSON.stringify(sums) === JSON.stringify(kept), 'L1', () => `${inWords(sums)} are kept as ${inWords(kept)}`);
  must(
    misreserved.length === 0,
    'limit',
    () => `reserved entries are not what rows add up to: ${JSON.stringify(misreserved)}`,
  );
  must(behind.length === 0, 'L1', () => `trades ${behind.join()} are not in the ledger as they were reported`);
  const due = sums.filter(({ account }) => account.startsWith('receivable'));
  must(due.length === 0, 'L1', () => `${inWords(due)} is still receivable`);
  const theirs = truth.trades.filter(({ hash, status }) => strangers.has(hash) && status !== 'failed');
  const opened = new Map(opening.map((line) => [heldAs(line), line.amount]));
  const held = new Map(sums.filter(isHeld).map((line) => [heldAs(line), line.amount]));
  for (const [venue, began] of startingCash) {
    const name = cashOfVenue(venue);
    const traded = sum(
      theirs.filter(({ hash }) => venueOf(hash) === venue),
      cashOf,
    );
    const moved = (held.get(name) ?? 0) - (opened.get(name) ?? 0);
    const wanted = (truth.cashAt.get(venue) ?? 0) - began - traded;
    must(
      moved === wanted,
      'L1',
      () => `the ledger has moved ${moved} of the dollars at ${venue}, the account ${wanted}`,
    );
  }
  const units = new Set([...holdings.keys(), ...[...held.keys()].filter((name) => !isCash(name))]);
  units.delete('pol');
  for (const unit of units) {
    const has = holdings.get(unit) ?? 0;
    const moved = (held.get(unit) ?? 0) - (opened.get(unit) ?? 0);
    const wanted = has - sum(theirs, (trade) => sharesOf(trade, unit));
    // What has lost goes along with what is redeemed, and the ledger hears of it by the next comparisons.
    const isGone = payouts.get(unit) === 0 && moved > wanted;
    const isUnnamed = nameless.has(unit) && moved === 0 && has === handedOut(transactions, unit);
    must(
      moved === wanted || isGone || isUnnamed,
      'L1',
      () => `the ledger has moved ${moved} of ${unit}, the account ${wanted}`,
    );
  }
  if (!isOpened || strangers.size > 0) return;
  for (const [venue, began] of startingCash) {
    const has = opened.get(cashOfVenue(venue)) ?? 0;
    must(has === began, 'L1', () => `the ledger opens with ${inWords(opening)}, the account at ${venue} with ${began}`);
  }
  must(reported.length === 0, 'L1', () => `there was no difference, and is notified: ${reported.join(' ')}`);
}

/** What the report says of a batch is what the ledger has of it. */
function addsUp({ id, isDue, actualProfit, cash, ledgerFees, putAside, result, dated }: StoredResult): void {
  must(result !== null && !isDue, 'report', () => `the report has not taken up batch ${id}`);
  if (result === null) return;
  const { paid, received, fees, paid_profit, locked_profit, at_risk } = result;
  const uncounted = cash - (received - paid - fees);
  must(
    uncounted === 0 || (uncounted > 0 && uncounted <= putAside),
    'report',
    () => `batch ${id}: ${received} - ${paid} - ${fees}, the ledger ${cash}`,
  );
  must(fees === ledgerFees, 'report', () => `batch ${id}: the report has fees of ${fees}, the ledger ${ledgerFees}`);
  must(dated === paid_profit, 'report', () => `batch ${id}: ${paid_profit} is paid, its days have ${dated}`);
  const profit = paid_profit + locked_profit - at_risk;
  must(
    profit === (actualProfit ?? 0),
    'report',
    () => `batch ${id}: the report has a profit of ${profit}, it ${actualProfit}`,
  );
}

/** By all that the chain has carried out for the account. */
function handedOut(transactions: ChainTruth['transactions'], unit: string): number {
  const done = transactions.filter(({ status, isSuccess }) => status === 'mined' && isSuccess);
  return sum(done, ({ changes }) => changes.get(unit) ?? 0);
}

/** The account of the dollars at a venue; the first venue has no name in it. */
function cashOfVenue(venue: VenueName): string {
  return venue === 'polymarket' ? 'cash' : `cash@${venue}`;
}

function isCash(account: string): boolean {
  return account.startsWith('cash');
}

function isHeld({ account }: Sum): boolean {
  return isCash(account) || account === 'shares';
}

/** Dollars by the account that they are in, shares by their token. */
function heldAs({ account, unit }: Sum): string {
  return isCash(account) ? account : unit;
}

function sharesOf({ side, size, tokenId }: Truth['trades'][number], unit: string): number {
  if (tokenId !== unit) return 0;
  return side === 'buy' ? size : -size;
}

function inWords(sums: readonly Sum[]): string {
  return sums.map(({ account, unit, amount }) => `${account} ${amount} ${unit}`).join(', ') || 'nothing';
}
