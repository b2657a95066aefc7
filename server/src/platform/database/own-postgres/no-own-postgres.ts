/** PostgreSQL cannot run here. The message says what is missing, in one sentence, and what else can be done. */
export class NoOwnPostgres extends Error {
  override readonly name = 'NoOwnPostgres';

  constructor(whatIsMissing: string) {
    super(`${whatIsMissing} The other way is a PostgreSQL server that DATABASE_URL names.`);
  }
}
