/** Implications between markets of one game: a win by some points implies a win, a part of the score implies the total. */
import { instantToIso } from '@dutchbook/units/instant.ts';
import type { CatalogueEvent, EventMember, GameMarket } from './catalogue-event.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { Relation } from './relation.ts';
import { normalWords } from './words.ts';

/**
 * `side`: whose lead, win or score it is, empty where it is of both. `over`: the line that has to be passed, null of a win.
 * `unit`: what is counted. `time`: what the rules say of overtime; two claims are of the same game time where they say the same.
 */
type Claim = {
  event: CatalogueEvent;
  member: EventMember;
  game: GameMarket;
  what: 'lead' | 'win' | 'score' | 'half' | 'total';
  side: string;
  over: number | null;
  unit: string | null;
  time: string;
};
type Said = Pick<Claim, 'what' | 'side' | 'over' | 'unit'>;
/** A claim of one kind implies a claim of another, where the condition holds for both. */
type Rule = {
  from: Claim['what'];
  to: Claim['what'];
  holds: (hard: Claim, easy: Claim) => boolean;
  title: (hard: Claim, easy: Claim) => string;
};

/** Every two of them are compared; no game has as many markets. */
const CLAIMS_MAX = 1_000;

const RULES: readonly Rule[] = [
  {
    from: 'lead',
    to: 'win',
    holds: (hard, easy) => hard.side === easy.side && hard.time === easy.time,
    title: ({ over }) => `A win by more than ${over} implies a win`,
  },
  {
    from: 'score',
    to: 'total',
    holds: (hard, easy) => isHigher(hard, easy) && hard.time === easy.time,
    title: (hard, easy) => `More than ${hard.over} ${hard.unit} of one side imply more than ${easy.over} of both`,
  },
  {
    // Overtime only adds to it.
    from: 'half',
    to: 'total',
    holds: (hard, easy) => isHigher(hard, easy),
    title: (hard, easy) => `More than ${hard.over} ${hard.unit} by half-time imply more than ${easy.over} in the game`,
  },
];

/**
 * Pairs of markets of one game, within an event and between events, where the types of both are known here and the rules of both
 * say so in as many words. Of each line only the nearest one is named that follows from it: the rest is what ladders of one type say.
 */
export function readGames(
  events: readonly CatalogueEvent[],
  membersOf: (event: CatalogueEvent) => readonly EventMember[],
): Relation[] {
  const claims = events.flatMap((event) => membersOf(event).flatMap((member) => claimOf(event, member) ?? []));
  if (claims.length > CLAIMS_MAX) return [];
  return RULES.flatMap((rule) => {
    const easier = claims.filter(({ what }) => what === rule.to);
    const nearest = claims
      .filter(({ what }) => what === rule.from)
      .flatMap((hard) => {
        const easy = onlyNearest(easier.filter((other) => areOfOneGame(hard, other) && rule.holds(hard, other)));
        return easy === null ? [] : [{ hard, easy }];
      });
    const groups = Map.groupBy(nearest, ({ hard, easy }) => JSON.stringify([hard.side, easy.member.marketId]));
    return [...groups.values()].flatMap((pairs) => {
      const hard = onlyOne(pairs.map((pair) => pair.hard));
      const easy = pairs[0]?.easy;
      return hard === null || easy === undefined ? [] : [gameRelation(hard, easy, rule.title(hard, easy))];
    });
  });
}

/** Identifies the game across events by the venue's number; null where there is none. */
export function gameKeyOf(members: readonly EventMember[]): string | null {
  const ids = new Set(members.flatMap(({ game }) => game?.gameId ?? []));
  const [only] = ids;
  return ids.size === 1 && only !== undefined ? `game ${only}` : null;
}

function isHigher(hard: Claim, easy: Claim): boolean {
  return hard.unit === easy.unit && hard.over !== null && easy.over !== null && hard.over >= easy.over;
}

/** The highest line of those that follow; of two with the same line neither, because one of them is not what it looks like. */
function onlyNearest(claims: readonly Claim[]): Claim | null {
  const most = Math.max(...claims.map(({ over }) => over ?? 0));
  const nearest = claims.filter(({ over }) => (over ?? 0) === most);
  return nearest.length === 1 ? (nearest[0] ?? null) : null;
}

/** The lowest line of those from which the same follows. */
function onlyOne(claims: readonly Claim[]): Claim | null {
  const least = Math.min(...claims.map(({ over }) => over ?? 0));
  const lowest = claims.filter(({ over }) => over === least);
  return lowest.length === 1 ? (lowest[0] ?? null) : null;
}

/** Whether two claims are about one game: by the venue's game number, else within one event by its start. */
function areOfOneGame(one: Claim, other: Claim): boolean {
  const [first, second] = [one.game, other.game];
  const begin = first.startsAt === second.startsAt;
  if (first.gameId !== null && second.gameId !== null) return first.gameId === second.gameId && begin;
  return one.event.id === other.event.id && begin && first.startsAt !== null;
}

