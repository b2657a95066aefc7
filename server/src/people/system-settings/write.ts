import { recordAction } from '../../platform/audit/record.ts';
import type { Actor } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { changeSettings, type Requested, type SettingsChange } from './store.ts';

/** Changes settings in a transaction, last in it. `judge` is called once it is known what changes, and throws where that may not be. */
export async function writeSettings(
  tx: Db,
  runtime: Pick<Runtime, 'clock' | 'pubsub'>,
  { user, actor }: { user: { id: string }; actor: Actor },
  requested: Requested,
  judge: (tx: Db, change: SettingsChange) => Promise<void> = async () => {},
): Promise<void> {
  const change = await changeSettings(tx, requested, { at: runtime.clock.now(), userId: user.id });
  if (change === null) return;
  await judge(tx, change);
  await runtime.pubsub.publish(tx, 'settings_changed');
  await recordAction(tx, runtime, actor, { action: 'settings.changed', ...change });
}
