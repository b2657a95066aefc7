import type { Level } from '@dutchbook/engine/book/level.ts';
import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Tick } from '@dutchbook/units/price.ts';
import { ReconnectingSocket } from '../socket.ts';
import { Agreements, findDiffering, lastChanged, longestUncompared } from './comparison.ts';
import type { ArrivedText, FrameGroups, TextReader } from './frame-groups.ts';
import { type MarketFrameSink, readMarketFrames } from './market-frames.ts';
import type { TokenChange } from './price-change-scanner.ts';
import { ResyncQueue } from './resync.ts';
import type { ShardParts } from './shard-parts.ts';
import type { SilentSocket } from './silent-sockets.ts';
import { SnapshotWaits } from './snapshot-waits.ts';
import { SocketPace } from './socket-pace.ts';
import { acceptBook, blank, createTokenFeed, type TokenFeed, takeBookFrame, takeChange } from './token-feed.ts';

/** How many times it could have been repeated since, until a comparison with REST no longer speaks for a book. */
const AGREEMENT_INTERVALS = 2;

/** How often it is looked whether books are still proven, in the time for which they are. */
const PROOF_CHECKS = 15;

/** One socket of the market channel and the tokens on it. */
export class MarketShard implements MarketFrameSink, SilentSocket {
  readonly #parts: ShardParts<MarketShard>;
  readonly #feeds = new Map<string, TokenFeed>();
  readonly #groups: FrameGroups;
  readonly #resync: ResyncQueue;
  readonly #agreements: Agreements;
  readonly #socket: ReconnectingSocket;
  readonly #compareTimer: NodeJS.Timeout;
  readonly #proofTimer: NodeJS.Timeout;
  readonly #snapshots: SnapshotWaits;
  #receivedAt: Instant;
  /** Received at, on a monotonic clock, as all ages are measured. */
  #receivedAtMs = performance.now();
  /** When the socket last brought something for one of its tokens. */
  #fedAtMs = performance.now();
  readonly #pace = new SocketPace();
  /** Another socket was found frozen, and this one has brought nothing since. */
  #isDoubted = false;
  #isComparing = false;
  #isClosed = false;
  #connection = this.#openConnection();

