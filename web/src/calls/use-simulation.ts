import { useMutation } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { waitAskedMs } from './api-error.ts';
import { toastFailure } from './toast-failure.tsx';

/**
 * The last answer, whatever was asked: it stays on screen until the next one has come. `late`: the next one was asked for,
 * and the server wants that done later.
 */
export type Simulated<Asked, Simulation> = { asked: Asked } & (
  | { simulation: Simulation; late?: Error }
  | { error: Error }
);

/** When what is shown may be asked for again, where the server has said so. */
export function waitFor(shown: Simulated<unknown, unknown> | undefined): number {
  return waitAskedMs(shown !== undefined && 'simulation' in shown ? shown.late : shown?.error);
}

/**
 * Asks what a sale would bring. `simulate` may be called again at any time; the last answer counts. `follow` asks for the
 * same again by itself: what is shown stays where the server wants that done later. Without `failure`, no toast tells of one.
 */
export function useSimulation<Asked, Simulation>(ask: (asked: Asked) => Promise<Simulation>, failure?: string) {
  const [shown, setShown] = useState<Simulated<Asked, Simulation>>();
  const [isFollowing, setFollowing] = useState(false);
  const { mutate, isPending } = useMutation({ mutationFn: ask, meta: { changesNothing: true, quiet: true } });
  const askFor = useCallback(
    (asked: Asked, follows: boolean) => {
      setFollowing(follows);
      mutate(asked, {
        onSuccess: (simulation) => setShown({ asked, simulation }),
        onError: (error) => {
          const isLate = follows && waitAskedMs(error) > 0;
          if (!follows && failure !== undefined) toastFailure(error, { what: failure });
          setShown((before) =>
            isLate && before !== undefined && 'simulation' in before ? { ...before, late: error } : { asked, error },
          );
        },
      });
    },
    [mutate, failure],
  );
  const simulate = useCallback((asked: Asked) => askFor(asked, false), [askFor]);
  const follow = useCallback((asked: Asked) => askFor(asked, true), [askFor]);
  /** `isAwaited`: the user asked, and waits for the answer. */
  return { shown, isPending, isAwaited: isPending && !isFollowing, simulate, follow };
}
