import type { Simulated } from '../../calls/use-simulation.ts';

/** Why nothing is converted into dollars while the kill switch is pulled. */
export const DISARMED = 'Off while trading is disarmed.';

type Plan = { steps: readonly unknown[]; errors: readonly string[] };

/** Why what is shown cannot be carried out; `undefined` where nothing stands in its way. */
export function conversionRefusal(
  shown: Simulated<unknown, Plan> | undefined,
  isDisarmed: boolean,
): string | undefined {
  if (isDisarmed) return DISARMED;
  if (shown === undefined) return 'Working out what this would do.';
  if ('error' in shown) return 'It is not known what this would do. It is worked out again in a moment.';
  const { steps, errors } = shown.simulation;
  if (errors.length > 0) return 'Nothing is sent while there are errors.';
  return steps.length === 0 ? 'Nothing of it can be converted into dollars now.' : undefined;
}
