/** A text in which one part is another than before, with a little of what stands around it. */
export type ChangedPart = { lead: string; part: string; tail: string };

const AROUND = 60;
/** A text that is another altogether may be 100 kB long. */
const PART_MAX = 1_500;

/** Where two texts differ: what stands at that place in each, between what both begin and end with. */
export function changedParts(before: string, after: string): { before: ChangedPart; after: ChangedPart } {
  const start = commonStart(before, after);
  const end = commonEnd(before.slice(start), after.slice(start));
  const partOf = (text: string): ChangedPart => ({
    lead: (start > AROUND ? '…' : '') + text.slice(Math.max(0, start - AROUND), start),
    part: shortened(text.slice(start, text.length - end)),
    tail: text.slice(text.length - end, text.length - end + AROUND) + (end > AROUND ? '…' : ''),
  });
  return { before: partOf(before), after: partOf(after) };
}

function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[length] === b[length]) length += 1;
  return length;
}

function commonEnd(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length += 1;
  return length;
}

function shortened(text: string): string {
  return text.length > PART_MAX ? `${text.slice(0, PART_MAX)}…` : text;
}
