/** Events of games: totals, handicaps and winners of which one implies another, and others of which none does. */
import type { ListedEvent, ListedOutcome, OutcomeDetail } from '../catalogue/listed-event.ts';
import { type Draw, easierAgainst, falling, frame, type PlantedCase } from './planted-case.ts';

type Market = Pick<OutcomeDetail, 'question' | 'clause' | 'outcomes'> & { type: string; line?: number; name: string };

const OVERTIME = 'The final score includes any overtime periods.';

/** The markets of a game between two sides that no other case has. */
function gameOf({ subject }: Draw) {
  const home = `${subject} Rovers`;
  const away = `${subject} United`;
  const scored = (line: number, unit = 'points') => `${Math.ceil(line)} or more ${unit}`;
  return {
    home,
    away,
    total: (line: number): Market => ({
      type: 'totals',
      line,
      name: `O/U ${line}`,
      question: `${home} vs. ${away}: O/U ${line}`,
      clause: `It is over if ${home} and ${away} combine to score ${scored(line)} in this game.`,
    }),
    half: (line: number): Market => ({
      type: 'first_half_totals',
      line,
      name: `1H O/U ${line}`,
      question: `${home} vs. ${away}: 1H O/U ${line}`,
      clause: `It is over if ${home} and ${away} combine to score ${scored(line)} in the first half.`,
    }),
    score: (line: number): Market => ({
      type: 'team_totals',
      line,
      name: `${home} O/U ${line}`,
      question: `${home} Team Total: O/U ${line}`,
      clause: `It is over if ${home} score ${scored(line)} in this game.`,
    }),
    rebounds: (line: number): Market => ({
      type: 'rebounds',
      line,
      name: `Rebounds O/U ${line}`,
      question: `Otto Reed of ${home}: Rebounds O/U ${line}`,
      clause: `It is over if Otto Reed has ${scored(line, 'rebounds')}.`,
    }),
    lead: (line: number): Market => ({
      type: 'spreads',
      line: -line,
      name: `Spread -${line}`,
      question: `Spread: ${home} (-${line})`,
      clause: `It is theirs if ${home} win the game by ${scored(line)}.`,
      outcomes: [home, away],
    }),
    win: (side = home, clause = ''): Market => ({
      type: 'moneyline',
      name: 'Winner',
      question: `${home} vs. ${away}`,
      clause: `If ${side} win, it resolves to them. ${clause}`.trim(),
      outcomes: side === home ? [home, away] : [away, home],
    }),
  };
}

function outcomesOf(markets: readonly Market[], percents: readonly number[]): ListedOutcome[] {
  return markets.map(({ name, type, line, ...detail }, place) => [
    name,
    percents[place] ?? 0,
    { ...detail, game: { type, line: line ?? null } },
  ]);
}

function eventOf(draw: Draw, title: string, outcomes: readonly ListedOutcome[]): ListedEvent {
  return { ...frame(draw), title, kind: 'separate', question: '%', outcomes };
}

/** A chain of two types, the easiest first: what one side scores, a win by some in an event of its own, or the first half. */
export function gameLines(draw: Draw): PlantedCase {
  const { subject, round, random } = draw;
  const { total, half, score, lead, win } = gameOf(draw);
  const low = random.between(10, 60) + 0.5;
  const chains: readonly (readonly (readonly Market[])[])[] = [
    [[total(low), total(low + 4), score(low + 6), score(low + 10)]],
    [[win()], [lead(1.5), lead(4.5)]],
    [[total(low), total(low + 4), half(low + 6)]],
  ];
  const chain = chains[round % chains.length] ?? [];
  const count = chain.flat().length;
  const percents = falling(random, count);
  const easier = random.between(0, count - 2);
  const day = frame(draw);
  return {
    trap: null,
    isVoidProne: false,
    kind: 'game',
    basis: 'parsed',
    direction: 'yes',
    set: easierAgainst(easier, easier + 1),
    events: chain.map((markets, place) => ({
      ...eventOf(
        draw,
        `${subject} game${place === 0 ? '' : ', more markets'}`,
        outcomesOf(markets, percents.slice(place)),
      ),
      ...day,
      ladder: 'undeclared',
      ...(chain.length > 1 ? { game: `${subject} 1` } : {}),
    })),
  };
}

/** Two markets of a game, the cheap one first, that look as if the second implied the first. */
function looksNested(draw: Draw, markets: readonly [Market, Market]): Omit<PlantedCase, 'trap' | 'isVoidProne'> {
  return {
    kind: 'game',
    basis: 'parsed',
    direction: 'yes',
    set: easierAgainst(0, 1),
    events: [eventOf(draw, `${draw.subject} game`, outcomesOf(markets, falling(draw.random, 2)))],
  };
}

export const GAME_DECOYS: Readonly<Record<string, (draw: Draw) => ReturnType<typeof looksNested>>> = {
  /** A result may fall on the line, and then a half is paid. */
  whole_line: (draw) => looksNested(draw, [gameOf(draw).total(40), gameOf(draw).total(50)]),
  /** More in the game says nothing of the first half. */
  other_period: (draw) => looksNested(draw, [gameOf(draw).half(40.5), gameOf(draw).total(60.5)]),
  /** The win counts without the overtime in which the lead may come about. */
  overtime: (draw) => {
    const { home, win, lead } = gameOf(draw);
    const late = lead(2.5);
    return looksNested(draw, [
      win(home, 'It counts what stands at the end of regulation.'),
      { ...late, clause: `${late.clause} ${OVERTIME}` },
    ]);
  },
  other_side: (draw) => looksNested(draw, [gameOf(draw).win(gameOf(draw).away), gameOf(draw).lead(2.5)]),
  /** A player's figures are no part of the score. */
  other_statistic: (draw) => looksNested(draw, [gameOf(draw).total(4.5), gameOf(draw).rebounds(8.5)]),
};
