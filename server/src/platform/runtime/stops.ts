/** `subject` names what is stopped; see the functions below. */
export type Stop<Stored> = {
  subject: string;
  /** Has the same effect however often it is done: it is repeated when its answer was lost. `again` from the second time. */
  store: (again: boolean) => Promise<Stored>;
  /** When it is stored, however late. */
  onStored?: () => void | Promise<void>;
};

export type Stops = {
  /** @throws Refusal where the stop itself is refused; it does not hold then */
  carryOut: <Stored>(stop: Stop<Stored>) => Promise<{ kind: 'stored'; stored: Stored } | { kind: 'held' }>;
  /** Whether it was stopped here and is not known to be stored. */
  holds: (subject: string) => boolean;
  /** Whether `holds` is true of a subject that matches. */
  holdsAny: (matches: (subject: string) => boolean) => boolean;
  /** Whether a caller was answered that it holds here alone. */
  isHeldAlone: (subject: string) => boolean;
};
