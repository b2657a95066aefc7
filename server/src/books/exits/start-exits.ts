import type { Partitions } from '../../platform/engines/partitions.ts';
import { startChainLoop } from '../../trading/chain-steps/chain-loop.ts';
import { openBatchPublisher } from '../../trading/execution/runner/publish-batch.ts';
import { startAutomaticExits } from './automatic.ts';
import type { ExitParts } from './exit-parts.ts';
import type { WatchedExitSettings } from './settings.ts';

/** Starts what carries out submissions to the chain, and what plans them by itself; nothing where the venue has no chain. */
export function startExits(
  parts: ExitParts & { partitions: Partitions },
  settings: Pick<WatchedExitSettings, 'current'>,
): () => Promise<void> {
  const { runtime, venue } = parts;
  const { chain, catalogue, trading } = venue;
  if (chain === null || trading === null || !runtime.config.roles.has('engine')) return async () => {};
  const publisher = openBatchPublisher(parts);
  const loop = startChainLoop({ ...parts, chain, trading, catalogue, publisher, owner: runtime.random.uuid() });
  const stopPlanning = startAutomaticExits({ ...parts, chain, catalogue, trading, settings });
  return async () => {
    stopPlanning();
    await loop.stop();
  };
}
