/** From a notification to a sound and a notification of the browser, as the person has chosen. Loaded when the first comes. */
import type { AttentionKind } from '@dutchbook/contract/attention.ts';
import { noticeOf } from '@dutchbook/contract/notification-types.ts';
import type { Notification } from '@dutchbook/contract/notifications.ts';
import type { QueryClient } from '@tanstack/react-query';
import { mostUrgent, SILENT_AFTER_OWN } from './attention-kinds.ts';
import { attentionQuery } from './attention-query.ts';
import { showInBrowser } from './browser-notification.ts';
import { inTurn, isTakenHere } from './one-tab.ts';
import { isOwn } from './own-actions.ts';
import { playSound } from './sound.ts';

/** An answer to what the person has just done may come after the news of it. */
const ANSWERED_WITHIN_MS = 300;

/** The last of each kind, as long as others are heard. */
const waiting = new Map<AttentionKind, () => Promise<void>>();
let isRunning = false;

type Told = { notification: Notification; kind: AttentionKind; onOpen: (id: string) => void };

/** Does nothing where another tab does, or where the person has done it. */
export async function signal(client: QueryClient, { notification, kind, onOpen }: Told): Promise<void> {
  const { id, message, notification_type: type, opportunity_id: opportunityId, data } = notification;
  const { sounds, browser } = await client.fetchQuery(attentionQuery);
  if (!sounds.includes(kind) && !browser.includes(kind)) return;
  await new Promise((resolve) => setTimeout(resolve, ANSWERED_WITHIN_MS));
  if (SILENT_AFTER_OWN.has(kind) && isOwn([data.batch_id ?? opportunityId])) return;
  if (!(await isTakenHere(`signal ${id}`))) return;
  waiting.set(kind, async () => {
    if (sounds.includes(kind)) await playSound(kind);
    const title = noticeOf(type)?.title ?? 'Dutchbook';
    if (browser.includes(kind)) showInBrowser({ id, title, text: message, onOpen: () => onOpen(id) });
  });
  await runWaiting();
}

async function runWaiting(): Promise<void> {
  if (isRunning) return;
  isRunning = true;
  try {
    while (waiting.size > 0)
      await inTurn(async () => {
        const kind = mostUrgent(waiting.keys());
        const act = kind && waiting.get(kind);
        if (kind !== undefined) waiting.delete(kind);
        await act?.();
      });
  } finally {
    isRunning = false;
  }
}
