/** The venues by name, as calls name them. */
import { VENUE_NAMES, type VenueName } from '@dutchbook/units/ids.ts';
import * as z from 'zod/mini';
import { explained } from './notes/described.ts';

/** What each is called on screens and in messages. */
export const VENUE_LABELS: Readonly<Record<VenueName, string>> = { polymarket: 'Polymarket', kalshi: 'Kalshi' };

export const venueName = explained(
  { polymarket: 'the account at Polymarket', kalshi: 'the account at Kalshi' },
  z.enum(VENUE_NAMES),
);
