import type { Blocker, GateContext } from './context.ts';

/** A stored setting that cannot be read stands for something somebody wanted: its default was not chosen by a person. */
export function soundSettingsGate({ corruptSettings }: GateContext): Blocker | null {
  if (corruptSettings.length === 0) return null;
  const message = `the stored value of ${corruptSettings.join(', ')} is out of range: set it again`;
  return { gate: 'sound-settings', message, actual: null, required: null };
}
