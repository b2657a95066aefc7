import { type Change, changeData, changeFrame, controlFrame } from '@dutchbook/contract/stream.ts';
import * as z from 'zod/mini';

export type ControlFrame = z.output<typeof controlFrame>;

/** A frame of the server, decoded; `undefined` for one this page does not understand. */
export function readFrame(text: string): { control: ControlFrame } | { change: Change } | undefined {
  const raw = parseJson(text);
  // Thousands of changes may come in a second, and hardly any other frame.
  const frame = z.safeDecode(changeFrame, raw as z.input<typeof changeFrame>);
  if (!frame.success) return readControl(raw);
  const { seq, topic, type, id, data } = frame.data;
  const decoded = z.safeDecode<z.ZodMiniType>(changeData[type], data);
  return decoded.success ? { change: { seq, topic, type, id, data: decoded.data } as Change } : undefined;
}

function readControl(raw: unknown): { control: ControlFrame } | undefined {
  const control = z.safeDecode(controlFrame, raw as z.input<typeof controlFrame>);
  return control.success ? { control: control.data } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
