import type { Market, MarketEvent } from '@dutchbook/engine/market/market.ts';
import { FRACTION_ZERO, type Fraction, fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { type Instant, instantFromIso } from '@dutchbook/units/instant.ts';
import { tickFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { conditionId } from './gamma.ts';
import { type GammaEvent, type GammaMarket, gammaMarket, stringList } from './wire.ts';

/** The version in the domain that orders for a market are signed under: 2 for CTF tokens, 3 for Protocol V2 positions. */
export type OrderVersion = 2 | 3;

/** A market as the catalogue keeps it: ours, and what signing needs besides. */
export type ListedMarket = { market: Market; orderVersion: OrderVersion; eventId: string | null };

/** A market that cannot be traded by us, and why. */
export type SkippedMarket = { id: string; reason: string };

/** Reads one market of Gamma. What we cannot trade safely (not two outcomes, an unknown version) is skipped. */
export function readGammaMarket(raw: unknown): ListedMarket | SkippedMarket {
  const parsed = gammaMarket.safeParse(raw);
  if (!parsed.success)
    return {
      id: conditionId(raw),
      reason: `field ${parsed.error.issues[0]?.path.join('.') ?? '?'} is not as documented`,
    };
  const wire = parsed.data;
  const version = orderVersion(wire.version);
  if (version === null) return { id: wire.conditionId, reason: `version ${String(wire.version)} is not known` };
  try {
    return { market: marketOf(wire, version), orderVersion: version, eventId: wire.events?.[0]?.id ?? null };
  } catch (error) {
    return { id: wire.conditionId, reason: error instanceof Error ? error.message : String(error) };
  }
}

/** An event's part of a market. `marketIds` are those of all its markets, tradable or not. */
export function marketEvent(event: GammaEvent): MarketEvent {
  return {
    id: event.id,
    title: event.title,
    negRisk: event.enableNegRisk === true || event.negRisk === true,
    augmented: event.negRiskAugmented === true,
    marketIds: (event.markets ?? []).map(conditionId).filter((id) => id !== ''),
  };
}

function orderVersion(version: string | null | undefined): OrderVersion | null {
  if (version === 'v1') return 2;
  return version === 'v2' ? 3 : null;
}

function marketOf(wire: GammaMarket, version: OrderVersion): Market {
  const names = stringList.parse(JSON.parse(wire.outcomes));
  const tokenIds = version === 2 ? stringList.parse(JSON.parse(wire.clobTokenIds ?? '[]')) : (wire.positionIds ?? []);
  const [first, second] = names;
  const [firstToken, secondToken] = tokenIds;
  if (names.length !== 2 || tokenIds.length !== 2 || !first || !second || !firstToken || !secondToken) {
    throw new Error(`${names.length} outcomes and ${tokenIds.length} tokens, not two of each`);
  }
  return {
    id: wire.conditionId,
    question: wire.question,
    event: null,
    outcomes: [
      { outcome: first, tokenId: firstToken },
      { outcome: second, tokenId: secondToken },
    ],
    negRisk: wire.negRisk === true,
    endDate: endDate(wire.endDate),
    closed: wire.closed,
    acceptingOrders: wire.acceptingOrders === true,
    tick: tickFromNumber(Number(wire.orderPriceMinTickSize)),
    minOrderSize: sharesFromNumber(Number(wire.orderMinSize)),
    feeRate: feeRate(wire),
  };
}

/** Unknown is null, never zero; a fee of another shape than `rate x p (1-p)` is unknown as well. */
function feeRate(wire: GammaMarket): Fraction | null {
  if (wire.feesEnabled === false) return FRACTION_ZERO;
  const schedule = wire.feeSchedule;
  if (!schedule || (schedule.exponent !== undefined && schedule.exponent !== 1)) return null;
  return schedule.rate >= 0 && schedule.rate <= 1 ? fractionFromNumber(schedule.rate) : null;
}

function endDate(text: string | null | undefined): Instant | null {
  return text ? instantFromIso(text) : null;
}
