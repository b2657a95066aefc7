/** Which calls and sales bring most together, in fractions of shares: a linear program over calls, bids and what is kept. */
import { MICRO } from '@dutchbook/units/micro.ts';
import { ONE_SHARE } from '@dutchbook/units/shares.ts';
import { takerFee } from '../opportunity/fee.ts';
import { type ConversionCall, conversionsOf, effectOf, mostOf, pairsOfLines } from './conversion.ts';
import { balancesOf, type EventHolding, worldsOfHolding } from './event-holding.ts';
import { type Column, maximise } from './linear-program.ts';

/** `sales`: at most so many millionths of each token. `calls` are in an order in which each has what it takes. */
export type Mix = { calls: ConversionCall[]; sales: number[] };

/** Bids beyond these are left to what is kept. */
const LEVELS_MAX = 8;

type Role = { column: Column; call: Omit<ConversionCall, 'micro'> | 'total' | { convert: number } | { sell: number } };

/** `heldValue`: what a dollar that is paid for certain, once all has resolved, is worth now: from 0 to 1. */
export function bestMix(
  holding: EventHolding,
  { mayConvert, heldValue }: { mayConvert: boolean; heldValue: number },
): Mix {
  const limits = balancesOf(holding).map((micro) => micro / MICRO);
  const worlds = worldsOfHolding(holding);
  const floors = worlds.map(({ members, outcomes }) =>
    outcomes.map((outcome) => {
      const tokens = members.map((member, nth) => 2 * member + (outcome[nth] === true ? 0 : 1));
      return {
        tokens: new Set(tokens),
        row: limits.push(tokens.reduce((sum, token) => sum + (limits[token] ?? 0), 0)) - 1,
      };
    }),
  );
  const rowsOf = new Map<number, number[]>();
  for (const { tokens, row } of floors.flat())
    for (const token of tokens) rowsOf.set(token, [...(rowsOf.get(token) ?? []), row]);
  // Shares that leave a token are not paid in the worlds in which it wins.
  const taking = (token: number, amount: number): [number, number][] => [
    [token, amount],
    ...(rowsOf.get(token) ?? []).map((row): [number, number] => [row, amount]),
  ];
  const roles: Role[] = [
    ...(mayConvert ? conversionRoles(holding, taking, limits) : []),
    ...salesOf(holding, taking, limits),
  ];
  const kept = floors.map((rows): Column => ({ value: heldValue, uses: rows.map(({ row }) => [row, 1] as const) }));
  const amounts = maximise([...roles.map(({ column }) => column), ...kept], limits);
  return mixOf(holding, roles, amounts);
}

type Taking = (token: number, amount: number) => [number, number][];

function conversionRoles(holding: EventHolding, taking: Taking, limits: number[]): Role[] {
  const { structure, members } = holding;
  const calls: Omit<ConversionCall, 'micro'>[] = members.map((_, member) => ({ kind: 'merge', members: [member] }));
  if (structure.kind === 'whole_event') {
    calls.push({ kind: 'horizontal_merge', members: [] });
    for (const [member] of members.entries()) calls.push({ kind: 'convert', members: [member] });
  }
  if (structure.kind === 'thresholds') {
    for (const pair of pairsOfLines(structure.lines)) calls.push({ kind: 'directional_merge', members: pair });
  }
  const simple = calls.map((call): Role => {
    const { dollars, changes } = effectOf(holding, { ...call, micro: MICRO });
    const uses = changes.flatMap(([token, micro]) => taking(token, -micro / MICRO));
    return { call, column: { value: dollars / MICRO, uses } };
  });
  return structure.kind === 'negative_risk' && structure.feeBips !== null
    ? [...simple, ...conversions(holding, structure.feeBips, taking, limits)]
    : simple;
}

/**
 * Conversions of any sets of members at once: of `total` shares, in which each member takes part with no more than that,
 * and all together with no less.
 */
function conversions({ members }: EventHolding, feeBips: number, taking: Taking, limits: number[]): Role[] {
  const given = 1 - feeBips / 10_000;
  const covered = limits.push(0) - 1;
  const within = members.map(() => limits.push(0) - 1);
  const total: Role = {
    call: 'total',
    column: {
      value: -given,
      uses: [
        ...members.flatMap((_, member) => taking(2 * member, -given)),
        [covered, 1],
        ...within.map((row): [number, number] => [row, -1]),
      ],
    },
  };
  const parts = members.map(
    (_, member): Role => ({
      call: { convert: member },
      column: {
        value: given,
        uses: [...taking(2 * member + 1, 1), ...taking(2 * member, given), [covered, -1], [within[member] ?? 0, 1]],
      },
    }),
  );
  return [total, ...parts];
}

function salesOf({ members }: EventHolding, taking: Taking, limits: number[]): Role[] {
  return members.flatMap(({ market, tokens }, member) =>
    tokens.flatMap(({ bids }, side) => {
      const schedule = market.feeSchedule;
      if (schedule === null || market.closed || !market.acceptingOrders) return [];
      return (bids ?? []).slice(0, LEVELS_MAX).map(({ price, size }): Role => {
        const token = 2 * member + side;
        const value = Math.max(0, price - takerFee(ONE_SHARE, price, schedule)) / MICRO;
        const row = limits.push(size / MICRO) - 1;
        return { call: { sell: token }, column: { value, uses: [...taking(token, 1), [row, 1]] } };
      });
    }),
  );
}

/** In whole millionths that the balances allow; an amount that all but takes everything takes everything. */
function mixOf(holding: EventHolding, roles: readonly Role[], amounts: readonly number[]): Mix {
  const balances = balancesOf(holding);
  const converted = holding.members.map(() => 0);
  const sales = balances.map(() => 0);
  const planned: ConversionCall[] = [];
  let total = 0;
  for (const [at, { call }] of roles.entries()) {
    const micro = Math.round((amounts[at] ?? 0) * MICRO);
    if (call === 'total') total = micro;
    else if ('convert' in call) converted[call.convert] = Math.min(micro, balances[2 * call.convert + 1] ?? 0);
    else if ('sell' in call) sales[call.sell] = (sales[call.sell] ?? 0) + micro;
    else if (micro > 0) planned.push({ ...call, micro });
  }
  const first = [...conversionsOf(converted, total), ...planned.filter(({ kind }) => kind === 'convert')];
  const calls: ConversionCall[] = [];
  // Lines hand out ranges, and conversions hand out what merges take.
  const order = ['directional_merge', 'merge', 'horizontal_merge'];
  const rest = planned
    .filter(({ kind }) => kind !== 'convert')
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  for (const call of [...first, ...rest]) {
    const most = mostOf(holding, call, balances);
    const micro = most - call.micro <= NEARLY ? most : call.micro;
    if (micro <= 0) continue;
    calls.push({ ...call, micro });
    for (const [token, change] of effectOf(holding, { ...call, micro }).changes)
      balances[token] = (balances[token] ?? 0) + change;
  }
  return {
    calls,
    sales: sales.map((micro, token) => ((balances[token] ?? 0) - micro <= NEARLY ? (balances[token] ?? 0) : micro)),
  };
}

/** Millionths that rounding may have lost on the way. */
const NEARLY = 40;
