/** Three recorded days of one event of six brackets, of which exactly one comes true: best bids in whole cents, as they changed. */
import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { Bounds } from './bounds.ts';
import { relationOf } from './relation.fixture.ts';
import { Screen } from './screen.ts';

export const DAYS = ['26JAN03', '25DEC11', '25DEC08'];
const ONE = 1_000_000;
export const BRACKETS = relationOf('exactly_one', 'oooooo');
export const FEE = { rate: fractionFromNumber(0.07), step: 1 as Usd };
/** The recorder was away for longer than that. */
const HOLE_S = 600;

/** `bid` and `noBid` in whole cents; 0 without a bid. */
export type Change = { atS: number; ticker: string; market: number; bid: number; noBid: number };

/** `text`: the file of a day. */
export function changesIn(text: string): Change[] {
  const tickers = new Map<string, number>();
  const [, ...lines] = text.trim().split('\n');
  return lines.map((line) => {
    const [time = '', ticker = '', bid, noBid] = line.split(',');
    const market = tickers.get(ticker) ?? tickers.size;
    tickers.set(ticker, market);
    const [second = '', fraction = '0'] = time.split('.');
    return {
      atS: Date.parse(`${second}Z`) / 1000 + Number(`0.${fraction}`),
      ticker,
      market,
      bid: Number(bid),
      noBid: Number(noBid),
    };
  });
}

/** How often something began, and for how many seconds it was so. */
export class Runs {
  #runs = 0;
  #seconds = 0;
  #isOn = false;

  note(isOn: boolean, sinceS: number): void {
    if (this.#isOn && sinceS <= HOLE_S) this.#seconds += sinceS;
    if (isOn && !this.#isOn) this.#runs += 1;
    this.#isOn = isOn;
  }

  get answer(): [number, number] {
    return [this.#runs, Math.round(this.#seconds)];
  }
}

export const asksBelowOne = (quotes: readonly Bounds[]) => quotes.reduce((sum, { high }) => sum + high, 0) < ONE;
export const bidsAboveOne = (quotes: readonly Bounds[]) =>
  quotes.reduce((sum, { low }) => sum + Math.max(0, low), 0) > ONE;

/** A screen of the brackets alone. */
export class BracketScreen {
  readonly #screen = new Screen();
  isPaying = false;

  constructor(quotes: readonly Bounds[]) {
    this.#screen.add('brackets', BRACKETS);
    for (const [index, quote] of quotes.entries()) this.#tell(index, quote);
    this.#judge();
  }

  /** @returns whether that led the screen to look again */
  change(index: number, quote: Bounds): boolean {
    this.#tell(index, quote);
    const looks = this.#screen.waiting > 0;
    this.#judge();
    return looks;
  }

  #tell(index: number, { low, high }: Bounds): void {
    this.#screen.set(this.#screen.marketNumber(`m${index + 1}`) ?? 0, low, high);
  }

  #judge(): void {
    this.#screen.judge({ onPaying: () => (this.isPaying = true), onGone: () => (this.isPaying = false) });
  }
}