function claimOf(event: CatalogueEvent, member: EventMember): Claim | null {
  const { game } = member;
  if (!game) return null;
  const said = saidOf(member, game);
  return said === null ? null : { ...said, event, member, game, time: timeOf(member) };
}

const COMBINED = /\bcombine to score (\d{1,4}) or more ([a-z]{1,20}) in this game\b/i;
const OF_ONE = /\bif (?:the )?([^"]{1,80}?) scores? (\d{1,4}) or more ([a-z]{1,20}) in this game\b/i;
const BY_HALF_TIME = /\bcombine to score (\d{1,4}) or more ([a-z]{1,20}) in the first half\b/i;
const WON_BY = /\bif (?:the )?([^"]{1,80}?) wins? the game by (\d{1,4}) or more ([a-z]{1,20})\b/i;
/** Rules are read so far: no real ones are as long. */
const RULES_LENGTH_MAX = 5_000;

/** Null for any type that is not named here, and where the rules do not say the same as the fields. */
function saidOf(member: EventMember, { type }: GameMarket): Said | null {
  const rules = member.rules.slice(0, RULES_LENGTH_MAX).replaceAll(/\s+/g, ' ');
  const line = (what: Claim['what'], found: RegExpExecArray | null, hasSide: boolean): Said | null => {
    if (found === null || member.strike?.kind !== 'above') return null;
    const [side = '', least = '', unit = ''] = hasSide ? found.slice(1) : ['', ...found.slice(1)];
    const over = member.strike.floor;
    // A whole line may be met exactly, and then half is paid, or the stake is returned.
    if (Number.isInteger(over) || over < 0 || Number(least) !== Math.ceil(over)) return null;
    return { what, side: normalWords(side), over, unit: unit.toLowerCase() };
  };
  switch (type) {
    case 'spreads': {
      const lead = line('lead', WON_BY.exec(rules), true);
      return lead?.side === normalWords(member.outcomes[0] ?? '') ? lead : null;
    }
    case 'totals':
      return line('total', COMBINED.exec(rules), false);
    case 'team_totals':
      return COMBINED.test(rules) ? null : line('score', OF_ONE.exec(rules), true);
    case 'first_half_totals':
      return line('half', BY_HALF_TIME.exec(rules), false);
    case 'moneyline':
      return winOf(member, rules);
    default:
      return null;
  }
}

/** Reads a win of the first outcome, or of the side in the title where that is "Yes". A draw has no side. */
function winOf({ outcomes, groupTitle, question }: EventMember, rules: string): Said | null {
  const isAsked = /^yes$/i.test(outcomes[0] ?? '');
  const side = normalWords((isAsked ? groupTitle : outcomes[0]) ?? '');
  const text = normalWords(rules);
  const isSaid = [`if ${side} win`, `if the ${side} win`].some((words) => text.includes(words));
  if (side === '' || !isSaid) return null;
  if (isAsked && !normalWords(question).startsWith(`will ${side} win`)) return null;
  return { what: 'win', side, over: null, unit: null };
}

const OF_TIME =
  /\b(?:overtime|shoot-?outs?|extra (?:time|innings?)|regular play|regulation|stoppage|half-?time|(?:first|second|third|fourth|1st|2nd|3rd|4th) (?:half|quarter|period|innings?|sets?|maps?))\b/i;

/** Every sentence of the rules that names a time of play. */
function timeOf({ rules, clarifications }: EventMember): string {
  return `${rules.slice(0, RULES_LENGTH_MAX)}\n${clarifications ?? ''}`
    .split(/[.\n]/)
    .filter((sentence) => OF_TIME.test(sentence))
    .map(normalWords)
    .join('. ');
}

function gameRelation(hard: Claim, easy: Claim, title: string): Relation {
  const events = [...new Map([hard, easy].map(({ event }) => [event.id, event])).values()];
  const members = [hard.member, easy.member];
  const fields = [hard, easy].map(({ game: { type, line, gameId } }) => ({ type, line, gameId }));
  const { gameId, startsAt } = hard.game;
  return {
    key: `ladder:game:${hard.member.marketId}:${easy.member.marketId}`,
    kind: 'ladder',
    basis: 'parsed',
    title,
    members: [hard, easy].map(({ event, member }) => ({
      eventId: event.id,
      marketId: member.marketId,
      role: 'threshold' as const,
    })),
    readFrom: [
      `sportsMarketType = ${fields.map(({ type }) => type).join(', ')}`,
      `line = ${fields.map(({ line }) => line ?? 'none').join(', ')}`,
      gameId === null || easy.game.gameId === null
        ? `gameStartTime = ${startsAt === null ? 'none' : instantToIso(startsAt)}`
        : `gameId = ${gameId}`,
    ],
    isComplete: false,
    completeness: 'A ladder needs no further steps',
    isVoidSafe: false,
    fingerprintText: JSON.stringify([fingerprintOf(events, members, 'ladder'), fields]),
    template: null,
  };
}
