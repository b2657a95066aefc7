/** The part of a WebSocket that a reader needs. */
export type Outlet = { send: (text: string) => void; bufferedAmount: number };

/** Beyond this many bytes not yet taken by the network, a tab is too slow to be sent every change. */
const BUFFERED_MAX = 1_000_000;

/**
 * One tab's end of the stream. A tab that does not keep up is sent nothing more until it has read what lies there, and
 * then told to read everything again: memory stays bounded, and no change is lost unnoticed.
 */
export type Reader = {
  topics: ReadonlySet<string>;
  send: (text: string) => void;
  /** Sends `{type: 'resync'}` to a tab that has caught up. */
  recover: (latestSeq: number) => void;
  /** Tells the tab, as soon as it has caught up, to read everything again. */
  resync: (latestSeq: number) => void;
};

export function createReader(outlet: Outlet): Reader {
  let behind = false;
  const resync = (latestSeq: number) => {
    behind = outlet.bufferedAmount > 0;
    if (!behind) outlet.send(JSON.stringify({ type: 'resync', seq: latestSeq }));
  };
  return {
    topics: new Set(),
    send: (text) => {
      behind ||= outlet.bufferedAmount > BUFFERED_MAX;
      if (!behind) outlet.send(text);
    },
    recover: (latestSeq) => {
      if (behind) resync(latestSeq);
    },
    resync,
  };
}
