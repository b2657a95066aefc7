/** Entries as a ledger has them, and random histories of an account that trades three markets of one event. */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { LedgerKind } from '@dutchbook/units/ledger-kinds.ts';
import { balanced, type LedgerLine, USD_UNIT } from './entry.ts';
import type { LotEntry } from './lots.ts';
import { standingOf } from './standing.ts';

const SECOND_MS = 1000;
const START = Date.UTC(2026, 0, 1);

/** `trade`: by what all entries of one trade are known; null of one that is entered once. */
type Given = Partial<Pick<LotEntry, 'at' | 'call' | 'worthless'> & { trade: string | null }>;
type Added = Omit<LotEntry, 'stands'> & { trade: string | null };
type History = (LotEntry & Pick<Added, 'trade'>)[];

/** Numbers its entries, a second after the other unless said. */
export function openHistory() {
  const entries: Added[] = [];
  const add = (kind: LedgerKind, lines: LedgerLine[], given: Given = {}): void => {
    const id = entries.length + 1;
    const at = (START + id * SECOND_MS) as Instant;
    entries.push({ id, at, kind, lines: balanced(lines), call: null, worthless: [], trade: null, ...given });
  };
  const history = (): History => {
    const trades = Map.groupBy(
      entries.filter(({ trade }) => trade !== null),
      ({ trade }) => trade,
    );
    const standing = new Map([...trades.values()].flatMap((ofTrade) => [...standingOf(ofTrade)]));
    return entries.map((entry) => ({ ...entry, stands: standing.get(entry.id) ?? entry.lines }));
  };
  return { add, history };
}

/** All in millionths. `shares`: negative of a sale. `dollars`: before the fee, negative of a buy. */
export function traded(token: string, shares: number, dollars: number, fee: number, to: 'receivable' | 'held') {
  const [cash, held] = to === 'held' ? (['cash', 'shares'] as const) : (['receivable', 'receivable'] as const);
  return lines(
    [cash, USD_UNIT, dollars - fee],
    ['traded', USD_UNIT, -dollars],
    ['fees', USD_UNIT, fee],
    [held, token, shares],
    ['traded', token, -shares],
  );
}

export function fromReceivable(token: string, shares: number, dollars: number): LedgerLine[] {
  return lines(
    ['receivable', USD_UNIT, -dollars],
    ['cash', USD_UNIT, dollars],
    ['receivable', token, -shares],
    ['shares', token, shares],
  );
}

/** Of calls, which cost no fee. */
export function converted(token: string, shares: number, dollars: number): LedgerLine[] {
  return traded(token, shares, dollars, 0, 'held');
}

export function stated(account: 'cash' | 'shares', unit: string, amount: number): LedgerLine[] {
  return lines([account, unit, amount], ['outside', unit, -amount]);
}

function lines(...terms: [LedgerLine['account'], string, number][]): LedgerLine[] {
  return terms.map(([account, unit, amount]) => ({ account, unit, amount }));
}

const MARKETS = [0, 1, 2];
const SIDES = ['yes', 'no'] as const;
const tokenOf = (market: number, side: string) => `${side}-${market}`;
const TOKENS = MARKETS.flatMap((market) => SIDES.map((side) => tokenOf(market, side)));

type Account = ReturnType<typeof openAccount>;

/** `closes`: everything that is held is sold or redeemed in the end, and nothing comes or goes in shares from outside. */
export function randomHistory(seed: number, closes: boolean): History {
  const account = openAccount(seeded(seed));
  const { history, upTo, due, redeem } = account;
  const moves = movesOf(account, closes);
  for (let left = 10 + upTo(60); left > 0; left -= 1) moves[upTo(moves.length) - 1]?.();
  if (!closes) return history();
  while (due.length > 0) due.shift()?.();
  for (const token of TOKENS) redeem(token);
  return history();
}

