import type { Blocker, GateContext } from './context.ts';

/** Refuses while a stored setting is out of range: its default is in force then, and no person chose that. */
export function soundSettingsGate({ corruptSettings }: GateContext): Blocker | null {
  if (corruptSettings.length === 0) return null;
  const message = `the stored value of ${corruptSettings.join(', ')} is out of range: set it again`;
  return { gate: 'sound-settings', message, actual: null, required: null };
}
