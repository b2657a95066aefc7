/** The line of a game's market as a threshold. */
import type { Strike } from '@dutchbook/engine/relation/catalogue-event.ts';

type Line = {
  question: string;
  outcomes: readonly string[];
  line?: number | null | undefined;
  sportsMarketType?: string | null | undefined;
};

/** Null where there is none, or where a result may fall on it: the venue's fields do not say what is paid then. */
export function lineStrike({ question, outcomes: [first = ''], line, sportsMarketType }: Line): Strike | null {
  if (line === null || line === undefined || !sportsMarketType || Number.isInteger(line)) return null;
  const isOver = /^over\b/i.test(first) || (/^yes$/i.test(first) && /\b(?:over|o\/u)\s/i.test(question));
  if (isOver) return { kind: 'above', floor: line, hasFloor: false };
  const lead = leadAskedOf(first, question);
  return lead !== null && Math.abs(lead) === Math.abs(line) ? { kind: 'above', floor: lead, hasFloor: false } : null;
}

/** "Kings (-1.5)": they have to lead by more than 1.5. The field's own sign is now the one, now the other side's. */
function leadAskedOf(side: string, question: string): number | null {
  const begin = question.indexOf(`${side} (`);
  if (side === '' || begin < 0) return null;
  const handicap = /^\(([+-]\d+(?:\.\d+)?)\)/.exec(question.slice(begin + side.length + 1));
  return handicap === null ? null : -Number(handicap[1]);
}
