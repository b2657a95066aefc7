import { type Comment, type Node, parseSync } from 'oxc-parser';
import { isGenerated } from '../places.ts';
import type { Finding, Rule } from '../rule.ts';
import type { SourceFile } from '../source-file.ts';

const REMINDER = /\b(TODO|FIXME|XXX|HACK)\b/;
const SILENCER = /@ts-(ignore|expect-error|nocheck)|(biome|eslint|oxlint)-(ignore|disable)|prettier-ignore/;
const CODE_WITHOUT_SEMICOLON = new Set([
  ...[
    'VariableDeclaration',
    'FunctionDeclaration',
    'ClassDeclaration',
    'ImportDeclaration',
    'IfStatement',
    'ForStatement',
  ],
  ...['ForOfStatement', 'WhileStatement', 'SwitchStatement', 'TryStatement', 'ExportNamedDeclaration'],
]);

/** A comment explains; what is left to do stands in an issue, old code in the history, and a checker is answered. */
export const leftovers: Rule = {
  name: 'no reminder, no code and no silenced checker in comments',
  find: (repository) => repository.sources.filter((file) => !isGenerated(file.path)).flatMap(judge),
};

function judge(file: SourceFile): Finding[] {
  const words = file.comments.flatMap(({ value, start }): Finding[] => {
    const reminder = value.match(REMINDER)?.[0];
    const silencer = value.match(SILENCER)?.[0];
    const found = (reason: string) => ({ path: file.path, line: file.lineAt(start), reason });
    return [
      ...(reminder === undefined ? [] : [found(`${reminder} belongs in an issue`)]),
      ...(silencer === undefined ? [] : [found(`${silencer} silences a checker`)]),
    ];
  });
  const code = blocksOf(file)
    .filter(({ lines }) => isCode(lines.join('\n')) || lines.some(isCode))
    .map(({ line }) => ({ path: file.path, line, reason: 'looks like code that was commented out: delete it' }));
  return [...words, ...code];
}

interface Block {
  readonly line: number;
  readonly lines: readonly string[];
}

/** Comments as a reader sees them: consecutive line comments are one block. Docstrings are prose and left out. */
function blocksOf(file: SourceFile): Block[] {
  const blocks: { line: number; lines: string[] }[] = [];
  let lastLine = Number.NEGATIVE_INFINITY;
  for (const comment of file.comments) {
    if (comment.type === 'Block' && comment.value.startsWith('*')) continue;
    const line = file.lineAt(comment.start);
    const last = blocks.at(-1);
    if (last !== undefined && comment.type === 'Line' && line === lastLine + 1) last.lines.push(...textOf(comment));
    else blocks.push({ line, lines: textOf(comment) });
    lastLine = comment.type === 'Line' ? line : Number.NEGATIVE_INFINITY;
  }
  return blocks;
}

function textOf(comment: Comment): string[] {
  return comment.value.split('\n').map((line) => line.trim());
}

/**
 * Prose hardly ever parses as a program. What parses and is a declaration, a branch or a loop is code; of single
 * statements, only those that end as code does, since `a = b` may well be a formula.
 */
function isCode(text: string): boolean {
  if (!/[;{}()=]/.test(text)) return false;
  const { program, errors } = parseSync('comment.tsx', `async function* f() {\n${text}\n}`);
  const [wrapper] = program.body;
  if (errors.length > 0 || program.body.length !== 1 || wrapper?.type !== 'FunctionDeclaration') return false;
  const statements: readonly Node[] = wrapper.body?.body ?? [];
  if (statements.some(({ type }) => CODE_WITHOUT_SEMICOLON.has(type))) return true;
  return text.endsWith(';') && statements.some((statement) => !isWord(statement));
}

function isWord(statement: Node): boolean {
  if (statement.type === 'EmptyStatement' || statement.type === 'LabeledStatement') return true;
  return statement.type === 'ExpressionStatement' && ['Identifier', 'Literal'].includes(statement.expression.type);
}
