/** Defaults of the report's search params, in a file of their own so that the login page does not load the reader of addresses. */

export const REPORT_SEARCH_DEFAULTS = { by: 'cash', tab: 'money' } as const;

export const RESULT_SEARCH_DEFAULTS = { page: 1, sortBy: 'triggered_at', sortOrder: 'desc' } as const;
