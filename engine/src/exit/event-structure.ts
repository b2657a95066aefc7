/** Reads from the venue's event which conversions its contract allows between the members. */
import { PRICE_ONE, PRICE_ZERO } from '@dutchbook/units/price.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import type { Market } from '../market/market.ts';
import type { CatalogueEvent, EventMember } from '../relation/catalogue-event.ts';
import type { EventHolding, ExitMember, ExitStructure, ExitToken } from './event-holding.ts';
import type { HeldToken } from './held-by-event.ts';

/**
 * Every member of an event whose contract converts its members into one another, with what is held of it; null where it does not, or
 * where not all of them are known: then each market stands by itself. `feeBips`: as an `ExitStructure` has them.
 */
export function wholeHolding(
  event: CatalogueEvent,
  held: readonly HeldToken[],
  feeBips: number | null,
): EventHolding | null {
  if (!event.isWhole) return null;
  const { structure, places } = event.nested === 'enforced' ? linesOf(event) : membersOf(event, feeBips);
  const members = places.flatMap((member) => memberOf(member, held) ?? []);
  const isAllHeldThere = held.every(({ tokenId }) =>
    members.some(({ tokens }) => tokens.some((token) => token.tokenId === tokenId)),
  );
  return structure === null || members.length < places.length || !isAllHeldThere ? null : { structure, members };
}

type Placed = { structure: ExitStructure | null; places: EventMember[] };

function membersOf(event: CatalogueEvent, feeBips: number | null): Placed {
  const places = event.members.toSorted((a, b) => (a.memberIndex ?? 0) - (b.memberIndex ?? 0));
  return { structure: event.exclusive === 'enforced' ? structureOf(event, feeBips) : null, places };
}

/** Strikes that a contract enforces are counts of its ranges. What pays where the event is voided is neither line nor range. */
function linesOf({ members }: CatalogueEvent): Placed {
  const counted = members.filter(({ memberIndex }) => memberIndex !== null);
  const placed = (kind: 'above' | 'between') =>
    counted
      .flatMap((member) => (member.strike?.kind === kind ? [{ member, from: member.strike.floor }] : []))
      .sort((a, b) => a.from - b.from);
  const [above, ranges] = [placed('above'), placed('between')];
  const lines = above.map(({ from }) => from);
  const isAll =
    ranges.length === counted[0]?.arity &&
    ranges.every(({ from }, range) => from === range) &&
    lines.every((line) => line < ranges.length);
  return {
    structure: isAll ? { kind: 'thresholds', lines } : null,
    places: [...above, ...ranges].map(({ member }) => member),
  };
}

function structureOf({ members, augmented }: CatalogueEvent, feeBips: number | null): ExitStructure | null {
  const arity = members[0]?.arity ?? null;
  if (arity === null) return { kind: 'negative_risk', feeBips, isComplete: !augmented };
  // Behind the members that have a name comes the one that stands for all others.
  const counted = new Set(members.map(({ memberIndex }) => memberIndex));
  const isWhole = Array.from({ length: arity + 1 }, (_, index) => index).every((index) => counted.has(index));
  return isWhole && members.length === arity + 1 ? { kind: 'whole_event' } : null;
}

function memberOf(event: EventMember, held: readonly HeldToken[]): ExitMember | null {
  const [yes, no] = event.tokenIds.map((tokenId): ExitToken => {
    const token = held.find((each) => each.tokenId === tokenId);
    return { tokenId, shares: token?.shares ?? SHARES_ZERO, bids: token?.bids ?? null };
  });
  if (yes === undefined || no === undefined) return null;
  const market = held.find((each) => each.market.id === event.marketId)?.market ?? untradedMarket(event);
  const value = event.resolvedValue;
  const isDecided = value === PRICE_ONE || value === PRICE_ZERO;
  return { market, tokens: [yes, no], ...(isDecided ? { hasComeTrue: value === PRICE_ONE } : {}) };
}

/** Nothing is held of it: it is not sold, and only its tokens count. */
function untradedMarket({ marketId, question, outcomes, tokenIds, endDate, feeSchedule }: EventMember): Market {
  return {
    id: marketId,
    question,
    event: null,
    outcomes: outcomes.map((outcome, place) => ({ outcome, tokenId: tokenIds[place] ?? '' })),
    negRisk: true,
    settledBy: '',
    endDate,
    closed: true,
    acceptingOrders: false,
    resolution: null,
    tick: 10_000 as Market['tick'],
    minOrderSize: SHARES_ZERO,
    minImmediateBuy: USD_ZERO,
    immediateBuyStep: 1 as Market['immediateBuyStep'],
    sizeStep: 10_000 as Market['sizeStep'],
    saleAmountStep: 1 as Market['saleAmountStep'],
    feeSchedule,
    makerFeeSchedule: null,
    feeChange: null,
    pocket: '',
    netsOutcomes: false,
  };
}
