import { readFunnel } from '@dutchbook/contract/report.ts';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectCells } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';

const region = (name: string) => page.getByRole('region', { name, exact: true });

/** The way to its setting is a superuser's. */
const SMALLER = /^Orders were smaller than what paid, bounded by the loss allowance of a clip/;

test('says what was missed with its figures, and of what less was bought than paid, with the way to what changes it', async () => {
  const reason = 'Shard # has $#, needs $#: move cash into it';
  const example = 'Shard 1 has $12.00, needs $34.50: move cash into it. Leg 2 is short of 4 shares.';
  const missed = [{ reached: 'triggered' as const, reason, example, count: 3, usd: 40 }];
  server.answer(readFunnel, {
    ...recorded(readFunnel),
    missed,
    smaller: [{ bounded_by: 'loss allowance', count: 6, usd: 207 }],
  });
  await open('/report?tab=missed');
  await expectCells('Missed money', 'Reason', SMALLER, /^Shard 1 has \$12\.00, needs \$34\.50: move cash into it/);
  await expectCells('Missed money', 'Dollars Missed', '$207.00', '$40.00');
  await expect
    .element(region('Missed Money').getByRole('link', { name: 'Most that a clip may lose' }))
    .toHaveAttribute('href', '/admin/system-settings#LOSS_ALLOWANCE_USD');
  // Its sum stands first, and nothing of the tab before it.
  await expect
    .element(page.getByRole('tabpanel', { name: 'Missed' }))
    .toMatchTextContent(/^Missed Money.*\$247\.00 paid and was not bought/);
  await expect
    .element(region('Missed Money').getByRole('link', { name: 'Move Cash' }))
    .toHaveAttribute('href', '/portfolio?cashTo=%221%22');
  expect(region('Missed Money').element().textContent).not.toContain('#');
});

test('has no row of nothing', async () => {
  const reason = 'Net # %, needs # %';
  const at = (reached: 'seen' | 'allowed', usd: number) => ({ reached, reason, example: null, count: 1, usd });
  const smaller = [
    { bounded_by: 'clips' as const, count: 4, usd: 13.34 },
    { bounded_by: 'margin' as const, count: 1, usd: 0.0049 },
  ];
  server.answer(readFunnel, { ...recorded(readFunnel), missed: [at('seen', 12.34), at('allowed', 0.002)], smaller });
  await open('/report?tab=missed');
  await expectCells('Missed money', 'Dollars Missed', '$13.34', '$12.34');
  await expectCells('Lost to size', 'Dollars Lost', '$13.34');
});
