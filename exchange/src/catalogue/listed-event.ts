/** What is written down of an event of the simulated exchange: everything else about it is derived. */
export interface ListedEvent {
  readonly title: string;
  /** Fee schedule name; the rate is in `FEE_RATES`. */
  readonly category: Category;
  readonly tick: '0.01' | '0.0025' | '0.001';
  readonly daysAhead: number;
  /** Absent for `v1`. */
  readonly protocol?: Protocol;
  /**
   * `exclusive`: exactly one outcome wins (negative risk). `augmented`: the same, and an outcome that is not listed may
   * win. `directional`: ranges of one variable and thresholds on it, which Protocol V2 holds together. `separate`:
   * independent questions under one heading.
   */
  readonly kind: 'exclusive' | 'augmented' | 'directional' | 'separate';
  /** The outcomes stand easiest first, and each implies those before it: `declared` where the venue says so itself. */
  readonly ladder?: 'declared' | 'undeclared';
  readonly series?: string;
  /** The contract has an unlisted outcome before this place. */
  readonly unlistedBefore?: number;
  /** Protocol V2 alone: the outcome behind the last one, for all that is not named, is listed too, as the last. */
  readonly listsOther?: boolean;
  /** Names what its outcomes are ranges of; events with the same one are quoted together. */
  readonly variable?: string;
  /** What the venue's number of a game is made of; events with the same one are of one game. Those without have none. */
  readonly game?: string;
  /** What the rules say besides the question. */
  readonly clause?: string;
  /** `%` in the question is replaced by the outcome's name. */
  readonly question: string;
  readonly outcomes: readonly ListedOutcome[];
}

/**
 * Name and rough probability in percent of a market; days ahead stand for a date, on which the market ends. Of ranges of one
 * variable the percentages add up to 100, and those of thresholds follow from them.
 */
export type ListedOutcome = readonly [string | number, number, OutcomeDetail?];

export interface OutcomeDetail {
  /** The ranges of the variable, counted from 0, in which it wins: from the first up to the second, which is left out. */
  readonly range?: readonly [number, number];
  /** When it ends, where that is not when the event does. */
  readonly daysAhead?: number;
  /** Its question, where that is not made like those of the others. */
  readonly question?: string;
  /** Published apart by this from a market that asks the same, in its address and ids. */
  readonly listedAs?: string;
  /** What the venue's own field calls its range, whether or not it is one. */
  readonly shownRange?: readonly [number, number];
  /** The market's result, if it was decided before the exchange opened. */
  readonly decided?: 'Yes' | 'No';
  /** What it asks of a game, in the venue's words. */
  readonly game?: { readonly type: string; readonly line: number | null };
  /** The market's own sentence in the rules. */
  readonly clause?: string;
  /** Its outcomes, where they are not Yes and No. */
  readonly outcomes?: readonly [string, string];
}

/** What the tokens are: `v1` conditional tokens, `v2` positions of Protocol V2, which have a contract of their own. */
export type Protocol = 'v1' | 'v2';

export type Category = 'Crypto' | 'Sports' | 'Politics' | 'Tech' | 'Culture' | 'Weather' | 'Economics' | 'Geopolitics';

/** Taker fee rates by category, as decimals. */
export const FEE_RATES: Readonly<Record<Category, string>> = {
  Crypto: '0.07',
  Sports: '0.05',
  Politics: '0.04',
  Tech: '0.04',
  Culture: '0.05',
  Weather: '0.05',
  Economics: '0.05',
  Geopolitics: '0',
};
