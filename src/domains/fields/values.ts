/** Kinds of records that take filters. */
export const filteredKinds = ['leads', 'accounts', 'opportunities'] as const
export type FilteredKind = (typeof filteredKinds)[number]
