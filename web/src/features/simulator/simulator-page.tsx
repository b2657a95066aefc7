import { readSimulator } from '@dutchbook/contract/simulator.ts';
import { useQuery } from '@tanstack/react-query';
import { callQuery } from '../../calls/call-query.ts';
import { Loaded } from '../../calls/loaded.tsx';
import { ClockPanel } from './clock-panel.tsx';
import { FaultsPanel } from './faults-panel.tsx';
import { MarketPanel } from './market-panel.tsx';

const READ_EVERY_MS = 2_000;

/** What the simulated exchange lets a superuser do with it. */
export function SimulatorPage() {
  const read = useQuery(callQuery(['simulator'], readSimulator, {}, { refetchInterval: READ_EVERY_MS }));
  return (
    <Loaded of={read} text="Error loading the simulator" height={320}>
      {(state) => (
        <div className="stack">
          <ClockPanel now={state.now} aheadMs={state.ahead_ms} />
          <FaultsPanel names={state.fault_names} waiting={state.faults} />
          <MarketPanel />
        </div>
      )}
    </Loaded>
  );
}
