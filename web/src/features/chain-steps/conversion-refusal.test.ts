import { expect, it } from 'vitest';
import { conversionRefusal, DISARMED } from './conversion-refusal.ts';

const shown = (steps: number, ...errors: string[]) => ({
  asked: undefined,
  simulation: { steps: Array.from({ length: steps }, () => ({})), errors },
});

it('carries out just what is shown without an error', () => {
  expect(conversionRefusal(shown(1), false)).toBeUndefined();
});

it.each([
  ['disarmed, whatever is shown', shown(1), true, DISARMED],
  ['not worked out yet', undefined, false, 'Working out what this would do.'],
  ['with errors', shown(1, 'The chain is behind.'), false, 'Nothing is sent while there are errors.'],
  ['without a step', shown(0), false, 'Nothing of it can be converted into dollars now.'],
  ['failed', { asked: undefined, error: new Error('away') }, false, /^It is not known what this would do/],
] as const)('refuses what is %s', (_, plan, isDisarmed, said) => {
  expect(conversionRefusal(plan, isDisarmed)).toMatch(said);
});
