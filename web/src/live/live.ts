import { isTopic } from '@dutchbook/contract/rules/topics.ts';
import type { Change, ChangeType } from '@dutchbook/contract/stream.ts';
import { createContext, startTransition, use, useEffect, useState, useSyncExternalStore } from 'react';
import type { LiveEntry, LiveStore } from './live-store.ts';
import type { Link, StreamClient } from './stream-client.ts';

export type Live = {
  store: LiveStore;
  stream: StreamClient;
  /** Called once the page has said what it follows. */
  onDrawn: () => void;
};

export const LiveContext = createContext<Live | null>(null);

function useLive(): Live {
  const live = use(LiveContext);
  if (live === null) throw new Error('Live parts stand below the app shell, which opens the stream');
  return live;
}

/** Subscribes to a topic of the stream while the component is on screen. */
export function useTopic(topic: string): void {
  const { stream } = useLive();
  // What stands in an address may be no id.
  useEffect(() => (isTopic(topic) ? stream.follow(topic) : undefined), [stream, topic]);
}

/** The newest state of one object that the stream has brought, repainting only the caller, and only while it `isWatched`. */
export function useLiveEntry<Type extends ChangeType>(
  type: Type,
  id: string,
  isWatched = true,
): LiveEntry<Type> | undefined {
  const { store } = useLive();
  const [, see] = useState(() => store.read(type, id));
  // Not an external store to React, which would render a whole list in one go for it, and anew with each change. In a transition, so that
  // a press while many rows change is answered between two of them.
  useEffect(() => {
    if (!isWatched) return;
    const update = () => startTransition(() => see(store.read(type, id)));
    update();
    return store.watch(type, id, update);
  }, [store, type, id, isWatched]);
  return store.read(type, id);
}

/** Calls `listener` with everything each flush changed. */
export function useChanges(listener: (changes: readonly Change[]) => void): void {
  const { store } = useLive();
  useEffect(() => store.watchAll(listener), [store, listener]);
}

/** Reads live entries at the moment of asking, without subscribing. */
export function useLiveStore(): LiveStore {
  return useLive().store;
}

export function useLink(): Link {
  const { stream } = useLive();
  return useSyncExternalStore(stream.onLink, stream.link);
}
