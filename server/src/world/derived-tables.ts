/** Written by triggers alone, from the rows of other tables. */
export const DERIVED_TABLES: readonly string[] = ['opportunity_counts', 'row_counts', 'ended_batches', 'ended_orders'];
