import type { ExitRoute, HeldEvent, Holding } from '@dutchbook/contract/portfolio.ts';
import { type HeldToken, heldByEvent, type HeldEvent as PlannedEvent } from '@dutchbook/engine/exit/held-by-event.ts';
import { type ExitConstraints, type ExitRoute as PlannedRoute, planExit } from '@dutchbook/engine/exit/plan-exit.ts';
import { worstResolution } from '@dutchbook/engine/opportunity/resolution.ts';
import { FRACTION_ONE } from '@dutchbook/units/fraction.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
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

/**
 * Presents every event of the holdings with its exit routes, in the order of the holdings. `free`: the tokens that can be
 * sold or converted now. `titles` by event: of one of which nothing can leave yet, it is all that is known. Throws VenueUnavailable.
 */
export async function presentEvents(
  { catalogue, chain }: EventSources,
  holdings: readonly Holding[],
  free: readonly HeldToken[],
  titles: ReadonlyMap<string, string>,
): Promise<HeldEvent[]> {
  const whole = chain === null ? new Map() : await wholeHoldings({ catalogue, chain }, free, 'display');
  const planned = new Map(
    heldByEvent(free).map((event) => [event.id, { ...event, holding: whole.get(event.id) ?? event.holding }]),
  );
  const slices = sliced(EVENTS_PER_SLICE);
  const presented: HeldEvent[] = [];
  for (const [id, held] of Map.groupBy(holdings, ({ event_id }) => event_id)) {
    await slices.spend(1);
    presented.push(presentEvent(id, held, planned.get(id) ?? titles.get(id)));
  }
  return presented;
}

function presentEvent(id: string, held: readonly Holding[], event: PlannedEvent | string | undefined): HeldEvent {
  const resolution = worstResolution(held);
  if (event === undefined || typeof event === 'string') {
    const { market_name: title = id, locked_until = null } = held[0] ?? {};
    return { event_id: id, title: event ?? title, locked_until, resolution, routes: null };
  }
  const { sell, cashNow, hold, best } = planExit(event.holding, CONSTRAINTS);
  return {
    event_id: id,
    title: event.title,
    locked_until: event.lockedUntil,
    resolution,
    routes: {
      sell: presentRoute(sell),
      cash_now: presentRoute(cashNow),
      hold: presentRoute(hold),
      best: presentRoute(best),
    },
  };
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
