import type { World } from '../../world/world.ts';
import { composeMessage } from './compose-message.ts';
import { settle } from './settle.ts';
import { takeTurn } from './turn.ts';

/**
 * Sends the next message, if it is its turn. Answers in how many milliseconds there may be something to send again, or
 * null while nothing waits. What it was about to send when it throws is not sent again by itself.
 */
export async function sendNext(world: World, webUrl: string): Promise<number | null> {
  const turn = await takeTurn(world);
  if (turn.kind === 'nothing') return null;
  if (turn.kind === 'wait') return turn.ms;
  const { sending } = turn;
  const { token, chatId, records } = sending;
  world.pass('message_claimed');
  const outcome = await world.chat.send({ token, chatId, ...composeMessage(records, webUrl) });
  world.pass('message_answered');
  if (outcome.kind !== 'sent') {
    world.log.warn({ reason: outcome.reason, outcome: outcome.kind, count: records.length }, 'A message was not sent');
  }
  await settle(world, sending, outcome);
  return 0;
}
