import { whyNoId } from '@dutchbook/units/ids.ts';
import * as z from 'zod/mini';

/** What an id of a venue may be made of; how long it may be, and whether it may be empty, stands where it is asked for. */
export const isVenueId = z.refine<string>((text) => text === '' || whyNoId(text) === null, {
  error: ({ input }) => `Input ${whyNoId(String(input))}`,
});
