/** What values mean that several calls have. */

/** How far a book can be trusted. */
export const TRUST_MEANINGS = {
  verified: "the stream is healthy and the venue's own snapshot has lately agreed with it",
  live: 'the stream is healthy',
  polled: 'the book is read again and again',
  stale: 'the stream is not trusted',
  none: 'nothing is known',
};

export const SIDE_MEANINGS = { buy: 'it buys shares', sell: 'it sells shares' };

const SPLIT = 'dollars become complete sets of one market';
const HORIZONTAL_SPLIT = 'dollars become Yes shares of all markets of an event';
export const SPLIT_MEANINGS = { split: SPLIT, horizontal_split: HORIZONTAL_SPLIT };

/** Calls of the venue's contracts that convert shares into dollars before their markets resolve. */
export const CONVERSION_MEANINGS = {
  merge: 'complete sets of one market become dollars',
  convert: 'No shares of an event become Yes shares of the others and dollars',
  horizontal_merge: 'Yes shares of all markets of an event become dollars',
  directional_merge: 'shares that together pay a dollar whatever comes true become dollars',
};

/** What may be doubtful about an opportunity. */
export const FLAG_MEANINGS = {
  augmented_event: 'its event has an outcome that is not listed and that the set does not cover',
  too_good_to_be_true: 'it promises over 20% after fees',
  resolution_proposed: 'an answer of one of its markets was proposed and is not final yet',
  resolution_disputed: 'an answer of one of its markets is disputed',
};

export const WAY_IN_MEANINGS = {
  buy: 'its positions are bought',
  split: 'dollars are split into shares on the chain, and what the positions are not is sold',
};

export const REFERENCE_MEANINGS = {
  capitals: 'by its id in capitals',
  page: 'by the address of its page',
  slug: 'by its slug',
  token_id: 'by a token of it',
  gamma_id: 'by the number that Gamma gives it',
};

/** What a relation rests on. */
export const BASIS_MEANINGS = {
  enforced: 'the contract enforces it',
  declared: 'the venue declares it',
  parsed: 'it was read from names and rules',
  human: 'a superuser stated it',
};

/** Relations that a superuser can state. */
export const STATED_MEANINGS = {
  at_most_one: 'at most one member comes true',
  exactly_one: 'exactly one member comes true',
  ladder: 'a harder threshold implies every easier one',
};

/** Steps of the report's funnel, before something is placed and from then on. */
export const MISSED_STEP_MEANINGS = {
  seen: 'a relation paid, or an opportunity was watched',
  triggered: 'an opportunity triggered',
  allowed: 'no gate refused it',
};
export const REACHED_STEP_MEANINGS = {
  filled: 'something was filled',
  locked: 'profit was locked in',
  cash: 'profit became cash',
};

/** Why no further clip of an opportunity is placed. */
export const SERIES_PAUSE_MEANINGS = {
  'switched off': 'SIZE_POLICY is the smallest, or nothing is placed automatically',
  'under way': 'the last clip has not ended',
  uneven: 'a clip holds shares of some positions without the rest of their set, until these are hedged or sold',
  'not whole': 'the last clip was not filled whole',
  canceled: 'the end of the last clip was asked for',
  disarmed: 'trading was disarmed after the last clip',
  'clips max': 'there are as many as CLIPS_MAX',
  quiet: 'nothing was bought for an hour',
  inactive: 'the opportunity is not active, or was deleted',
  'below trigger': 'the profit has fallen below MIN_PROFIT_TRIGGER_THRESHOLD',
} as const;

/** What bounds a size that SIZE_POLICY chooses. */
export const SIZE_BOUND_MEANINGS = {
  margin: 'the next set would make less than MIN_PROFIT_TRIGGER_THRESHOLD',
  depth: 'a book holds no more, or no more of it is expected to be met',
  minimum: 'it is the smallest that every minimum allows',
  clip: 'CLIP_USD',
  'loss allowance': 'LOSS_ALLOWANCE_USD',
  'price band': 'the next level of a book is outside of the price thresholds',
  cash: 'the account has no more cash that is free',
  approval: 'the contract of the exchange may move no more',
  'order limit': 'the limit per order',
  'batch limit': 'the limit per batch',
  'day limit': 'the limit per day',
  exposure: 'the limit on open exposure',
  'sign-off': 'more needs the sign-off of a second person',
  clips: 'of a series: there are as many clips as CLIPS_MAX',
} as const;