function openAccount(random: () => number) {
  const { add, history } = openHistory();
  const held = new Map<string, number>();
  const due: (() => void)[] = [];
  let calls = 0;
  let trades = 0;
  const upTo = (most: number) => 1 + Math.floor(random() * most);
  const chance = (of: number) => random() < of;
  const of = (token: string) => held.get(token) ?? 0;
  const gone = new Map<string, number>();
  const goneOf = (token: string) => gone.get(token) ?? 0;
  const hold = (token: string, shares: number) => {
    held.set(token, of(token) + shares);
    if (shares < 0) gone.set(token, goneOf(token) + 1);
  };
  const fill = (token: string, shares: number, dollars: number, fee: number) => {
    const net = dollars - fee;
    const fate = random();
    trades += 1;
    const of = { trade: `trade ${trades}` };
    if (fate < 0.1) {
      add('matched', traded(token, shares, dollars, fee, 'receivable'), of);
      const isSettled = chance(0.3);
      if (isSettled) add('settled', fromReceivable(token, shares, net), of);
      due.push(() => add('undone', traded(token, -shares, -dollars, -fee, isSettled ? 'held' : 'receivable'), of));
      // Shares that a sale leaves may go another way: it is not confirmed after all.
      if (shares < 0 || chance(0.7)) return;
      due.push(() => {
        add('settled', traded(token, shares, dollars, fee, 'held'), of);
        hold(token, shares);
      });
      return;
    }
    hold(token, shares);
    if (fate < 0.3) {
      add('settled', traded(token, shares, dollars, fee, 'held'), of);
      return;
    }
    add('matched', traded(token, shares, dollars, fee, 'receivable'), of);
    const before = goneOf(token);
    // Shares that were not there cannot have gone since.
    const mayBeLess = () => before === goneOf(token);
    if (fate < 0.4) due.push(() => correct({ token, shares: mayBeLess() ? shares : 0, dollars }, of));
    else due.push(() => add('settled', fromReceivable(token, shares, net), of));
  };
  /** It was less, where so much is still there, or was paid otherwise. */
  const correct = (was: { token: string; shares: number; dollars: number }, trade: { trade: string }) => {
    const { token, shares } = was;
    const less = Math.max(0, Math.min(held.get(token) ?? 0, Math.floor(shares * random())));
    const dollars = Math.floor((was.dollars / 2) * random());
    add('correction', traded(token, -less, -dollars, 0, 'receivable'), trade);
    hold(token, -less);
  };
  const call = (kind: LedgerKind, moved: readonly { token: string; shares: number; dollars: number }[]) => {
    calls += 1;
    const ofCall = { id: `call ${calls}`, entries: moved.length };
    for (const { token, shares, dollars } of moved) {
      add(kind, converted(token, shares, dollars), { call: ofCall });
      hold(token, shares);
    }
  };
  const redeem = (token: string) => {
    const value = [1, 0.5, 0][upTo(3) - 1] ?? 0;
    const shares = of(token);
    if (shares <= 0) return;
    hold(token, -shares);
    if (value > 0) add('redeem', converted(token, -shares, Math.floor(shares * value)));
    else add('gas', stated('cash', 'pol', -upTo(1000)), { worthless: [token] });
  };
  const anyToken = () => TOKENS[upTo(TOKENS.length) - 1] ?? '';
  return { history, add, of, hold, upTo, chance, fill, call, redeem, anyToken, due, random };
}

function movesOf(account: Account, closes: boolean): (() => void)[] {
  const { add, of, hold, upTo, chance, fill, call, redeem, anyToken, due, random } = account;
  return [
    () => {
      const token = anyToken();
      for (let fills = upTo(3); fills > 0; fills -= 1)
        fill(token, upTo(50_000_000), -upTo(40_000_000), chance(0.5) ? upTo(90_000) : 0);
    },
    () => {
      const token = anyToken();
      if (of(token) > 0) fill(token, -upTo(of(token)), upTo(30_000_000), chance(0.5) ? upTo(90_000) : 0);
    },
    () => {
      const size = upTo(20_000_000);
      const tokens = chance(0.5)
        ? SIDES.map((side) => tokenOf(0, side))
        : MARKETS.map((market) => tokenOf(market, 'yes'));
      const costs = parts(random, size, tokens.length);
      call(
        'split',
        tokens.map((token, place) => ({ token, shares: size, dollars: -(costs[place] ?? 0) })),
      );
    },
    () => {
      const tokens = SIDES.map((side) => tokenOf(upTo(3) - 1, side));
      const size = Math.min(...tokens.map(of));
      if (size <= 0) return;
      const dollars = parts(random, size, tokens.length);
      call(
        'merge',
        tokens.map((token, place) => ({ token, shares: -size, dollars: dollars[place] ?? 0 })),
      );
    },
    () => {
      const inputs = MARKETS.slice(0, upTo(3)).map((market) => tokenOf(market, 'no'));
      const size = Math.min(...inputs.map(of));
      if (size <= 0) return;
      const dollars = parts(random, size * (inputs.length - 1), inputs.length);
      const outputs = MARKETS.slice(inputs.length).map((market) => tokenOf(market, 'yes'));
      call('convert', [
        ...inputs.map((token, place) => ({ token, shares: -size, dollars: dollars[place] ?? 0 })),
        ...outputs.map((token) => ({ token, shares: size, dollars: 0 })),
      ]);
    },
    () => redeem(anyToken()),
    () => add('deposit', stated('cash', USD_UNIT, upTo(1_000_000_000))),
    () => due.splice(0, upTo(3)).forEach((event) => void event()),
    () => {
      if (closes) return;
      const token = anyToken();
      const shares = chance(0.5) ? upTo(5_000_000) : -Math.min(Math.max(0, of(token)), upTo(5_000_000));
      if (shares === 0) return;
      add('correction', stated('shares', token, shares));
      hold(token, shares);
    },
  ];
}

/** Parts of a whole that add up to it. */
function parts(random: () => number, whole: number, count: number): number[] {
  let rest = whole;
  return Array.from({ length: count }, (_, place) => {
    const part = place === count - 1 ? rest : Math.floor(rest * random());
    rest -= part;
    return part;
  });
}

/** Mulberry32. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
