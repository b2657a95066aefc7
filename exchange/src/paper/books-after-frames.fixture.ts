export interface Frame {
  readonly event_type: string;
  readonly asset_id: string;
  readonly bids: readonly { price: string; size: string }[];
  readonly asks: readonly { price: string; size: string }[];
  readonly price_changes: readonly { asset_id: string; price: string; size: string; side: string }[];
}

/** The book of a token after each frame of a stream, as text; one that is repeated counts once. */
export function booksOf(frames: readonly unknown[], token: string): string[] {
  const books: string[] = [];
  const levels = new Map<string, string>();
  for (const frame of frames as Frame[]) {
    const isWhole = frame.event_type === 'book' && frame.asset_id === token;
    if (isWhole) levels.clear();
    for (const { side, price, size } of isWhole ? wholeOf(frame) : changesIn(frame, token)) {
      if (size === '0') levels.delete(`${side} ${price}`);
      else levels.set(`${side} ${price}`, size);
    }
    const book = [...levels].sort().join('; ');
    if (books.at(-1) !== book) books.push(book);
  }
  return books;
}

function wholeOf({ bids, asks }: Frame) {
  return [...bids.map((level) => ({ side: 'BUY', ...level })), ...asks.map((level) => ({ side: 'SELL', ...level }))];
}

function changesIn({ event_type, price_changes }: Frame, token: string) {
  return event_type === 'price_change' ? price_changes.filter(({ asset_id }) => asset_id === token) : [];
}

export interface Places {
  /** Books that were never there, or were there before the one that came last. */
  readonly strange: number;
  readonly doubled: number;
  /** How often one or more books of there were left out. */
  readonly gaps: number;
}

/** Where the books of one stream are found among those of another, on which no two are alike. */
export function placesOf(books: readonly string[], there: readonly string[]): Places {
  const placeOf = new Map(there.map((book, place) => [book, place]));
  const places = books.map((book) => placeOf.get(book) ?? -1);
  const steps = places.slice(1).map((place, index) => place - (places[index] ?? 0));
  return {
    strange: places.filter((place) => place === -1).length + steps.filter((step) => step < 0).length,
    doubled: places.length - new Set(places).size,
    gaps: steps.filter((step) => step > 1).length,
  };
}
