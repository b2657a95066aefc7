import type { FeeSchedule, Market, MarketEvent, ResolutionStatus } from '@dutchbook/engine/market/market.ts';
import { FRACTION_ZERO, fractionFromNumber } from '@dutchbook/units/fraction.ts';
import type { EventId } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromIso } from '@dutchbook/units/instant.ts';
import { PRICE_ONE, type Price, tickFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { type ChainId, exchangeContract } from './contracts.ts';
import { conditionId } from './gamma.ts';
import {
  FEE_STEP,
  IMMEDIATE_BUY_STEP,
  MAKER_FEE,
  MIN_IMMEDIATE_BUY,
  POCKET,
  SALE_AMOUNT_STEP,
  SIZE_STEP,
} from './steps.ts';
import { type GammaEvent, type GammaMarket, gammaMarket, isOwnId, resolvedValue, stringList } from './wire.ts';

/** The version in the domain that orders for a market are signed under: 2 for CTF tokens, 3 for Protocol V2 positions. */
export type OrderVersion = 2 | 3;

/** A market as the catalogue keeps it: ours, and what signing needs besides. */
export type ListedMarket = {
  market: Market;
  orderVersion: OrderVersion;
  eventId: EventId | null;
  /** Dollars traded so far; 0 where the venue does not say. */
  volume: number;
};

/** A market that cannot be traded by us, and why; `question` is empty where not even that could be read. */
export type SkippedMarket = { id: string; question: string; closed: boolean; reason: string };

/** Reads one market of Gamma. What we cannot trade safely (not two outcomes, an unknown version) is skipped. */
export function readGammaMarket(raw: unknown, chainId: ChainId): ListedMarket | SkippedMarket {
  const parsed = gammaMarket.safeParse(raw);
  if (!parsed.success) {
    return skipped(raw, `field ${parsed.error.issues[0]?.path.join('.') ?? '?'} is not as documented`);
  }
  const wire = parsed.data;
  const version = orderVersion(wire);
  if (version === null) return skipped(raw, unknownVersion(wire));
  try {
    const eventId = wire.events?.[0]?.id ?? null;
    return { market: marketOf(wire, version, chainId), orderVersion: version, eventId, volume: wire.volumeNum ?? 0 };
  } catch (error) {
    return skipped(raw, error instanceof Error ? error.message : String(error));
  }
}

function skipped(raw: unknown, reason: string): SkippedMarket {
  const { question, closed } = (raw ?? {}) as { question?: unknown; closed?: unknown };
  return {
    id: conditionId(raw),
    question: typeof question === 'string' ? question : '',
    closed: closed === true,
    reason,
  };
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

function orderVersion(wire: GammaMarket): OrderVersion | null {
  if (wire.version === 'v1') return 2;
  if (wire.version === 'v2') return 3;
  return !wire.version && hasFirstGenerationIds(wire) ? 2 : null;
}

/** A condition of Protocol V2 has 31 bytes, which some answers fill up with a zero byte. */
const CONDITION_OF_32_BYTES = /^0x[0-9a-f]{62}(?!00)[0-9a-f]{2}$/i;

/** Old records lack the version. Only ids that no market of Protocol V2 can have prove that it is the first. */
function hasFirstGenerationIds({ conditionId: id, clobTokenIds, positionIds }: GammaMarket): boolean {
  return CONDITION_OF_32_BYTES.test(id) && Boolean(clobTokenIds) && (positionIds ?? []).length === 0;
}

function unknownVersion({ version }: GammaMarket): string {
  if (version) return `version ${version} is not known`;
  return 'the venue does not say which version it is, and its ids do not prove it';
}

function marketOf(wire: GammaMarket, version: OrderVersion, chainId: ChainId): Market {
  const names = stringList.parse(JSON.parse(wire.outcomes));
  const tokenIds = version === 2 ? stringList.parse(JSON.parse(wire.clobTokenIds ?? '[]')) : (wire.positionIds ?? []);
  if (!tokenIds.every(isOwnId)) throw new Error('its tokens are not called as tokens of this venue are');
  const [first, second] = names;
  const [firstToken, secondToken] = tokenIds;
  if (names.length !== 2 || tokenIds.length !== 2 || !first || !second || !firstToken || !secondToken) {
    throw new Error(`${names.length} outcomes and ${tokenIds.length} tokens, not two of each`);
  }
  const paid = resolvedValue(wire);
  const [firstPays, secondPays] =
    paid === null ? [{}, {}] : [{ resolvedValue: paid }, { resolvedValue: (PRICE_ONE - paid) as Price }];
  return {
    id: wire.conditionId,
    question: wire.question,
    event: null,
    outcomes: [
      { outcome: first, tokenId: firstToken, ...firstPays },
      { outcome: second, tokenId: secondToken, ...secondPays },
    ],
    negRisk: wire.negRisk === true,
    settledBy: exchangeContract({ version, negRisk: wire.negRisk === true, chainId }),
    endDate: endDate(wire.endDate),
    closed: wire.closed,
    acceptingOrders: wire.acceptingOrders === true,
    resolution: resolutionStatus(wire),
    tick: tickFromNumber(Number(wire.orderPriceMinTickSize)),
    tickBands: [],
    minOrderSize: sharesFromNumber(Number(wire.orderMinSize)),
    minImmediateBuy: MIN_IMMEDIATE_BUY,
    immediateBuyStep: IMMEDIATE_BUY_STEP,
    sizeStep: SIZE_STEP,
    saleAmountStep: SALE_AMOUNT_STEP,
    feeSchedule: feeSchedule(wire),
    makerFeeSchedule: MAKER_FEE,
    feeChange: null,
    pocket: POCKET,
    netsOutcomes: false,
    calledOffPays: wire.negRisk === true ? 'as_promised' : 'half',
    ...(wire.feeType ? { feeCategory: wire.feeType } : {}),
  };
}

/** Unknown is null, never zero; a fee of another shape than `rate x p (1-p)` is unknown as well. */
function feeSchedule(wire: GammaMarket): FeeSchedule | null {
  if (wire.feesEnabled === false) return { rate: FRACTION_ZERO, step: FEE_STEP };
  const schedule = wire.feeSchedule;
  if (!schedule || (schedule.exponent !== undefined && schedule.exponent !== 1)) return null;
  return schedule.rate >= 0 && schedule.rate <= 1 ? { rate: fractionFromNumber(schedule.rate), step: FEE_STEP } : null;
}

/**
 * The last of the oracle's words. The venue has more of them than it documents: whatever is said of a market that is not resolved
 * is at least a proposal.
 */
function resolutionStatus({
  umaResolutionStatus,
  umaResolutionStatuses,
  closed,
}: GammaMarket): ResolutionStatus | null {
  const word = (umaResolutionStatus || lastWord(umaResolutionStatuses)).trim().toLowerCase();
  if (word === '' || (closed && /^(resolved|settled)/.test(word))) return null;
  return /disput|challeng/.test(word) ? 'disputed' : 'proposed';
}

/** The last word of a list in JSON text; empty without one. */
function lastWord(list: string | null | undefined): string {
  try {
    return stringList.parse(JSON.parse(list || '[]')).at(-1) ?? '';
  } catch {
    return '';
  }
}

function endDate(text: string | null | undefined): Instant | null {
  return text ? instantFromIso(text) : null;
}
