import type { ExitRoute, HeldEvent, Holding } from '@dutchbook/contract/portfolio.ts';
import { balancesOf, type EventHolding, payoutRange } from '@dutchbook/engine/exit/event-holding.ts';
import { type HeldToken, heldByEvent, type HeldEvent as PlannedEvent } from '@dutchbook/engine/exit/held-by-event.ts';
import { type ExitConstraints, type ExitRoute as PlannedRoute, planExit } from '@dutchbook/engine/exit/plan-exit.ts';
import { worstResolution } from '@dutchbook/engine/opportunity/resolution.ts';
import { FRACTION_ONE } from '@dutchbook/units/fraction.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { VenueCatalogue } from '@dutchbook/venues/venue.ts';
import { sliced } from '../../platform/runtime/slices.ts';
import { type ConvertingChain, wholeHoldings } from '../../trading/chain-steps/event-holdings.ts';

/** The relayer's limits: submissions a day and calls a submission. It pays the gas, so a submission costs nothing. */
const CONSTRAINTS: ExitConstraints = {
  submissionsLeft: 100,
  callsPerSubmission: 40,
  submissionCost: USD_ZERO,
  leastConversion: USD_ZERO,
  heldValue: FRACTION_ONE,
};

/** Planning the exit of one event takes a few milliseconds. */
const EVENTS_PER_SLICE = 1;

/** `chain`: null where the venue does not convert shares into dollars. */
export type EventSources = { catalogue: Pick<VenueCatalogue, 'eventsById'>; chain: ConvertingChain | null };

/** `HeldEvent` without what its shares are worth. */
export type PresentedEvent = Omit<HeldEvent, 'locked_usd' | 'loose_usd'>;

/** A token that is ours, with all of its shares, and those of them that can be sold or converted now. */
export type OwnToken = HeldToken & { free: Shares };

/**
 * Presents every event of the holdings with what it pays and its exit routes, in the order of the holdings. `titles` by event: of
 * one of which no market is known, it is all that is known. Throws VenueUnavailable.
 */
export async function presentEvents(
  { catalogue, chain }: EventSources,
  holdings: readonly Holding[],
  own: readonly OwnToken[],
  titles: ReadonlyMap<string, string>,
): Promise<PresentedEvent[]> {
  const whole = chain === null ? new Map() : await wholeHoldings({ catalogue, chain }, own, 'display');
  const freeOf = new Map(own.map(({ tokenId, free }) => [tokenId, free]));
  const known = new Map(
    heldByEvent(own).map((event) => [event.id, { ...event, holding: whole.get(event.id) ?? event.holding }]),
  );
  const slices = sliced(EVENTS_PER_SLICE);
  const presented: PresentedEvent[] = [];
  for (const [id, held] of Map.groupBy(holdings, ({ event_id }) => event_id)) {
    await slices.spend(1);
    presented.push(presentEvent(id, held, known.get(id) ?? titles.get(id), freeOf));
  }
  return presented;
}

function presentEvent(
  id: string,
  held: readonly Holding[],
  event: PlannedEvent | string | undefined,
  freeOf: ReadonlyMap<string, Shares>,
): PresentedEvent {
  const resolution = worstResolution(held);
  if (event === undefined || typeof event === 'string') {
    const { market_name: title = id, locked_until = null } = held[0] ?? {};
    return { event_id: id, title: event ?? title, locked_until, resolution, ...UNKNOWN };
  }
  const pays = payoutRange(event.holding, balancesOf(event.holding));
  const { sell, cashNow, hold, best } = planExit(withShares(event.holding, freeOf), CONSTRAINTS);
  return {
    event_id: id,
    title: event.title,
    locked_until: event.lockedUntil,
    resolution,
    pays_least_usd: pays.least as Usd,
    pays_most_usd: pays.most as Usd,
    routes: {
      sell: presentRoute(sell),
      cash_now: presentRoute(cashNow),
      hold: presentRoute(hold),
      best: presentRoute(best),
    },
  };
}

const UNKNOWN = { pays_least_usd: null, pays_most_usd: null, routes: null };

function withShares(holding: EventHolding, sharesOf: ReadonlyMap<string, Shares>): EventHolding {
  const members = holding.members.map((member) => {
    const [yes, no] = member.tokens;
    const shares = ({ tokenId }: { tokenId: string }) => sharesOf.get(tokenId) ?? SHARES_ZERO;
    return {
      ...member,
      tokens: [
        { ...yes, shares: shares(yes) },
        { ...no, shares: shares(no) },
      ] as const,
    };
  });
  return { ...holding, members };
}

/** Maps a route that the engine planned to the fields of the API. */
export function presentRoute({ steps, net, atResolution, most }: PlannedRoute): ExitRoute {
  return {
    steps: steps.map(({ kind, marketIds, shares, limit, dollars, when, risk, why }) => ({
      kind,
      market_ids: marketIds,
      shares,
      limit_price: limit,
      usd: dollars,
      usable: when,
      risk,
      why,
    })),
    net_usd: net,
    held_least_usd: atResolution,
    held_most_usd: most,
  };
}
