import { builtinModules } from 'node:module';
import { type Comment, type EcmaScriptModule, type Node, type Program, parseSync } from 'oxc-parser';
import { walk } from './syntax.ts';

export interface Import {
  readonly specifier: string;
  readonly line: number;
}

/** A TypeScript or JavaScript file, parsed once and read by every rule. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly program: Program;
  readonly comments: readonly Comment[];
  readonly imports: readonly Import[];
  /** The line, from 1, on which a character offset lies. */
  lineAt(offset: number): number;
}

/** Parses a file. Throws with the parser's words when its syntax is wrong. */
export function parseSource(path: string, text: string): SourceFile {
  const { program, comments, module, errors } = parseSync(path, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path} does not parse: ${error.message}`);
  const lineAt = lineIndex(text);
  return {
    path,
    text,
    program,
    comments,
    imports: [...staticImports(module, lineAt), ...importsByExpression(program, lineAt)],
    lineAt,
  };
}

/** Whether a specifier names a module of Node itself, with or without its `node:` prefix. */
export function isNodeModule(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}

type LineAt = SourceFile['lineAt'];

function lineIndex(text: string): LineAt {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

function staticImports(module: EcmaScriptModule, lineAt: LineAt): Import[] {
  return module.staticImports.map(({ start, moduleRequest }) => ({
    specifier: moduleRequest.value,
    line: lineAt(start),
  }));
}

/** `import('./x.ts')`, the type `import('./x.ts').Name` and `new URL('./x.ts', import.meta.url)`. */
function importsByExpression(program: Program, lineAt: LineAt): Import[] {
  const found: Import[] = [];
  walk(program, (node) => {
    const specifier = specifierIn(node);
    if (specifier !== undefined) found.push({ specifier, line: lineAt(node.start) });
  });
  return found;
}

function specifierIn(node: Node): string | undefined {
  if (node.type === 'ImportExpression') return stringIn(node.source);
  if (node.type === 'TSImportType') return node.source.value;
  if (node.type !== 'NewExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'URL')
    return undefined;
  const [path, base] = node.arguments;
  if (base?.type !== 'MemberExpression' || base.object.type !== 'MetaProperty') return undefined;
  const relative = path === undefined ? undefined : stringIn(path);
  return relative?.startsWith('.') ? relative : undefined;
}

function stringIn(node: Node): string | undefined {
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}
