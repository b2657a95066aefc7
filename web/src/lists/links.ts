/** The list of batches narrowed to one opportunity. */
export function batchesOf(opportunityId: string) {
  return { page: 1, sortBy: 'created_at', sortOrder: 'desc', opportunityId } as const;
}
