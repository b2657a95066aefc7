/** At most `most` of the items, evenly spread, the first and the last among them. */
export function evenly<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items];
  return Array.from({ length: most }, (_, index) => Math.round((index * (items.length - 1)) / (most - 1))).flatMap(
    (place) => items.slice(place, place + 1),
  );
}
