import type { Runtime } from '../../../platform/runtime/runtime.ts';
import { composeMessage } from './compose-message.ts';
import { claimNextSend } from './next-send.ts';
import { recordOutcome } from './record-outcome.ts';

/**
 * Sends the next message, if it is due. Answers in how many milliseconds there may be something to send again, or
 * null while nothing waits. What it was about to send when it throws is not sent again by itself.
 */
export async function sendNext(runtime: Runtime, webUrl: string): Promise<number | null> {
  const next = await claimNextSend(runtime);
  if (next.kind === 'nothing') return null;
  if (next.kind === 'wait') return next.ms;
  const { sending } = next;
  const { token, chatId, records, muteUserIds } = sending;
  runtime.pass('message_claimed');
  const outcome = await runtime.chat.send({
    token,
    chatId,
    ...composeMessage(records, webUrl, muteUserIds.length > 0),
  });
  runtime.pass('message_answered');
  if (outcome.kind !== 'sent') {
    runtime.log.warn({ reason: outcome.reason, outcome: outcome.kind, count: records.length }, 'notification not sent');
  }
  await recordOutcome(runtime, sending, outcome);
  return 0;
}
