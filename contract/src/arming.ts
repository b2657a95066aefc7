/** Arming lets orders leave; disarming is the kill switch. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { systemStatus } from './status.ts';

/** What a superuser types to arm trading. */
export const ARM_CONFIRMATION = 'ARM';

const tag = 'System';

export const armForm = z.object({
  confirmation: z
    .string(`Type ${ARM_CONFIRMATION} to confirm`)
    .check(z.regex(/^ARM$/, `Type ${ARM_CONFIRMATION} to confirm`)),
});

export const armTrading = endpoint({
  method: 'POST',
  path: '/system/arm',
  access: 'superuser',
  proven: 'required',
  tag,
  summary: 'Let orders leave, by hand and automatically',
  body: armForm,
  reply: systemStatus,
});

export const disarmTrading = endpoint({
  method: 'POST',
  path: '/system/disarm',
  access: 'superuser',
  stops: true,
  tag,
  summary: 'The kill switch: no order leaves any more',
  reply: systemStatus,
});
