export const viewKinds = ['leads', 'accounts', 'opportunities', 'tasks', 'invoices'] as const
export const COLUMNS_MAX = 100
