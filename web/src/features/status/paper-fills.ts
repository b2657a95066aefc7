import type { PaperFills } from '@dutchbook/contract/status.ts';

const MODELS: readonly string[] = ['touch', 'latency', 'survival'] satisfies PaperFills[];

/** How orders of paper trading are filled, as the page itself says; null where it is not of paper trading. */
export function paperFills(): PaperFills | null {
  const said = document.querySelector<HTMLMetaElement>('meta[name="paper-fills"]')?.content ?? '';
  return MODELS.includes(said) ? (said as PaperFills) : null;
}
