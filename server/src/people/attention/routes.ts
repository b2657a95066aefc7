/** What makes a sound or a notification of the browser, as each person has chosen. */
import {
  ATTENTION_KINDS,
  type AttentionChoices,
  readAttention,
  writeAttention,
} from '@dutchbook/contract/attention.ts';
import { eq } from 'drizzle-orm';
import { recordAction } from '../../platform/audit/record.ts';
import type { App } from '../../platform/http/app.ts';
import { route } from '../../platform/http/route.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { lockCaller } from '../users/change.ts';
import { attentionChoices } from './table.ts';

const NOTHING: AttentionChoices = { sounds: [], browser: [] };

export function registerAttention(app: App, runtime: Pick<Runtime, 'db' | 'clock'>): void {
  route(app, readAttention, ({ user }) => readChoices(runtime.db, user.id));

  route(app, writeAttention, ({ body, user, actor }) =>
    runtime.db.transaction(async (tx) => {
      const { id: userId } = await lockCaller(tx, user);
      const before = await readChoices(tx, userId);
      const after = { sounds: inOrder(body.sounds), browser: inOrder(body.browser) };
      await tx
        .insert(attentionChoices)
        .values({ userId, ...after })
        .onConflictDoUpdate({ target: attentionChoices.userId, set: after });
      await recordAction(tx, runtime, actor, { action: 'attention.changed', object: userId, before, after });
      return after;
    }),
  );
}

async function readChoices(db: Db, userId: string): Promise<AttentionChoices> {
  const [row] = await db
    .select({ sounds: attentionChoices.sounds, browser: attentionChoices.browser })
    .from(attentionChoices)
    .where(eq(attentionChoices.userId, userId));
  return row ?? NOTHING;
}

/** Each once. */
function inOrder(chosen: AttentionChoices['sounds']): AttentionChoices['sounds'] {
  return ATTENTION_KINDS.filter((kind) => chosen.includes(kind));
}
