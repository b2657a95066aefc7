import { describe, expect, it } from 'vitest';
import { errorOf, presentError } from './attempt-wording.ts';

type Attempt = Parameters<typeof errorOf>[0];

const plain: Attempt = { status: 'open', reason: null, unknownReason: null };
const moved = "A set's price moved.";

describe('what an order shows', () => {
  it.each<[string, Partial<Attempt>, string | null, string | null]>([
    ['nothing where nothing went wrong', {}, null, null],
    ['that the price had moved', {}, moved, `[PRICE_CHANGED_SUCCESS] ${moved}`],
    ['no error while its outcome is unknown', { status: 'unknown', unknownReason: 'timed out' }, null, null],
    ['the moved price while the answer is awaited', { status: 'sent' }, moved, `[PRICE_CHANGED_SUCCESS] ${moved}`],
    [
      'that it stands, although its outcome was unknown',
      { unknownReason: 'timed out' },
      moved,
      '[SUCCESS] It stands, and its outcome was unknown. Outcome unknown, asking: timed out',
    ],
    ['why it was rejected', { status: 'rejected', reason: 'no balance' }, moved, 'no balance'],
    [
      'why a simulated one is short',
      { status: 'canceled', reason: 'The book held no more' },
      null,
      'The book held no more',
    ],
    [
      'that it never arrived, and why that was unknown',
      { status: 'failed', reason: 'It never reached the venue.', unknownReason: 'timed out' },
      null,
      'It never reached the venue. Outcome unknown, asking: timed out',
    ],
  ])('is %s', (_what, changes, warning, shown) => {
    expect(presentError(errorOf({ ...plain, ...changes }, warning))).toBe(shown);
  });
});
