/** `opportunities`, `opportunity:ID`, `batches`, `batch:ID`, `relations`, `relation:ID`, `chain`, `notifications`, `jobs` or `system`. */
export const TOPIC =
  /^(opportunities|batches|relations|chain|notifications|jobs|system|(opportunity|batch|relation):[0-9a-f-]{36})$/;

/** Whether the stream has such a topic. The server closes the connection of a tab that asks for another one. */
export const isTopic = (text: string): boolean => TOPIC.test(text);
