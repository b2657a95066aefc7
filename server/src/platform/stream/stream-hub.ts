import type { Change, ChangeType } from '@dutchbook/contract/stream.ts';

type ChangeOf<Type extends ChangeType> = Extract<Change, { type: Type }>;

export type StreamHub = {
  /** Hands a change to every tab subscribed to its topic, coalesced to five per second and object. */
  publish: <Type extends ChangeType>(change: Omit<ChangeOf<Type>, 'seq'>) => void;
  /** Whether anybody listens, where it ends with a colon to any topic that begins so: without a subscriber the data need not be assembled. */
  watched: (topic: string) => boolean;
};
