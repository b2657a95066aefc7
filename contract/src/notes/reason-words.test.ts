import { expect, it } from 'vitest';
import { reasonWords } from './reason-words.ts';

it('gives a reason the figures of the dearest', () => {
  expect(reasonWords('A leg is short of # shares', 'A leg is short of 4 shares. Trading is disarmed.')).toBe(
    'A leg is short of 4 shares',
  );
});

it('says that trading was disarmed then, as it need not be any more', () => {
  expect(reasonWords('Trading is disarmed', null)).toBe('Trading was disarmed');
  expect(reasonWords('Leg # is short. Trading is disarmed.', null)).toBe('Leg # is short. Trading was disarmed.');
});
