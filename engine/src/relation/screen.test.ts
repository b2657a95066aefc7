import { describe, expect, it } from 'vitest';
import { relationOf } from './relation.fixture.ts';
import { Screen } from './screen.ts';

/** A screen that writes down what it reports, quoted in cents. */
function watch(...relations: ReturnType<typeof relationOf>[]) {
  const screen = new Screen();
  for (const [index, relation] of relations.entries()) screen.add(`r${index + 1}`, relation);
  return {
    screen,
    quote: (market: number, low: number, high: number) => {
      const known = screen.marketNumber(`m${market}`);
      if (known !== null) screen.set(known, low * 10_000, high * 10_000);
    },
    judge: () => {
      const reported: string[] = [];
      screen.judge({ onPaying: (id) => reported.push(`${id} pays`), onGone: (id) => reported.push(`${id} is gone`) });
      return reported;
    },
  };
}

describe('the screen', () => {
  it('says what begins to pay, what goes on paying and is quoted anew, and what does not pay any more', () => {
    const { quote, judge } = watch(relationOf('exactly_one', 'oo'));
    quote(1, 40, 50);
    quote(2, 40, 50);
    expect(judge()).toEqual([]);
    quote(1, 40, 49);
    expect(judge()).toEqual(['r1 pays']);
    expect(judge()).toEqual([]);
    quote(2, 41, 50);
    expect(judge()).toEqual(['r1 pays']);
    quote(2, 41, 51);
    expect(judge()).toEqual(['r1 is gone']);
    quote(2, 42, 51);
    expect(judge()).toEqual([]);
  });

  it('judges groups of frames as a whole: what they show in between never was', () => {
    const { quote, judge } = watch(relationOf('exactly_one', 'oo'));
    quote(1, 40, 50);
    quote(2, 40, 50);
    judge();
    quote(1, 20, 30);
    quote(2, 60, 70);
    expect(judge()).toEqual([]);
  });

  it('does not look at a relation again while quotes stay on their sides of its state price', () => {
    const { screen, quote, judge } = watch(relationOf('ladder', 'tt'));
    quote(1, 20, 30);
    quote(2, 60, 70);
    judge();
    quote(1, 24, 26);
    quote(2, 40, 90);
    expect(screen.waiting).toBe(0);
    quote(2, 90, 95);
    expect(screen.waiting).toBe(1);
    expect(judge()).toEqual([]);
  });

  it('looks at those relations of a market alone whose value the quote has passed', () => {
    const { screen, quote, judge } = watch(relationOf('pair', 'o'), relationOf('at_most_one', 'oo'));
    quote(1, 10, 90);
    quote(2, 40, 50);
    judge();
    // Halfway between its own quotes for the one; for the other no more than the second leaves.
    quote(1, 48, 90);
    expect(screen.waiting).toBe(1);
    expect(judge()).toEqual([]);
  });

  it('takes what breaks even for no arbitrage, whatever the kind', () => {
    const { quote, judge } = watch(relationOf('pair', 'o'));
    quote(1, 50, 50);
    expect(judge()).toEqual([]);
    quote(1, 50.0001, 50);
    expect(judge()).toEqual(['r1 pays']);
  });

  it('follows one market through every relation that it is a member of', () => {
    const { quote, judge } = watch(
      relationOf('pair', 'o'),
      relationOf('at_most_one', 'oo'),
      relationOf('ladder', 'tt'),
    );
    judge();
    quote(2, 30, 40);
    quote(1, 80, 90);
    expect(judge().sort()).toEqual(['r2 pays', 'r3 pays']);
    quote(1, 80, 79);
    expect(judge().sort()).toEqual(['r1 pays', 'r2 pays', 'r3 pays']);
  });

  it('forgets what is removed, and what is added again begins unquoted', () => {
    const { screen, quote, judge } = watch(relationOf('exactly_one', 'oo'), relationOf('at_most_one', 'oo'));
    quote(1, 60, 70);
    quote(2, 60, 70);
    expect(judge()).toEqual(['r1 pays', 'r2 pays']);
    screen.remove('r1');
    quote(1, 60, 71);
    expect(judge()).toEqual(['r2 pays']);
    screen.add('r2', relationOf('at_most_one', 'oo'));
    expect(judge()).toEqual([]);
    screen.remove('nothing');
  });

  it('knows a market by what it was quoted last, whichever relation has it later', () => {
    const { screen, quote, judge } = watch(relationOf('exactly_one', 'oo'));
    quote(1, 60, 70);
    quote(2, 20, 30);
    expect(judge()).toEqual([]);
    screen.add('r2', relationOf('ladder', 'tt'));
    expect(judge()).toEqual(['r2 pays']);
    screen.remove('r1');
    quote(2, 60, 70);
    expect(judge()).toEqual(['r2 is gone']);
  });

  it('looks at nothing that was removed before it was judged, wherever others have moved since', () => {
    const { screen, quote, judge } = watch();
    for (let round = 0; round < 2000; round++) screen.add(`r${round}`, relationOf('at_most_one', 'oo'));
    for (let round = 0; round < 1999; round++) screen.remove(`r${round}`);
    quote(1, 60, 70);
    quote(2, 60, 70);
    expect(judge()).toEqual(['r1999 pays']);
    quote(2, 30, 70);
    expect(judge()).toEqual(['r1999 is gone']);
  });

  it('knows a market by one number for as long as any relation has it', () => {
    const { screen } = watch(relationOf('exactly_one', 'oo'), relationOf('at_most_one', 'oo'));
    const before = screen.marketNumber('m2');
    screen.remove('r1');
    screen.add('r3', relationOf('ladder', 'ttt'));
    screen.remove('r2');
    expect(screen.marketNumber('m2')).toBe(before);
    screen.judge({ onPaying: () => {}, onGone: () => {} });
    screen.remove('r3');
    expect(screen.marketNumber('m2')).toBeNull();
    screen.set(before ?? 0, 600_000, 400_000);
    expect(screen.waiting).toBe(0);
  });

  it('lets a callback remove and add', () => {
    const { screen, quote } = watch(relationOf('exactly_one', 'oo'), relationOf('at_most_one', 'oo'));
    quote(1, 60, 70);
    quote(2, 60, 70);
    const reported: string[] = [];
    const onPaying = (id: string) => {
      reported.push(id);
      screen.remove('r2');
      screen.add('r3', relationOf('pair', 'o'));
    };
    screen.judge({ onPaying, onGone: () => {} });
    expect(reported).toEqual(['r1']);
    expect(screen.waiting).toBe(0);
  });

  it('takes thousands of relations that come and go, and 300 members of one', () => {
    const { screen, quote, judge } = watch();
    for (let round = 0; round < 5000; round++) {
      screen.add(`r${round}`, relationOf('exactly_one', 'o'.repeat(2 + (round % 5))));
      if (round >= 100) screen.remove(`r${round - 100}`);
    }
    screen.add('wide', relationOf('exactly_one', 'o'.repeat(300)));
    for (let market = 1; market <= 300; market++) quote(market, 0.2, market === 300 ? 0.9 : 0.33);
    expect(judge().filter((reported) => reported.startsWith('wide'))).toEqual(['wide pays']);
    quote(300, 0.2, 1.5);
    expect(judge().filter((reported) => reported.startsWith('wide'))).toEqual(['wide is gone']);
  });
});
