import type { Node } from 'oxc-parser';
import type { SourceFile } from './source-file.ts';
import { dottedName, walk } from './syntax.ts';

/** A function with a body, as a reader meets it. */
export interface FunctionSize {
  /** The name it is declared with or assigned to; `anonymous` when it has none. */
  readonly name: string;
  readonly line: number;
  readonly lines: number;
}

const TEST_CALL = /^(describe|suite|test|it|bench)\b/;

/** The functions of a file with their sizes, but for those that only list tests, as the body of a `describe` does. */
export function functionsIn(file: SourceFile): FunctionSize[] {
  const functions: FunctionSize[] = [];
  walk(file.program, (node, ancestors) => {
    const body = bodyOf(node);
    if (body === undefined || listsTests(body)) return;
    const line = file.lineAt(node.start);
    functions.push({ name: nameOf(node, ancestors.at(-1)), line, lines: file.lineAt(node.end) - line + 1 });
  });
  return functions;
}

function bodyOf(node: Node): Node | undefined {
  if (node.type === 'ArrowFunctionExpression') return node.body;
  if (node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression') return node.body ?? undefined;
  return undefined;
}

function listsTests(body: Node): boolean {
  if (body.type !== 'BlockStatement') return false;
  return body.body.some((statement) => {
    if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'CallExpression') return false;
    const { callee } = statement.expression;
    const name = dottedName(callee.type === 'CallExpression' ? callee.callee : callee);
    return name !== undefined && TEST_CALL.test(name);
  });
}

function nameOf(node: Node, parent: Node | undefined): string {
  if ('id' in node && node.id?.type === 'Identifier') return node.id.name;
  if (parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier') return parent.id.name;
  if (parent !== undefined && 'key' in parent && parent.key.type === 'Identifier') return parent.key.name;
  return 'anonymous';
}
