/** The first reads of a page wait for the stream: what the stream sends when it opens is not read a second time. */
let held: Promise<void> | undefined;

export type HeldReads = { release: () => void; areHeld: () => boolean };

/** From now on reads wait until they are released, and for `mostMs` at most. */
export function holdReads(mostMs: number): HeldReads {
  let letGo = (): void => undefined;
  const waiting = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  held = waiting;
  const release = () => {
    if (held === waiting) held = undefined;
    letGo();
  };
  setTimeout(release, mostMs);
  return { release, areHeld: () => held === waiting };
}

/** What reads wait for now; undefined where they need not. */
export function heldReads(): Promise<void> | undefined {
  return held;
}
