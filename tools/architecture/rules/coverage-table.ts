import { testsNamedIn } from '../named-tests.ts';
import type { Repository } from '../read-repository.ts';
import type { Finding, Rule } from '../rule.ts';

const TABLE = 'docs/coverage.md';
/** Stands alone above the rows that its tests show. */
const FILE = /^`([\w./-]+)`$/;
/** A sentence, the titles of its tests, with a path where they are in another file, and a star where none of them is in `npm test`. */
const ROW = /^- (.+?):((?: (?:`[\w./-]+` )?“[^”]+”)*)(\*?)$/;

/** Each sentence of the specification has its row, once in its section, and each row names tests that are there. */
export const coverageTable: Rule = {
  name: 'every sentence of the specification has its row, and the tests it names',
  find: (repository) => {
    const text = repository.files.get(TABLE);
    if (text === undefined) return [at(1, 'it is not there')];
    return sectionsOf(text).flatMap((section) => judge(repository, section));
  },
};

type Row = { content: string; line: number; file: string };
type Section = { title: string; line: number; rows: Row[] };

/** The parts below the second-level headings. Each line in them is blank, names a file or is a row. */
function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  let file = '';
  for (const [index, content] of text.split('\n').entries()) {
    const line = index + 1;
    const path = FILE.exec(content)?.[1];
    if (content.startsWith('## ')) {
      sections.push({ title: content.slice(3), line, rows: [] });
      file = '';
    } else if (path !== undefined) file = path;
    else if (content !== '') sections.at(-1)?.rows.push({ content, line, file });
  }
  return sections;
}

function judge(repository: Repository, { title, line, rows }: Section): Finding[] {
  if (rows.length === 0) return [at(line, `“${title}” has no row`)];
  const said = new Set<string>();
  return rows.flatMap((row) => {
    const [, sentence, tests = '', later] = ROW.exec(row.content) ?? [];
    if (sentence === undefined) return [at(row.line, 'a row is a sentence and its tests')];
    if (said.has(sentence)) return [at(row.line, `“${sentence}” stands twice`)];
    said.add(sentence);
    const { count, problems, perChange } = testsNamedIn(tests, repository, row.file);
    if (count === 0) return [at(row.line, `“${sentence}” names no test`)];
    if (problems.length === 0 && perChange === (later === '*')) {
      return [at(row.line, `“${sentence}” is ${perChange ? '' : 'not '}shown by \`npm test\``)];
    }
    return problems.map((problem) => at(row.line, `“${sentence}” ${problem}`));
  });
}

function at(line: number, reason: string): Finding {
  return { path: TABLE, line, reason };
}
