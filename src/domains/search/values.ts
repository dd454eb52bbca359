export const hitKinds = ['lead', 'account', 'opportunity', 'project', 'task'] as const
export type HitKind = (typeof hitKinds)[number]
export const HITS_PER_KIND_MAX = 8
