import type { ChainStep, ChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { callWords, isCurrent, shortHash, submissionWords, submittedWords } from './chain-words.ts';

const call = (kind: ChainStep['kind'], ...market_names: string[]) => ({
  kind,
  market_names,
  shares: sharesFromNumber(12.5),
});

it.each([
  [call('merge', 'Will it rain?'), 'Merge pairs of 12.50 sh of Will it rain?'],
  [call('horizontal_merge', 'a', 'b', 'c'), 'Merge the whole event with 12.50 sh in 3 markets'],
  [call('redeem', 'Will it rain?'), 'Redeem 12.50 sh of Will it rain?'],
  [
    { ...call('approve'), contract: `0x${'a'.repeat(40)}`, holder: `0x${'b'.repeat(40)}`, is_allowed: false },
    'Forbid 0xaaaa…aaaa to move what 0xbbbb…bbbb keeps',
  ],
])('says a call in full', (step, words) => {
  expect(callWords(step)).toBe(words);
});

it('names what the venue has done by itself after the venue', () => {
  const words = (purpose: ChainSubmission['purpose'], by_venue = true) =>
    submissionWords({ purpose, by_venue, venue: 'kalshi' });
  expect([words('redeem'), words('cash_now'), words('close'), words('redeem', false)]).toEqual([
    'Paid by Kalshi',
    'Cash Now by Kalshi',
    'End of the Run',
    'Redeem',
  ]);
  expect(callWords(call('redeem', 'Will it rain?'), true)).toBe('For 12.50 sh of Will it rain?');
});

it('shortens only what is long', () => {
  expect(shortHash('0x1234567890')).toBe('0x1234567890');
  expect(shortHash('0x12345678901')).toBe('0x1234…8901');
});

it('says what was planned, of how many submissions, and what they wait for', () => {
  const one = (usd: number, status: ChainSubmission['status'] = 'planned') =>
    ({ purpose: 'cash_now', status, expected_usd: usdFromNumber(usd) }) as const;
  expect(submittedWords([one(12)])).toBe('Cash Now: 1 submission planned for $12.00.');
  expect(submittedWords([one(12), one(1.5, 'approving')])).toBe(
    'Cash Now: 2 submissions planned for $13.50, waiting for an approval.',
  );
  expect(submittedWords([])).toBe('Nothing was left to convert into dollars.');
});

it('is current until some minutes after it has ended', () => {
  const ended_at = instantFromMs(1_000_000);
  expect(isCurrent({ ended_at: null }, 9_000_000)).toBe(true);
  expect(isCurrent({ ended_at }, 1_299_999)).toBe(true);
  expect(isCurrent({ ended_at }, 1_300_000)).toBe(false);
});
