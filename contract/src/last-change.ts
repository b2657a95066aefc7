import * as z from 'zod/mini';
import { described } from './notes/described.ts';
import { instant } from './quantities.ts';

/** Who last changed a group of settings, and when. */
export const lastChange = {
  changed_at: described('When they were last changed; null if never.', z.nullable(instant)),
  changed_by: described(
    'The email of the person who last changed them; null before the first change.',
    z.nullable(z.string()),
  ),
};
