/** A way out as people and loops read it: what is done, what it brings, when, and what can go wrong. */
import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { CalledOffPays } from '../market/market.ts';
import type { Carried } from './carry-out.ts';
import type { ConversionCall } from './conversion.ts';
import type { EventHolding } from './event-holding.ts';

/** When the dollars can be used. */
export type UsableWhen = 'after_settlement' | 'after_confirmation' | 'at_resolution';
/** `price`: of the bids. `chain`: of the contracts. `time`: none but waiting. `outcome`: of how the event ends. */
export type ExitRisk = 'price' | 'chain' | 'time' | 'outcome';

/**
 * `dollars`: after fees, before gas; of `hold` what it pays at least. `changes`: tokens in (positive) and out, in
 * millionths. `limit`: of a sale, null otherwise.
 */
export type ExitStep = {
  kind: 'sell' | 'hold' | ConversionCall['kind'];
  marketIds: MarketId[];
  shares: Shares;
  limit: Price | null;
  dollars: Usd;
  changes: { tokenId: TokenId; micro: number }[];
  when: UsableWhen;
  risk: ExitRisk;
  why: string;
};

const WHY: Record<ExitRisk, string> = {
  price: 'The bids may move before the order arrives: what they do not take stays.',
  chain: 'A submission can fail or be late: the shares stay until it is confirmed.',
  time: 'It pays the same however the event ends, once that has resolved.',
  outcome: 'What it pays depends on how the event ends.',
};

/** In the order in which they are done; what is left over is held. */
export function stepsOf({ members }: EventHolding, { calls, sales, left, least, most }: Carried): ExitStep[] {
  const marketOf = (token: number) => members[Math.floor(token / 2)]?.market.id ?? '';
  const tokenOf = (token: number) => members[Math.floor(token / 2)]?.tokens[token % 2 === 0 ? 0 : 1].tokenId ?? '';
  const converted = calls.map(
    ({ call, effect }): ExitStep => ({
      kind: call.kind,
      marketIds: (call.kind === 'horizontal_merge' ? members : call.members.map((place) => members[place])).flatMap(
        (member) => (member === undefined ? [] : [member.market.id]),
      ),
      shares: call.micro as Shares,
      limit: null,
      dollars: effect.dollars as Usd,
      changes: effect.changes.map(([token, micro]) => ({ tokenId: tokenOf(token), micro })),
      ...outlook('after_confirmation', 'chain'),
    }),
  );
  const sold = sales.map(
    ({ token, shares, limit, proceeds, fee }): ExitStep => ({
      kind: 'sell',
      marketIds: [marketOf(token)],
      shares,
      limit,
      dollars: (proceeds - fee) as Usd,
      changes: [{ tokenId: tokenOf(token), micro: -shares }],
      ...outlook('after_settlement', 'price'),
    }),
  );
  const kept = left.flatMap((micro, token) => (micro > 0 ? [{ micro, token }] : []));
  if (kept.length === 0) return [...converted, ...sold];
  const marketIds = [...new Set(kept.map(({ token }) => marketOf(token)))];
  const { why, ...pays } = outlook('at_resolution', least === most ? 'time' : 'outcome');
  const held: ExitStep = {
    kind: 'hold',
    marketIds,
    shares: kept.reduce((sum, { micro }) => sum + micro, 0) as Shares,
    limit: null,
    dollars: least as Usd,
    changes: [],
    ...pays,
    why: [why, ...voidWords(marketIds, members)].join(' '),
  };
  return [...converted, ...sold, held];
}

/** Says what the held shares pay if the venue calls a market off. */
function voidWords(marketIds: readonly MarketId[], members: EventHolding['members']): string[] {
  const held = members.map(({ market }) => market).filter(({ id }) => marketIds.includes(id));
  const words = held.map(({ calledOffPays }) => (calledOffPays === undefined ? null : CALLED_OFF[calledOffPays]));
  return [...new Set(words)].filter((word) => word !== null);
}

const CALLED_OFF: Readonly<Record<CalledOffPays, string | null>> = {
  half: 'A market that is voided pays half a dollar a share instead.',
  price_of_venue: 'A market that is called off pays a price that its venue sets instead, often the last one traded.',
  as_promised: null,
};

function outlook(when: UsableWhen, risk: ExitRisk): Pick<ExitStep, 'when' | 'risk' | 'why'> {
  return { when, risk, why: WHY[risk] };
}
