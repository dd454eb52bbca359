export const viewKinds = ['leads', 'accounts', 'opportunities', 'tasks', 'invoices', 'candidates'] as const
export const COLUMNS_MAX = 100
