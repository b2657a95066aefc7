import { testsNamedIn } from '../named-tests.ts';
import type { Repository } from '../read-repository.ts';
import type { Finding, Rule } from '../rule.ts';

const TABLE = 'docs/security.md';
const ATTACKS = Array.from({ length: 30 }, (_, index) => `S${index + 1}`);
const ROW = /^\| (S\d+) \|.*\| ([^|]*) ?\|$/;

/** The attack table has a row for every attack, and each row names tests that are there, one of them in `npm test`, or says why there is none. */
export const attackTable: Rule = {
  name: 'every attack has its row, and the tests it names',
  find: (repository) => {
    const text = repository.files.get(TABLE) ?? '';
    const rows = text.split('\n').flatMap((content, index) => {
      const [row, attack = '', shownBy = ''] = ROW.exec(content) ?? [];
      return row === undefined ? [] : [{ attack, shownBy, line: index + 1, deviates: row.includes('| Deviation: ') }];
    });
    const named = rows.map(({ attack }) => attack);
    const missing = ATTACKS.filter((attack) => named.filter((one) => one === attack).length !== 1);
    return [
      ...missing.map((attack) => at(1, `${attack} has no row of its own`)),
      ...rows.flatMap((row) => judge(repository, row)),
    ];
  },
};

function judge(
  repository: Repository,
  { attack, shownBy, line, deviates }: { attack: string; shownBy: string; line: number; deviates: boolean },
): Finding[] {
  const { count, problems, perChange } = testsNamedIn(shownBy, repository);
  if (count === 0) return deviates ? [] : [at(line, `${attack} names no test`)];
  if (problems.length === 0 && !perChange) return [at(line, `${attack} is not shown by \`npm test\``)];
  return problems.map((problem) => at(line, `${attack} ${problem}`));
}

function at(line: number, reason: string): Finding {
  return { path: TABLE, line, reason };
}
