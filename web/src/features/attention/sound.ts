import type { AttentionKind } from '@dutchbook/contract/attention.ts';

/** The notes of each kind, in hertz, one after the other: told apart without looking. */
const NOTES: Record<AttentionKind, readonly number[]> = {
  trigger: [660, 880],
  fill: [523, 659, 784],
  leg_risk: [440, 330, 440, 330],
  unknown: [392, 392],
  sign_off: [587, 587, 740],
  alert: [988, 1319],
};

const NOTE_SECONDS = 0.14;
const LOUDNESS = 0.15;
const RESUMED_WITHIN_MS = 300;

let context: AudioContext | undefined;

/** @returns whether it was heard: a browser lets no page sound that was not clicked or typed in since it was opened */
export async function playSound(kind: AttentionKind): Promise<boolean> {
  context ??= new AudioContext();
  const audio = context;
  if (audio.state !== 'running')
    await Promise.race([audio.resume(), new Promise((resolve) => setTimeout(resolve, RESUMED_WITHIN_MS))]);
  if (audio.state !== 'running') return false;
  NOTES[kind].forEach((hertz, nth) => {
    const from = audio.currentTime + nth * NOTE_SECONDS;
    const note = audio.createOscillator();
    const loudness = audio.createGain();
    note.frequency.value = hertz;
    loudness.gain.setValueAtTime(LOUDNESS, from);
    loudness.gain.linearRampToValueAtTime(0, from + NOTE_SECONDS);
    note.connect(loudness).connect(audio.destination);
    note.start(from);
    note.stop(from + NOTE_SECONDS);
  });
  return true;
}
