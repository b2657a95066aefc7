import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** The standing badge: which venue, and whether orders can leave. */
const venueMode = z.enum(['simulated', 'polymarket_read_only', 'polymarket_live']);
export type VenueMode = z.output<typeof venueMode>;

export const VENUE_MODE_LABEL: Record<VenueMode, string> = {
  simulated: 'Simulated exchange',
  polymarket_read_only: 'Polymarket (read only)',
  polymarket_live: 'Polymarket (live)',
};

/** What the top bar shows of the running system. */
export const systemStatus = z.object({
  venue: venueMode,
  armed: z.boolean(),
  feed: z.enum(['live', 'degraded', 'down', 'polled']),
  unknown_orders: z.int(),
});
export type SystemStatus = z.output<typeof systemStatus>;

export const readSystemStatus = endpoint({
  method: 'GET',
  path: '/system/status',
  access: 'user',
  tag: 'System',
  summary: 'Venue, mode and feed',
  reply: systemStatus,
});

export const healthCheck = endpoint({
  method: 'GET',
  path: '/utils/health-check/',
  access: 'public',
  tag: 'System',
  summary: 'Whether the product answers',
  reply: z.literal(true),
});
