export const viewKinds = ['leads'] as const
export const COLUMNS_MAX = 100