  constructor(parts: ShardParts<MarketShard>) {
    const { config, groups, prices, runtime } = parts;
    this.#parts = parts;
    this.#receivedAt = runtime.now();
    this.#groups = groups;
    this.#resync = new ResyncQueue({
      prices,
      runtime,
      config,
      onSnapshots: (feeds) => {
        for (const feed of feeds) this.#groups.touch(feed);
        this.#groups.read();
      },
      onHopeless: ({ tokenId }) => this.#socket.reconnect(`fresh books do not fit the stream of ${tokenId}`),
    });
    // The venue sends a `book` frame for each; for the tokens where it does not, REST is asked.
    this.#snapshots = new SnapshotWaits(config.snapshotWaitMs, (tokenIds) => {
      for (const tokenId of tokenIds) {
        const feed = this.#feeds.get(tokenId);
        if (feed?.isBlank) this.#resync.add(feed);
      }
    });
    const agreementMs = AGREEMENT_INTERVALS * config.compareEveryMs;
    this.#agreements = new Agreements(agreementMs, (feeds) => this.#restate(feeds));
    this.#compareTimer = setInterval(() => void this.#compareInTurn(config.compareTokens), config.compareEveryMs);
    this.#proofTimer = setInterval(() => this.#endTrust(), config.provenSilentMs / PROOF_CHECKS);
    this.#socket = new ReconnectingSocket(
      parts.url,
      config,
      {
        onOpen: () => this.#subscribe([...this.#feeds.keys()], true),
        onDown: () => this.#cutOff(),
        onFrame: (text, atMs) => this.#groups.arrive({ text, at: runtime.now(), atMs, reader: this.#connection }),
        onPong: (take, atMs) =>
          this.#groups.arrive({ text: '', at: runtime.now(), atMs, reader: { read: take, hold: () => {} } }),
        onSuspect: () => this.#suspect(),
        onSilence: () => parts.silent.add(this),
      },
      runtime,
    );
  }

  get size(): number {
    return this.#feeds.size;
  }

  get isConnected(): boolean {
    return this.#socket.isOpen;
  }

  /** Whether the connection stands, is not late, and may not be frozen with another. */
  get isSound(): boolean {
    return this.#socket.isOpen && !this.#isSuspect;
  }

  get isSilent(): boolean {
    return this.#socket.isSilent;
  }

  get missedFrames(): number {
    return this.#pace.missedSince(this.#fedAtMs);
  }

  caughtUp(): Promise<boolean> {
    return this.#socket.caughtUp();
  }

  /** Whether what it has brought may be old. */
  get #isSuspect(): boolean {
    return this.#socket.isSuspect || this.#isDoubted;
  }

  get staleTokens(): number {
    return [...this.#feeds.values()].filter(({ streamed }) => streamed.trust === 'stale').length;
  }

  feed(tokenId: TokenId): TokenFeed | undefined {
    return this.#feeds.get(tokenId);
  }

  add(tokenIds: readonly TokenId[]): void {
    for (const tokenId of tokenIds) {
      const feed = createTokenFeed(tokenId, this.#parts.runtime.now());
      feed.isCutOff = !this.#socket.isOpen;
      this.#feeds.set(tokenId, feed);
    }
    if (this.#socket.isOpen) this.#subscribe(tokenIds, false);
  }

  changedLast(count: number): TokenFeed[] {
    return lastChanged(this.#comparable(), count);
  }

  judge(feeds: readonly TokenFeed[], differing: readonly TokenFeed[], askedAtMs: number): void {
    if (this.#isClosed) return;
    this.#restate(feeds);
    this.#agreements.note(feeds);
    if (differing.length === 0) {
      this.#believeProven(feeds, askedAtMs);
      return;
    }
    for (const feed of differing) this.#lose(feed, 'REST shows another book');
    this.#socket.reconnect(`${differing.length} books differ from REST`);
    if (this.#isDoubted || this.#fedAtMs >= askedAtMs) return;
    // The next connection has to show life as well, and says nothing new of the others until then.
    this.#isDoubted = true;
    this.#parts.onFrozen(this, askedAtMs);
  }

  /** Another socket has brought nothing that happened since then: what this one shows is not traded on until it brings something. */
  doubt(sinceMs: number): void {
    this.#groups.read();
    if (this.#isDoubted || this.#fedAtMs >= sinceMs || !this.#socket.isOpen) return;
    this.#isDoubted = true;
    this.#restateSuspicion();
    this.#groups.read();
    // A market that is as quiet as this shows no life otherwise.
    void this.#compareInTurn(this.#feeds.size);
  }

  remove(tokenIds: readonly TokenId[]): void {
    for (const tokenId of tokenIds) {
      const feed = this.#feeds.get(tokenId);
      if (!feed) continue;
      this.#resync.remove(feed);
      blank(feed);
      this.#feeds.delete(tokenId);
    }
    this.#socket.send({ assets_ids: tokenIds, operation: 'unsubscribe' });
  }

  async close(): Promise<void> {
    clearInterval(this.#compareTimer);
    clearInterval(this.#proofTimer);
    this.#snapshots.clear();
    this.#resync.close();
    this.#agreements.close();
    this.#isClosed = true;
    await this.#socket.close();
  }

  /** Its stated best prices did not show in time. */
  giveUp(feed: TokenFeed): void {
    this.#lose(feed, 'it does not show its best');
  }

  /** What a connection has brought and was not read until it ended says nothing of the next one. */
  #openConnection(): TextReader {
    const connection: TextReader = {
      read: (arrived) => {
        if (connection === this.#connection && !this.#isClosed) this.#read(arrived);
      },
      hold: (isHeld) => {
        if (connection === this.#connection) this.#socket.hold(isHeld);
      },
    };
    return connection;
  }

  #read({ text, at, atMs }: ArrivedText): void {
    this.#receivedAt = at;
    this.#receivedAtMs = atMs;
    this.#pace.count(atMs, this.#fedAtMs);
    readMarketFrames(text, this);
  }

  frame(timestamp: Instant): void {
    this.#groups.begin(timestamp);
  }

  endOfChanges(): void {
    const { onFrame } = this.#parts.events;
    if (onFrame !== undefined && this.#groups.time !== null) onFrame(this.#groups.time);
  }

  book(tokenId: TokenId, bids: Level[], asks: Level[], tick: Tick | null): void {
    const feed = this.#feeds.get(tokenId);
    if (!feed) return;
    if (tick !== null) this.#parts.ticks.set(tokenId, tick);
    this.#resync.remove(feed);
    takeBookFrame(feed, bids, asks);
    this.#touch(feed);
  }

  change({ tokenId, side, price, size, bestBid, bestAsk }: TokenChange): void {
    const feed = this.#feeds.get(tokenId);
    if (!feed) return;
    if (feed.unsettledAt !== null && feed.unsettledAt !== this.#groups.time) {
      this.#lose(feed, 'its burst ended without its best');
    }
    takeChange(feed, side, price, size);
    if (bestBid !== null) feed.statedBid = bestBid;
    if (bestAsk !== null) feed.statedAsk = bestAsk;
    acceptBook(feed);
    this.#touch(feed);
  }

  tick(tokenId: TokenId, tick: Tick): void {
    const feed = this.#feeds.get(tokenId);
    this.#parts.ticks.set(tokenId, tick);
    if (!feed) return;
    blank(feed);
    this.#groups.touch(feed);
    this.#snapshots.begin([tokenId]);
    this.#parts.events.onTick(tokenId, tick);
  }

  resolved(marketId: MarketId, winningTokenId: TokenId): void {
    this.#groups.end();
    this.#parts.events.onResolved(marketId, winningTokenId);
  }

  unreadable(tokenId: TokenId, what: string): void {
    const feed = this.#feeds.get(tokenId);
    if (feed) this.#lose(feed, `a ${what} frame could not be read`);
  }

  unknown(what: string): void {
    this.#parts.ignored.note(what);
  }

  #touch(feed: TokenFeed): void {
    const { streamed } = feed;
    streamed.receivedAt = this.#receivedAt;
    feed.provenAtMs = this.#receivedAtMs;
    this.#fedAtMs = this.#receivedAtMs;
    if (this.#isDoubted) this.#believe();
    if (this.#groups.time !== null) streamed.venueTimestamp = this.#groups.time;
    this.#groups.touch(feed);
  }

  #subscribe(tokenIds: readonly TokenId[], isFirst: boolean): void {
    if (tokenIds.length === 0) return;
    for (const tokenId of tokenIds) {
      const feed = this.#feeds.get(tokenId);
      if (feed) feed.isCutOff = this.#isSuspect;
    }
    const custom = { assets_ids: tokenIds, custom_feature_enabled: true };
    this.#socket.send(isFirst ? { ...custom, type: 'market' } : { ...custom, operation: 'subscribe' });
    this.#snapshots.begin(tokenIds);
  }

  #lose(feed: TokenFeed, reason: string): void {
    if (!feed.isLost)
      this.#parts.runtime.log.warn({ tokenId: feed.tokenId, reason }, 'book out of sequence, read afresh');
    this.#distrust(feed);
  }

  #distrust(feed: TokenFeed): void {
    feed.unsettledAt = null;
    if (!feed.isLost) {
      feed.isLost = true;
      this.#resync.add(feed);
    }
    this.#groups.touch(feed);
  }

  /**
   * Trust lasts only while something renews it. A socket that brings nothing, and of which REST agrees with no book either,
   * may have been frozen for as long: a new connection begins with the venue's own books.
   */
  #endTrust(): void {
    const { provenSilentMs, provenBusyMs } = this.#parts.config;
    const nowMs = performance.now();
    const isSilent = nowMs - this.#fedAtMs > provenSilentMs;
    const lastsMs = isSilent ? provenSilentMs : provenBusyMs;
    const trusted = [...this.#feeds.values()].filter(({ streamed }) => streamed.trust !== 'stale');
    const unproven = trusted.filter(({ provenAtMs }) => nowMs - provenAtMs > lastsMs);
    if (unproven.length === 0) return;
    this.#parts.runtime.log.warn({ tokens: unproven.length, lastsMs }, 'books not confirmed for too long, read afresh');
    for (const feed of unproven) this.#distrust(feed);
    this.#groups.read();
    if (isSilent && unproven.length === trusted.length)
      this.#socket.reconnect('nothing shows that its books are right');
  }

  /** What it has brought before is read as far as a tick has room for it: a book out of that must not count as one of the next connection. */
  #cutOff(): void {
    this.#groups.read();
    this.#connection = this.#openConnection();
    this.#snapshots.clear();
    for (const feed of this.#feeds.values()) {
      this.#resync.remove(feed);
      blank(feed);
      feed.isCutOff = true;
      this.#groups.touch(feed);
    }
    this.#groups.read();
  }

  #suspect(): void {
    this.#groups.read();
    this.#restateSuspicion();
    this.#groups.read();
  }

  /** A socket that brings nothing shows life as well where REST agrees with all of its books. */
  #believeProven(feeds: readonly TokenFeed[], askedAtMs: number): void {
    const isProven = feeds.length > 0 && feeds.every(({ provenAtMs }) => provenAtMs >= askedAtMs);
    if (this.#isDoubted && isProven && feeds.length === this.#comparable().length) this.#believe();
  }

  #believe(): void {
    this.#isDoubted = false;
    this.#restateSuspicion();
  }

  #restateSuspicion(): void {
    for (const feed of this.#feeds.values()) {
      feed.isCutOff = this.#isSuspect;
      this.#groups.touch(feed);
    }
  }

  /** The feeds whose books a comparison with REST can confirm or refute. */
  #comparable(): TokenFeed[] {
    const feeds = [...this.#feeds.values()];
    if (!this.#isDoubted) return feeds.filter(({ streamed }) => streamed.trust !== 'stale');
    return feeds.filter(({ isBlank, isUnaccepted, isLost }) => !(isBlank || isUnaccepted || isLost));
  }

  async #compareInTurn(count: number): Promise<void> {
    if (this.#isComparing || !this.#socket.isOpen) return;
    this.#isComparing = true;
    try {
      await this.#parts.slots.take(
        () => this.#socket.isOpen,
        () => this.#compare(count),
      );
    } finally {
      this.#isComparing = false;
    }
  }

  async #compare(count: number): Promise<void> {
    const { prices, runtime, config } = this.#parts;
    const feeds = longestUncompared(this.#comparable(), count);
    const askedAtMs = performance.now();
    const caughtUp = async (apart: readonly TokenFeed[]) => ((await this.caughtUp()) ? apart : []);
    const { settleMs } = config;
    this.judge(feeds, await findDiffering(feeds, { prices, runtime, settleMs, caughtUp }), askedAtMs);
  }

  /** Some of the feeds may have been let go of since they were compared. */
  #restate(feeds: readonly TokenFeed[]): void {
    this.#groups.restate(feeds.filter((feed) => this.#feeds.get(feed.tokenId) === feed));
  }
}
