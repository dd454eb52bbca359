export const viewKinds = ['leads', 'accounts', 'opportunities', 'tasks'] as const
export const COLUMNS_MAX = 100
