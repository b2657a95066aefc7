import { sql } from 'drizzle-orm';
import { openListeners } from '../runtime/listeners.ts';
import type { PubSub, PubSubTopic } from '../runtime/pubsub.ts';
import type { Db } from '../runtime/runtime.ts';

/** Where all processes of one database receive each other. */
export const CHANNEL = 'dutchbook';

/** As `publish` of `PubSub`, which needs no connection that listens. */
export async function publish(tx: Db, topic: PubSubTopic, about?: string): Promise<void> {
  await tx.execute(sql`select ${publishing(topic, about)}`);
}

const publishing: PubSub['publishing'] = (topic, about) =>
  sql`pg_notify(${CHANNEL}, ${about === undefined ? topic : `${topic} ${about}`})`;

/** `receive` and `callAll` are for the connection that listens. */
type Channel = PubSub & { receive: (said: string) => void; callAll: () => void };

export function openChannel(): Channel {
  const listeners = openListeners<[reported: string | null, about?: string | undefined]>();
  return {
    publish,
    publishing,
    publishEach: async (tx, topic, about) => {
      if (about.length === 0) return;
      const said = JSON.stringify(about.map((id) => `${topic} ${id}`));
      await tx.execute(sql`select pg_notify(${CHANNEL}, said) from json_array_elements_text(${said}::json) as said`);
    },
    subscribe: (topic, react) =>
      listeners.add((reported, about) => {
        if (reported === null || reported === topic) react(about);
      }),
    receive: (said) => {
      const end = said.indexOf(' ');
      if (end === -1) listeners.call(said);
      else listeners.call(said.slice(0, end), said.slice(end + 1));
    },
    callAll: () => listeners.call(null),
  };
}
