import type { Config } from './config.ts';

/** What stands on all that leaves an installation of paper trading: its dollars are not real, and fills are those of a model. */
export function paperMark(paper: NonNullable<Config['paper']>): string {
  return `PAPER: no real money, orders are filled by the model ${paper.fills}`;
}
