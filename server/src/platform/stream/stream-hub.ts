import type { Change, ChangeType } from '@dutchbook/contract/stream.ts';

type ChangeOf<Type extends ChangeType> = Extract<Change, { type: Type }>;

export type StreamHub = {
  /** Hands a change to every tab subscribed to its topic, coalesced to five per second and object. */
  publish: <Type extends ChangeType>(change: Omit<ChangeOf<Type>, 'seq'>) => void;
  /** Whether the topic has a subscriber, or one that begins so where it ends with a colon: without any the data need not be assembled. */
  watched: (topic: string) => boolean;
};
