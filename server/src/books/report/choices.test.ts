import type { listReportChoices } from '@dutchbook/contract/report.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { openReportSite } from './report.fixture.ts';
import { result } from './result.fixture.ts';
import { batchResults } from './table.ts';

type Choices = z.input<typeof listReportChoices.reply>;

it('offers events by their names, those that triggered last first, and sources by their batches', async () => {
  await using site = await openReportSite();
  const { db, clock, random } = site.test.runtime;
  const of = (minutesAgo: number, eventId: string, eventTitle: string, source: string | null) =>
    result(random.uuid(), (clock.now() - minutesAgo * 60_000) as Instant, { eventId, eventTitle, source });
  await db
    .insert(batchResults)
    .values([
      of(1, 'e1', '100% rain', 'desk'),
      of(5, 'e2', 'Mayor of Oriel', null),
      of(3, 'e3', 'Mayor of Corran', null),
      of(4, 'e3', 'Mayor of Corran', 'desk'),
      of(2, 'e3', 'Mayor of Corran', 'desk'),
    ]);
  const ask = async (query: string) => await site.ask<Choices>(`choices?${query}`);
  const idsOf = async (query: string) => (await ask(query)).events.map(({ id }) => id);
  expect(await ask('')).toEqual({
    events: [
      { id: 'e1', title: '100% rain', batches: 1 },
      { id: 'e3', title: 'Mayor of Corran', batches: 3 },
      { id: 'e2', title: 'Mayor of Oriel', batches: 1 },
    ],
    sources: [
      { source: 'desk', batches: 3 },
      { source: null, batches: 2 },
    ],
  });
  expect(await idsOf('search=mayor')).toEqual(['e3', 'e2']);
  expect(await idsOf('search=0%25')).toEqual(['e1']);
  expect(await idsOf('search=%25o%25')).toEqual([]);
  expect(await idsOf('search=rain&event_id=e2')).toEqual(['e2', 'e1']);
});
