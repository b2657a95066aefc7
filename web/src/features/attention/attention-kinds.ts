import type { AttentionKind } from '@dutchbook/contract/attention.ts';
import type { Notification } from '@dutchbook/contract/notifications.ts';

export const KIND_WORDS: Record<AttentionKind, { label: string; when: string }> = {
  trigger: { label: 'Trigger', when: 'an opportunity has come up to its trigger' },
  fill: { label: 'Fill', when: 'a batch has ended with something filled, or was sold' },
  leg_risk: { label: 'Leg risk', when: 'a batch holds shares without the rest of their set' },
  unknown: { label: 'Unknown', when: 'the venue has not said whether it has an order, or what became of a submission' },
  sign_off: { label: 'Sign-off', when: 'a second person is asked to sign something off' },
  alert: { label: 'Alert', when: 'the profit of an opportunity has reached an alert of yours' },
};

const KINDS: Partial<Record<Notification['notification_type'], AttentionKind>> = {
  opportunity_triggered: 'trigger',
  batch_completed: 'fill',
  batch_partial: 'fill',
  batch_sold: 'fill',
  sale_ended: 'fill',
  leg_risk: 'leg_risk',
  order_unknown: 'unknown',
  submission_unknown: 'unknown',
  sign_off_asked: 'sign_off',
  opportunity_alert: 'alert',
};

/** Null for what makes neither sound nor notification of the browser. */
export function kindOf({ notification_type: type }: Notification): AttentionKind | null {
  return Object.hasOwn(KINDS, type) ? (KINDS[type] ?? null) : null;
}

/** Of several at once the first of this list sounds. */
const MOST_URGENT_FIRST: readonly AttentionKind[] = ['leg_risk', 'unknown', 'sign_off', 'alert', 'trigger', 'fill'];

export function mostUrgent(kinds: Iterable<AttentionKind>): AttentionKind | undefined {
  const waiting = new Set(kinds);
  return MOST_URGENT_FIRST.find((kind) => waiting.has(kind));
}

/** What a person does is no news to them; what becomes of it may be. */
export const SILENT_AFTER_OWN: ReadonlySet<AttentionKind> = new Set(['trigger', 'fill', 'sign_off']);
