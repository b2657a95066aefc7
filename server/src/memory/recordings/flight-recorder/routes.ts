/** The flight recorder: what the books of a batch, an opportunity or a relation were at instants of the past, read from recordings. */
import * as contract from '@dutchbook/contract/flight-recorder.ts';
import { readPricesBefore } from '@dutchbook/contract/valuation.ts';
import type { Quotes } from '../../../market/markets/live-quotes.ts';
import type { SystemSettings } from '../../../people/system-settings/watched-settings.ts';
import type { App } from '../../../platform/http/app.ts';
import { Invalid } from '../../../platform/http/errors.ts';
import { route } from '../../../platform/http/route.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import type { Recordings } from '../recordings.ts';
import { batchMoments } from './batch-moments.ts';
import type { Span } from './collect.ts';
import { opportunityMoments } from './opportunity-moments.ts';
import { pricesBefore } from './prices-before.ts';
import { openReadSlots } from './read-slots.ts';
import { relationMoments } from './relation-moments.ts';

export type FlightRecorderParts = {
  runtime: Pick<Runtime, 'dbFor' | 'clock'>;
  recordings: Pick<Recordings, 'venue' | 'folder' | 'isOn' | 'recordedUntil'>;
  quotes: Pick<Quotes, 'current'>;
  settings: SystemSettings;
};

export function registerFlightRecorder(
  app: App,
  { runtime, recordings, settings, ...books }: FlightRecorderParts,
): void {
  const takeSlot = openReadSlots();
  const past = { db: runtime.dbFor.lists, recordings, ...books };

  route(app, contract.readOpportunityMoments, ({ params, query, user, reply }) => {
    const span = checked(query);
    return takeSlot({ userId: user.id, reply }, (signal) =>
      opportunityMoments(past, params.opportunity_id, span, signal),
    );
  });

  route(app, readPricesBefore, ({ params, user, reply }) =>
    takeSlot({ userId: user.id, reply }, (signal) =>
      pricesBefore({ ...past, settings: settings.current(), clock: runtime.clock }, params.opportunity_id, signal),
    ),
  );

  route(app, contract.readRelationMoments, ({ params, query, user, reply }) => {
    const span = checked(query);
    return takeSlot({ userId: user.id, reply }, (signal) => relationMoments(past, params.relation_id, span, signal));
  });

  route(app, contract.readBatchMoments, ({ params, query, user, reply }) =>
    takeSlot({ userId: user.id, reply }, (signal) =>
      batchMoments(
        { runtime: { ...runtime, db: runtime.dbFor.lists }, ...recordings },
        { batchId: params.batch_id, from: query.from },
        signal,
      ),
    ),
  );
}

/** The span, where it is valid. @throws Invalid where it ends before it begins or is longer than ten minutes */
function checked({ from, until }: Span): Span {
  const isSpan = until >= from && until - from <= contract.MOMENTS_SPAN_MAX_MS;
  if (isSpan) return { from, until };
  throw new Invalid(['query', 'until'], 'Input should be ten minutes after from at most, and not before it');
}
