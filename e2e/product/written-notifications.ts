import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** How far a notification came: what only sending makes of one. */
export type Written = {
  message: string;
  status: string;
  attempts?: number;
  sentAt?: Date;
  errorMessage?: string;
  opportunityId?: string;
  data?: object;
  createdAt?: Date;
};

/** Writes to the database of a product that runs, as its sending would have; the product hears nothing of it. */
export async function writtenNotifications(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return {
    async add(written: Written): Promise<string> {
      const { message, status, attempts = 0, sentAt, errorMessage, opportunityId, data = {} } = written;
      const id = randomUUID();
      const createdAt = written.createdAt ?? new Date();
      await client.query(
        `insert into notifications (id, opportunity_id, notification_type, message, status, sent_at, attempts,
           created_at, updated_at, error_message, data)
         values ($1, $2, 'opportunity_triggered', $3, $4, $5, $6, $7, $7, $8, $9)`,
        [id, opportunityId, message, status, sentAt, attempts, createdAt, errorMessage, data],
      );
      return id;
    },
    setStatus: (id: string, status: string) =>
      client.query('update notifications set status = $2 where id = $1', [id, status]),
    clear: () => client.query('delete from notifications'),
    close: () => client.end(),
  };
}
