/** How many statements this process sends to PostgreSQL, by what kind of connection. */
import { Client } from 'pg';

export type Statements = { all: number; ofTriggers: number };

/** Counts from now on; each call answers what was sent since the call before. Triggers have the connections that take statements before they have answered others. */
export function countStatements(): () => Statements {
  let counted: Statements = { all: 0, ofTriggers: 0 };
  const query: (...given: never[]) => unknown = Client.prototype.query;
  Object.assign(Client.prototype, {
    query(this: Client, ...given: never[]) {
      counted.all += 1;
      if (this.pipeline) counted.ofTriggers += 1;
      return query.apply(this, given);
    },
  });
  return () => {
    const until = counted;
    counted = { all: 0, ofTriggers: 0 };
    return until;
  };
}
