import type { Price } from '@dutchbook/units/price.ts';
import { describe, expect, it } from 'vitest';
import { bookOf, feeOf } from '../opportunity/quotes.fixture.ts';
import { boundsOfBook, boundsOfResolved, UNQUOTED } from './bounds.ts';

describe('bounds of a book', () => {
  it('are the ask with its fee, and what the other outcome with its fee leaves of a dollar', () => {
    // 0.04 * 0.6 * 0.4 = 0.0096; the other outcome costs 0.5, and 0.04 * 0.5 * 0.5 = 0.01.
    expect(boundsOfBook(bookOf([[0.6, 10]], [[0.5, 10]]), feeOf(0.04))).toEqual({ low: 490_000, high: 609_600 });
    expect(boundsOfBook(bookOf([[0.6, 10]], [[0.5, 10]]), feeOf(0))).toEqual({ low: 500_000, high: 600_000 });
  });

  it('take the best level of each side', () => {
    const book = bookOf(
      [
        [0.7, 10],
        [0.6, 1],
      ],
      [
        [0.5, 1],
        [0.4, 10],
      ],
    );
    expect(boundsOfBook(book, feeOf(0))).toEqual({ low: 500_000, high: 600_000 });
  });

  it('are infinite where a side is empty, and may lie beyond a dollar where it is not', () => {
    expect(boundsOfBook(bookOf([[0.6, 10]]), feeOf(0))).toEqual({ low: -Infinity, high: 600_000 });
    expect(boundsOfBook(bookOf([], [[0.5, 10]]), feeOf(0))).toEqual({ low: 500_000, high: Infinity });
    expect(boundsOfBook(bookOf([[0.999, 1]], [[0.001, 1]]), feeOf(2))).toEqual({ low: -1000, high: 1_001_000 });
  });

  it('are those of an unquoted member without a book, and without a known fee', () => {
    expect(boundsOfBook(undefined, feeOf(0))).toEqual(UNQUOTED);
    expect(boundsOfBook(bookOf([[0.6, 10]], [[0.5, 10]]), null)).toEqual(UNQUOTED);
  });
});

it('bounds of a resolved member are its value, but one that was voided says nothing', () => {
  expect(boundsOfResolved(1_000_000 as Price)).toEqual({ low: 1_000_000, high: 1_000_000 });
  expect(boundsOfResolved(0 as Price)).toEqual({ low: 0, high: 0 });
  expect(boundsOfResolved(500_000 as Price)).toEqual(UNQUOTED);
});
