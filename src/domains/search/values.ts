export const hitKinds = [
  'lead',
  'account',
  'candidate',
  'opportunity',
  'invoice',
  'project',
  'task',
  'meeting',
  'form',
  'sequence',
  'workflow',
] as const
export type HitKind = (typeof hitKinds)[number]
export const HITS_PER_KIND_MAX = 8
