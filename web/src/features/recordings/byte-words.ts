const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;
const STEP = 1000;

/** Bytes in thousands, three digits at most: "1.25 MB". */
export function byteWords(bytes: number): string {
  let [rest, unit] = [bytes, 0];
  // A value that rounds to a thousand of a unit is shown as one of the next unit.
  while (Number(rest.toPrecision(3)) >= STEP && unit < UNITS.length - 1) {
    rest /= STEP;
    unit += 1;
  }
  return `${Number(rest.toPrecision(3))} ${UNITS[unit]}`;
}
