/**
 * How many rows there are of a list of which a page holds `rows`. Rows come and go between reading the page and counting:
 * a page that is not full says itself where the list ends, and the count agrees with what is on the page.
 */
export async function countWithPage(
  { skip, limit }: { skip: number; limit: number },
  rows: number,
  countAll: () => Promise<number>,
): Promise<number> {
  if (rows < limit && (rows > 0 || skip === 0)) return skip + rows;
  const counted = await countAll();
  return rows === 0 ? Math.min(counted, skip) : Math.max(counted, skip + rows);
}
