/** The desk of one account for tests that do not open it at a venue. */
import { scriptedControls } from '../trading-controls/controls.fixture.ts';
import { type Desks, desksOf, type VenueDesk } from './desks.ts';

/** Armed, without limits and without cash, but for what is given. */
export function oneDesk(given: Partial<VenueDesk> = {}): Desks {
  return desksOf([
    {
      name: 'polymarket',
      trading: null,
      chain: null,
      moves: null,
      openUserStream: () => ({ connected: () => true, close: async () => {} }),
      account: { reading: () => null, refresh: async () => null, stop: () => {} },
      controls: scriptedControls(),
      soundness: () => ({ clockSkewMs: null }),
      ...given,
    },
  ]);
}
