import { type messages, type PGlite, parse, protocol, type QueryOptions, type Transaction } from '@electric-sql/pglite';
import type { EmbeddedClient } from './embedded-client.ts';

const { serialize } = protocol;

/** Statements that are kept, and texts that were asked once: the one asked longest ago gives way. */
const KEPT_MAX = 400;
const SEEN_MAX = 1000;

/** `row` describes what it answers; without it answers none. */
type Kept = { name: string; parameterTypes: readonly number[]; row: messages.BackendMessage | undefined };

/**
 * PGlite that keeps statements by name. By itself it parses each anew, in six calls one after the other; here what is
 * asked for again is one call, which takes a fourth of the time. Nobody else may name statements, or discard them.
 */
export function keepStatements(client: EmbeddedClient, keptMax = KEPT_MAX): EmbeddedClient {
  const { comesAgain, ask } = keptStatements(client, keptMax);
  const query: PGlite['query'] = async (text, parameters, options) => {
    if (!comesAgain(text, options)) return client.query(text, parameters, options);
    await client._checkReady();
    return client._runExclusiveTransaction(async () => {
      const answer = await ask(text, parameters, options);
      await client.syncToFs();
      return answer as never;
    });
  };
  const queryOf =
    (tx: Transaction): Transaction['query'] =>
    async (text, parameters, options) => {
      if (tx.closed || !comesAgain(text, options)) return tx.query(text, parameters, options);
      return (await ask(text, parameters, options)) as never;
    };
  const transaction: PGlite['transaction'] = (work) =>
    client.transaction((tx) => work(withOwn(tx, { query: queryOf(tx) })));
  return withOwn(client, { query, transaction });
}

/** `thing`, but for the members that are its `own`. */
function withOwn<Thing extends object>(thing: Thing, own: Partial<Thing>): Thing {
  return new Proxy(thing, {
    get: (target, name) => {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name);
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

function keptStatements(client: EmbeddedClient, keptMax: number) {
  const seen = new Set<string>();
  const kept = new Map<string, Kept>();
  let named = 0;

  const keep = async (text: string): Promise<Kept> => {
    const name = `kept_${named++}`;
    const oldest = kept.size < keptMax ? undefined : kept.entries().next().value;
    if (oldest !== undefined) kept.delete(oldest[0]);
    const told = await send(client, [
      ...(oldest === undefined ? [] : [serialize.close({ type: 'S', name: oldest[1].name })]),
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
    ]);
    const row = told.find((message) => message.name === 'rowDescription');
    return { name, parameterTypes: parse.parseDescribeStatementResults(told), row };
  };

  const comesAgain = (text: string, options: QueryOptions | undefined): boolean => {
    if (options?.blob !== undefined || options?.paramTypes !== undefined) return false;
    if (kept.has(text) || seen.delete(text)) return true;
    const [oldest] = seen;
    if (seen.size >= SEEN_MAX && oldest !== undefined) seen.delete(oldest);
    seen.add(text);
    return false;
  };

  const ask = (text: string, parameters: readonly unknown[] = [], options?: QueryOptions) =>
    client.runExclusive(async () => {
      const statement = kept.get(text) ?? (await keep(text));
      kept.delete(text);
      kept.set(text, statement);
      const values = parameters.map((value, at) => written(client, value, statement.parameterTypes[at]));
      const told = await send(client, [serialize.bind({ statement: statement.name, values }), serialize.execute()]);
      // Those of a statement alone above the client's own, which are hundreds: never copied.
      const parsers = Object.assign(Object.create(client.parsers), options?.parsers);
      const [answer] = parse.parseResults(statement.row === undefined ? told : [statement.row, ...told], parsers, {
        ...(options?.rowMode && { rowMode: options.rowMode }),
      });
      if (answer === undefined) throw new Error('the embedded database answered a statement with nothing');
      return answer;
    });

  return { comesAgain, ask };
}

/** In one call, with what ends them. @throws what the database says is wrong with one of them */
function send(client: EmbeddedClient, requests: readonly Uint8Array[]): Promise<messages.BackendMessage[]> {
  return client.execProtocolStream(Buffer.concat([...requests, serialize.sync()]), { syncToFs: false });
}

function written(client: EmbeddedClient, value: unknown, type: number | undefined): string | null {
  if (value === null || value === undefined) return null;
  const serializer = type === undefined ? undefined : client.serializers[type];
  return serializer ? serializer(value) : String(value);
}
