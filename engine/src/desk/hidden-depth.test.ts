import { expect, it } from 'vitest';
import { ALLOWANCE, takeHidden } from './hidden-depth.fixture.ts';

const WINDOWS = 400;

it('takes most of what is there and never has more at risk than the allowance, where part of the depth is not there', () => {
  const { share, worstAtRisk } = takeHidden(WINDOWS);
  expect(worstAtRisk).toBeLessThanOrEqual(ALLOWANCE / 1e6 + 1e-9);
  expect(share).toBeGreaterThanOrEqual(0.6);
});
