import type { VenuePrices, VenueRuntime } from '../../venue.ts';
import { type ComparisonSlots, findDiffering } from './comparison.ts';
import type { TokenFeed } from './token-feed.ts';

/** A connection that has brought nothing for a while. */
export type SilentSocket = {
  readonly isSilent: boolean;
  /** How many frames it would have brought meanwhile, had it gone on as before. */
  readonly missedFrames: number;
  /** Whether all is read by then that the venue had sent when this was called; false where that is not known. */
  caughtUp: () => Promise<boolean>;
  /** The tokens that changed last, at most `count`: of a frozen connection they are the likeliest to have changed since. */
  changedLast: (count: number) => TokenFeed[];
  /** REST was asked at `askedAtMs`, on the clock of `performance.now()`, for `feeds`, and shows other books than `differing`. */
  judge: (feeds: readonly TokenFeed[], differing: readonly TokenFeed[], askedAtMs: number) => void;
};

/**
 * So long the first of them waits for others, which share its slot: of a busy venue a few are silent at any time by chance, and would
 * take all slots of a second at its beginning.
 */
const GATHERED_MS = 80;
/** That a read takes at once. */
const TOKENS_PER_READ = 100;
/** What is compared of the sockets that wait together, before it is less of each. */
const TOKENS_OF_ALL = 6 * TOKENS_PER_READ;
const TOKENS_MIN = 2;

type Parts = {
  prices: VenuePrices;
  runtime: VenueRuntime;
  /** Slots of all comparisons of the stream. */
  slots: ComparisonSlots;
  /** How long a book that differs is given until it is asked for again. */
  settleMs: number;
};

/**
 * Looks whether sockets that bring nothing are frozen: they answer keep-alives then as well, and only REST shows it. A slot compares
 * those whose silence says most, as many as fit into a read: of few sockets all books, of very many two each.
 */
export class SilentSockets {
  readonly #parts: Parts;
  readonly #waiting = new Set<SilentSocket>();
  #timer: NodeJS.Timeout | undefined;
  #isAsking = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  add(socket: SilentSocket): void {
    this.#waiting.add(socket);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#ask();
    }, GATHERED_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
  }

  /** Asks for one slot after the other while sockets wait. */
  async #ask(): Promise<void> {
    if (this.#isAsking || this.#waiting.size === 0) return;
    this.#isAsking = true;
    const isGranted = await this.#parts.slots.take(
      () => this.#areWaiting(),
      () => {
        this.#isAsking = false;
        const compared = this.#compare(this.#next());
        void this.#ask();
        return compared;
      },
      'first',
    );
    if (!isGranted) this.#isAsking = false;
  }

  #areWaiting(): boolean {
    for (const socket of this.#waiting) if (!socket.isSilent) this.#waiting.delete(socket);
    return this.#waiting.size > 0;
  }

  /** What the slot is for. */
  #next(): Map<SilentSocket, TokenFeed[]> {
    const ofEach = Math.max(TOKENS_MIN, Math.floor(TOKENS_OF_ALL / this.#waiting.size));
    const next = new Map<SilentSocket, TokenFeed[]>();
    let tokens = 0;
    for (const socket of [...this.#waiting].toSorted((a, b) => b.missedFrames - a.missedFrames)) {
      const feeds = socket.isSilent ? socket.changedLast(ofEach) : [];
      if (next.size > 0 && tokens + feeds.length > TOKENS_PER_READ) break;
      this.#waiting.delete(socket);
      if (feeds.length > 0) next.set(socket, feeds);
      tokens += feeds.length;
    }
    return next;
  }

  async #compare(sockets: Map<SilentSocket, TokenFeed[]>): Promise<void> {
    const { prices, runtime, settleMs } = this.#parts;
    const askedAtMs = performance.now();
    const caughtUp = async (feeds: readonly TokenFeed[]) => {
      const asked = [...sockets].map(([socket, own]) => ({ socket, own: feeds.filter((feed) => own.includes(feed)) }));
      const read = asked.map(async ({ socket, own }) => (own.length > 0 && (await socket.caughtUp()) ? own : []));
      return (await Promise.all(read)).flat();
    };
    const all = [...sockets.values()].flat();
    const differing = new Set(await findDiffering(all, { prices, runtime, settleMs, caughtUp }));
    for (const [socket, feeds] of sockets) {
      const ofSocket = feeds.filter((feed) => differing.has(feed));
      socket.judge(feeds, ofSocket, askedAtMs);
    }
  }
}
