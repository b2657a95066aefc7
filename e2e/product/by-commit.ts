/** What of many equal cases runs for a change: always the same ones for a commit, others for another, all in `npm run test:all`. */
import { createHash } from 'node:crypto';
import { checkedOutCommit } from '@dutchbook/tools/test/checked-out-commit.ts';

/** `count` of them, in their order; `nameOf` tells them apart. */
export function chosenNow<Case>(cases: readonly Case[], count: number, nameOf: (one: Case) => string): Case[] {
  return process.env.TEST_ALL === undefined ? chosenBy(checkedOutCommit(), cases, count, nameOf) : [...cases];
}

export function chosenBy<Case>(
  commit: string,
  cases: readonly Case[],
  count: number,
  nameOf: (one: Case) => string,
): Case[] {
  const rankOf = (one: Case) =>
    createHash('sha256')
      .update(`${commit} ${nameOf(one)}`)
      .digest('hex');
  const ranked = cases.map((one, place) => ({ one, place, rank: rankOf(one) }));
  return ranked
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);
}
