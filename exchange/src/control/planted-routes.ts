import { microToText } from '@dutchbook/units/micro.ts';
import { ONE_SHARE, sharesToText } from '@dutchbook/units/shares.ts';
import type { Planted, PlantedEvent, PlantedWindow } from '../planted/planted.ts';

/** The truth about every planted event whose set is, or looks, cheaper than what it pays. */
export function plantedTruth(planted: Planted | undefined): object[] {
  return (planted?.all ?? []).filter(({ drawn }) => !drawn.isFair).map(reported);
}

function reported({ drawn, events, markets, windows }: PlantedEvent): object {
  const { yes, no, payout } = drawn.set;
  const last = windows.at(-1);
  const outcomeOf = (place: number, outcome: 0 | 1) => markets[place]?.listing.outcomes[outcome];
  return {
    event_id: events[0]?.id,
    event_ids: events.map(({ id }) => id),
    kind: drawn.kind,
    basis: drawn.basis,
    market_ids: [...yes, ...no].map((place) => markets[place]?.listing.conditionId),
    outcomes: [...yes.map((place) => outcomeOf(place, 0)), ...no.map((place) => outcomeOf(place, 1))],
    direction: drawn.direction,
    payout_usd: microToText(payout),
    is_decoy: drawn.trap !== null,
    trap: drawn.trap,
    is_void_prone: drawn.isVoidProne,
    ...(last === undefined ? {} : figures(last)),
    windows: windows.map((window) => ({ from_ms: window.fromMs, until_ms: window.untilMs, ...figures(window) })),
  };
}

function figures({ edge, size }: PlantedWindow) {
  return {
    edge_usd: microToText(edge),
    size: sharesToText(size),
    profit_usd: microToText(Math.round((edge * size) / ONE_SHARE)),
  };
}
