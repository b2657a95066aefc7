/** What an address leaves out. Apart from what reads one, which is not to be loaded before the login page. */

export const REPORT_SEARCH_DEFAULTS = { by: 'cash', tab: 'money' } as const;

export const RESULT_SEARCH_DEFAULTS = { page: 1, sortBy: 'triggered_at', sortOrder: 'desc' } as const;
