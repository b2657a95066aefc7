import { testsNamedIn } from '../named-tests.ts';
import type { Repository } from '../read-repository.ts';
import type { Finding, Rule } from '../rule.ts';

const TABLE = 'docs/coverage.md';
const HEAD = ['| sentence | shown by |', '|---|---|'];
/** Ends a row none of whose tests `npm test` runs. */
const LATER = ' (`test:all`)';
const ROW = /^\| ([^|]+) \|([^|]*)\|$/;

/** Each sentence of the specification has its row, once in its section, and each row names tests that are there. */
export const coverageTable: Rule = {
  name: 'every sentence of the specification has its row, and the tests it names',
  find: (repository) => {
    const text = repository.files.get(TABLE);
    if (text === undefined) return [at(1, 'it is not there')];
    return sectionsOf(text).flatMap((section) => judge(repository, section));
  },
};

type Line = { content: string; line: number };
type Section = { title: string; line: number; rows: Line[] };

/** The parts below the second-level headings, with the lines of their tables. */
function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  for (const [index, content] of text.split('\n').entries()) {
    const line = index + 1;
    if (content.startsWith('## ')) sections.push({ title: content.slice(3), line, rows: [] });
    else if (content.startsWith('|') && !HEAD.includes(content)) sections.at(-1)?.rows.push({ content, line });
  }
  return sections;
}

function judge(repository: Repository, { title, line, rows }: Section): Finding[] {
  if (rows.length === 0) return [at(line, `“${title}” has no row`)];
  const said = new Set<string>();
  return rows.flatMap((row) => {
    const [, sentence, shownBy = ''] = ROW.exec(row.content) ?? [];
    if (sentence === undefined) return [at(row.line, 'a row is a sentence and what shows it')];
    if (said.has(sentence)) return [at(row.line, `“${sentence}” stands twice`)];
    said.add(sentence);
    const { count, problems, perChange } = testsNamedIn(shownBy, repository);
    if (count === 0) return [at(row.line, `“${sentence}” names no test`)];
    if (problems.length === 0 && perChange === shownBy.trimEnd().endsWith(LATER)) {
      return [at(row.line, `“${sentence}” is ${perChange ? '' : 'not '}shown by \`npm test\``)];
    }
    return problems.map((problem) => at(row.line, `“${sentence}” ${problem}`));
  });
}

function at(line: number, reason: string): Finding {
  return { path: TABLE, line, reason };
}
