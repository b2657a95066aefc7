import type { PlantedEvent } from './match-windows.ts';

/** A planted event with these windows, in each of which 200 sets make 2.5 cents each. */
export function eventOf(
  windows: [fromMs: number, untilMs: number | null][],
  changed: Partial<PlantedEvent> = {},
): PlantedEvent {
  return {
    event_ids: ['cup'],
    kind: 'exactly_one',
    basis: 'enforced',
    is_decoy: false,
    windows: windows.map(([from, until]) => ({
      from_ms: from,
      until_ms: until,
      edge_usd: '0.025',
      size: '200',
      profit_usd: '5',
    })),
    ...changed,
  };
}
