/** What calls for a person: profits of single opportunities, and what makes a sound or a notification of the browser. */
import * as z from 'zod/mini';
import { endpoint, message, notFound, refusal } from './endpoint.ts';
import { id, listOf, page } from './listing.ts';
import { described, explained } from './notes/described.ts';
import { instant, percent } from './quantities.ts';

/** Alerts per person. */
export const ALERTS_MAX = 50;

/** The profits, in percent, that an alert may wait for. */
export const ALERT_AT = { min: -100, max: 1000 } as const;

const AT_PROBLEM = `Profit must be a number from ${ALERT_AT.min} to ${ALERT_AT.max} percent`;

const atPercentage = described(
  'The profit of a set after fees, in percent, at which the alert fires.',
  z.pipe(z.number(AT_PROBLEM).check(z.minimum(ALERT_AT.min, AT_PROBLEM), z.maximum(ALERT_AT.max, AT_PROBLEM)), percent),
);

const alert = z.object({
  id,
  opportunity_id: described('The opportunity whose profit it waits for.', id),
  opportunity_name: described('What the opportunity is called.', z.string()),
  at_percentage: described('The profit of a set after fees, in percent, at which the alert fires.', percent),
  by_mail: described('Whether it is also sent to the email of its owner.', z.boolean()),
  armed: described(
    'Whether the next profit at `at_percentage` or above fires it. Once it has fired it is armed again by a profit more than 0.1 percentage points below.',
    z.boolean(),
  ),
  active: described('Whether the opportunity is active: no other is priced.', z.boolean()),
  profit_percentage: described('The profit as priced last; null while there is none.', z.nullable(percent)),
  created_at: instant,
  fired_at: described('When it fired last; null before the first time.', z.nullable(instant)),
});
export type Alert = z.output<typeof alert>;

const newAlert = z.strictObject({
  opportunity_id: described('The opportunity whose profit it waits for.', id),
  at_percentage: atPercentage,
  by_mail: described('Whether it is also sent to the email of the caller.', z.optional(z.boolean())),
});

const tag = 'Notifications';

export const listAlerts = endpoint({
  method: 'GET',
  path: '/notifications/alerts',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'The own alerts, newest first',
  query: z.object({
    ...page,
    opportunity_id: described('Only alerts of this opportunity.', z.optional(id)),
  }),
  reply: listOf(alert),
});

export const createAlert = endpoint({
  method: 'POST',
  path: '/notifications/alerts',
  access: 'viewer',
  tag,
  summary: 'Be told when the profit of an opportunity reaches a percentage',
  refusals: [
    notFound('Opportunity not found'),
    refusal(409, 'The caller has this alert already.', 'You have an alert at 1.50% for this opportunity already.'),
    refusal(409, 'The caller has as many alerts as one may have.', `You have ${ALERTS_MAX} alerts. Delete one first.`),
  ],
  body: newAlert,
  reply: alert,
});

export const deleteAlert = endpoint({
  method: 'DELETE',
  path: '/notifications/alerts/{alert_id}',
  access: 'viewer',
  tag,
  summary: 'Delete an own alert',
  refusals: [notFound('Alert not found')],
  params: z.object({ alert_id: described('The alert.', id) }),
  reply: message,
});

/** What may make a sound or a notification of the browser. */
export const ATTENTION_KINDS = ['trigger', 'fill', 'leg_risk', 'unknown', 'sign_off', 'alert'] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

const kinds = z
  .array(
    explained(
      {
        trigger: 'an opportunity has come up to its trigger',
        fill: 'a batch has ended with something filled, or was sold',
        leg_risk: 'a batch holds shares without the rest of their set',
        unknown: 'the venue has not said whether it has an order, or it is not known whether a submission arrived',
        sign_off: 'a second person is asked to sign something off',
        alert: 'the profit of an opportunity has reached an own alert',
      },
      z.enum(ATTENTION_KINDS),
    ),
  )
  .check(z.maxLength(ATTENTION_KINDS.length, `At most ${ATTENTION_KINDS.length} kinds`));

/** Chosen by the person for all of their browsers; whether a browser may show notifications is asked in each. */
export const attentionChoices = z.strictObject({
  sounds: described('What makes a sound in an open page.', kinds),
  browser: described('What is shown as a notification of the browser, where that is allowed.', kinds),
});
export type AttentionChoices = z.output<typeof attentionChoices>;

export const readAttention = endpoint({
  method: 'GET',
  path: '/users/me/attention',
  access: 'viewer',
  tag: 'Users',
  summary: 'What makes a sound or a notification of the browser; at first nothing',
  reply: attentionChoices,
});

export const writeAttention = endpoint({
  method: 'PUT',
  path: '/users/me/attention',
  access: 'viewer',
  tag: 'Users',
  summary: 'Choose what makes a sound or a notification of the browser',
  body: attentionChoices,
  reply: attentionChoices,
});
