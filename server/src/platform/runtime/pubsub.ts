import type { SQL } from 'drizzle-orm';
import type { Db } from './runtime.ts';

/** What every process should read again: published by the one that changed it. */
export type PubSubTopic =
  | 'settings_changed'
  | 'trading_controls_changed'
  | 'fee_stops_changed'
  | 'cache_cleared'
  | 'relations_changed'
  | 'discovery_settings_changed'
  | 'notification_changed'
  | 'engines_changed'
  | 'prices_listed'
  | 'opportunity_deleted'
  | 'alerts_changed'
  | 'batch_called'
  | 'chain_called'
  | 'sessions_ended'
  | 'exit_settings_changed'
  | 'security_settings_changed'
  | 'report_settings_changed'
  | 'stream_watched'
  | 'stream_caught_up'
  | 'stream_changed';

export type PubSub = {
  /** Reaches every process, this one included, once `tx` has committed, and never when it does not. */
  publish: (tx: Db, topic: PubSubTopic, about?: string) => Promise<void>;
  /** `publish` as a term of a statement in the transaction. */
  publishing: (topic: PubSubTopic, about?: string) => SQL;
  /** Publishes several objects in one statement. */
  publishEach: (tx: Db, topic: PubSubTopic, about: readonly string[]) => Promise<void>;
  /**
   * Calls back whenever a process publishes `topic`, with the id it is about where it is about one thing; without, also
   * when the connection was down for a while.
   * @returns what ends it
   */
  subscribe: (topic: PubSubTopic, react: (about?: string) => void) => () => void;
};
