/** What screens show and ask for where more than one venue is configured. */
import { readSystemStatus, type SystemStatus } from '@dutchbook/contract/status.ts';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';
import type { Wire } from '../testing/server.ts';

type VenueStatus = NonNullable<SystemStatus['venues']>[number];

const at = (venue: VenueStatus['venue'], changes: Partial<VenueStatus> = {}): VenueStatus => ({
  ...{ venue, armed: true, armed_changed: null, arming_refusal: null, feed: 'live', ...changes },
});

function statusOf(venues: VenueStatus[]): Wire<typeof readSystemStatus> {
  const armed = venues.some((each) => each.armed);
  return { ...recorded(readSystemStatus), armed, venues: venues as never };
}

beforeEach(() => {
  server.answer(readSystemStatus, statusOf([at('polymarket'), at('kalshi')]));
});

const banner = () => page.getByRole('banner');

test('the top bar has a light for the prices of each venue', async () => {
  server.answer(readSystemStatus, statusOf([at('polymarket'), at('kalshi', { feed: 'down' })]));
  await open('/batches');
  await expect.element(banner().getByText('Polymarket: Live', { exact: true })).toBeVisible();
  await expect.element(banner().getByText('Kalshi: Feed down', { exact: true })).toBeVisible();
  await expectAccessible('a top bar of two venues');
});
