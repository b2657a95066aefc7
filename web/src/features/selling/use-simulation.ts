import { useMutation } from '@tanstack/react-query';
import { useCallback, useState } from 'react';

/** The last answer, whatever was asked: it stays on screen until the next one has come. */
export type Simulated<Asked, Simulation> = { asked: Asked } & ({ simulation: Simulation } | { error: Error });

/**
 * Asks what a sale would bring. `simulate` may be called again at any time; the last answer counts. Without `failure`, no
 * toast tells of one.
 */
export function useSimulation<Asked, Simulation>(ask: (asked: Asked) => Promise<Simulation>, failure?: string) {
  const [shown, setShown] = useState<Simulated<Asked, Simulation>>();
  const { mutate, isPending } = useMutation({
    mutationFn: ask,
    meta: { changesNothing: true, ...(failure === undefined ? { quiet: true } : { failure }) },
  });
  const simulate = useCallback(
    (asked: Asked) =>
      mutate(asked, {
        onSuccess: (simulation) => setShown({ asked, simulation }),
        onError: (error) => setShown({ asked, error }),
      }),
    [mutate],
  );
  return { shown, isPending, simulate };
}
