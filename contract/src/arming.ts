/** Arming lets orders leave; disarming is the kill switch. */
import * as z from 'zod/mini';
import { endpoint, refusal, SIGN_OFF_ASKED } from './endpoint.ts';
import { described } from './notes/described.ts';
import { systemStatus } from './status.ts';
import { venueName } from './venue-names.ts';

/** What a superuser types to arm trading. */
export const ARM_CONFIRMATION = 'ARM';

const tag = 'System';

export const armForm = z.object({
  confirmation: described(
    'The word that confirms it, in capitals.',
    z.string(`Type ${ARM_CONFIRMATION} to confirm`).check(z.regex(/^ARM$/, `Type ${ARM_CONFIRMATION} to confirm`)),
  ),
});

export const armTrading = endpoint({
  method: 'POST',
  path: '/system/arm',
  access: 'superuser',
  proven: 'required',
  tag,
  summary: 'Let orders leave, by hand and automatically',
  refusals: [
    SIGN_OFF_ASKED,
    refusal(409, 'It cannot be armed now; `detail` says why.', 'Trading is halted in this process'),
    refusal(
      409,
      'On a real venue: the caller has no second factor.',
      'Set up a second factor under Settings before you arm a real venue.',
    ),
  ],
  query: z.object({
    venue: described(
      'Where; at all venues that are configured when missing, each as its own limits and key allow.',
      z.optional(venueName),
    ),
  }),
  body: armForm,
  reply: z.object({
    ...systemStatus.shape,
    not_armed: described(
      'Where several venues were to be armed: which of them were not. Left out where all are, and where none is, which is a 409.',
      z.optional(
        z.array(
          z.object({
            venue: described('Which venue.', venueName),
            detail: described('Why, in sentences.', z.string()),
            sign_off_id: described(
              'The sign-off that a second person was asked for; left out where it was refused.',
              z.optional(z.string()),
            ),
          }),
        ),
      ),
    ),
  }),
});

export const disarmTrading = endpoint({
  method: 'POST',
  path: '/system/disarm',
  access: 'superuser',
  stops: true,
  tag,
  summary: 'The kill switch: no order leaves any more',
  query: z.object({
    venue: described('Where; at all venues at once when missing.', z.optional(venueName)),
  }),
  reply: systemStatus,
});
