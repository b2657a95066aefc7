/** What is recorded of the books. */

import { readMe } from '@dutchbook/contract/current-user.ts';
import { exportRecordings, readRecordingsStatus } from '@dutchbook/contract/recordings.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { expectCells, figureIn } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';
import { refusal, type Wire } from '../testing/server.ts';

const STATUS: Wire<typeof readRecordingsStatus> = {
  state: 'recording',
  tokens: 212,
  since: '2026-11-21T22:10:00.000Z',
  oldest: '2026-11-20T09:00:00.000Z',
  files: 14,
  bytes: 61_200_000,
  bytes_per_hour: 2_950_000,
  hours: [
    { hour: '2026-11-21T22:00:00.000Z', bytes: 1_530_000 },
    { hour: '2026-11-21T21:00:00.000Z', bytes: 2_880_000 },
  ],
  holes: [{ from: '2026-11-21T21:58:02.000Z', until: '2026-11-21T22:10:00.000Z', reason: 'not running' }],
  hole_count: 1,
  max_bytes: 2_000_000_000,
  days: 7,
};

const answerWith = (given: Partial<typeof STATUS>) => server.answer(readRecordingsStatus, { ...STATUS, ...given });

beforeEach(() => {
  answerWith({});
});

test('says what is recorded, how much of it, how fast it grows, and where it has holes', async () => {
  await open('/admin/recordings');
  const kept = page.getByRole('region', { name: 'Kept' });
  await expect.poll(() => figureIn(kept, 'Tokens Recorded')).toMatch(/^212since /);
  await expect.poll(() => figureIn(kept, 'On Disk')).toMatch(/^61.2 MBin 14 filesfrom Nov 20, .* on$/);
  await expect.poll(() => figureIn(kept, 'An Hour')).toBe('2.95 MB70.8 MB a day at this pace');
  await expect
    .element(
      kept.getByText(/after 7 days .* more than 2 GB .* first those of hours in which nothing was traded or watched/),
    )
    .toBeVisible();
  await expectCells('Holes', 'Why', 'not running');
  await expectCells('Last hours', 'Size', '1.53 MB', '2.88 MB');
  await expectAccessible('the recordings');
});

test('takes what was recorded home as Parquet, of the tokens that are named, and says why not', async () => {
  const saved: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  server.answer(
    exportRecordings,
    new Response('PAR1', { headers: { 'content-type': 'application/vnd.apache.parquet' } }),
  );
  await open('/admin/recordings');
  await page.getByLabelText('Tokens').fill('12, 34');
  await page.getByRole('button', { name: 'Export as Parquet' }).click();
  await expect.poll(() => saved).toEqual([expect.stringMatching(/^recording_.*\.parquet$/)]);
  const [asked] = server.askedFor(exportRecordings);
  expect(asked?.query.token_ids).toBe('12,34');
  expect(Date.parse(asked?.query.until ?? '') - Date.parse(asked?.query.from ?? '')).toBe(3_600_000);
  click.mockRestore();

  server.answer(exportRecordings, refusal(429, 'Recordings are being exported already. Try again once that is done.'));
  await page.getByRole('button', { name: 'Export as Parquet' }).click();
  await expect.element(page.getByText(/Recordings are being exported already/)).toBeVisible();
  await page.getByLabelText('Span').selectOptions('custom');
  await page.getByLabelText('From').fill('2026-11-01T00:00:00');
  await page.getByLabelText('Until').fill('2026-11-02T00:00:01');
  const before = server.askedFor(exportRecordings).length;
  await page.getByRole('button', { name: 'Export as Parquet' }).click();
  await expect.element(page.getByText('At most 24 hours')).toBeVisible();
  expect(server.askedFor(exportRecordings)).toHaveLength(before);
});

test('says that nothing is recorded now, and why', async () => {
  const holes = [{ from: '2026-11-21T22:31:00.000Z', until: null, reason: 'the disk is nearly full' }];
  answerWith({ state: 'interrupted', tokens: 0, since: null, holes });
  await open('/admin/recordings');
  await expect.element(page.getByText('Nothing is recorded now: the disk is nearly full.')).toBeVisible();
  await expectCells('Holes', 'Until', 'Now');
});

test('has nothing to show before anything was recorded, and where that is off', async () => {
  answerWith({
    ...{ state: 'off', tokens: 0, since: null, oldest: null, files: 0, bytes: 0, bytes_per_hour: null },
    ...{ hours: [], holes: [], hole_count: 0 },
  });
  await open('/admin/recordings');
  await expect.element(page.getByText('Nothing is recorded: RECORDING is off.')).toBeVisible();
  await expect.element(page.getByText('known after a minute')).toBeVisible();
  const whole = page.getByRole('region', { name: 'Holes' });
  await expect.element(whole).toMatchTextContent('No holes: everything that was followed');
  expect(whole.element().getBoundingClientRect().height).toBeLessThan(120);
});

test('is a link away for superusers, and nothing for others', async () => {
  const { address } = await open('/admin');
  await page.getByRole('link', { name: 'Recordings' }).click();
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Recordings');
  await expect.poll(address).toBe('/admin/recordings');
  const before = server.askedFor(readRecordingsStatus).length;
  server.answer(readMe, { ...recorded(readMe), is_superuser: false });
  const other = await open('/admin/recordings');
  await expect.poll(other.address).toBe('/');
  expect(server.askedFor(readRecordingsStatus)).toHaveLength(before);
});
