/** What a token, a key or a session may be allowed to do, in the words a person reads on the consent page. */
export const scopes = {
  'leads:read': 'Read leads, contacts and pipeline data',
  'leads:write': 'Create, change and delete leads',
  'accounts:read': 'Read accounts',
  'accounts:write': 'Create, change and delete accounts',
  'projects:read': 'Read project boards and tasks',
  'projects:write': 'Create, change and delete projects and tasks',
  'outreach:write': 'Create and run outreach sequences',
  'softphone:control': 'Start, prompt and stop voice sessions',
  'workflows:read': 'Read workflows and their runs',
  'workflows:write': 'Create and change workflows',
  'forms:read': 'Read forms and submissions',
  'forms:write': 'Create and change forms',
  'billing:read': 'Read invoices and credits',
  'billing:write': 'Create and change invoices',
  'meetings:read': 'Read meetings',
  'meetings:write': 'Book, move and cancel meetings',
  'conversations:read': 'Read conversations with leads',
  'conversations:write': 'Answer leads, and change conversations',
  'voice:read': 'Read voice agents and calls',
  'voice:write': 'Create and change voice agents',
  'webhooks:read': 'Read webhook deliveries',
} as const

export type Scope = keyof typeof scopes
export const allScopes = Object.keys(scopes) as Scope[]
/**
 * Who receives a live change: holders of the scope. `access` is sent to no one: its user may be about to lose
 * access.
 */
export type Audience = Scope | 'access'

export const roles = ['SUPER_ADMIN', 'ADMIN', 'MEMBER', 'VIEWER'] as const
export type Role = (typeof roles)[number]

/** SUPER_ADMIN first: a role may do what every later one may. */
export function atLeast(role: Role, needed: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(needed)
}

/** A session's scopes follow from its role: a VIEWER reads, everybody else works with records. */
export function scopesOfRole(role: Role): Scope[] {
  return role === 'VIEWER' ? allScopes.filter(scope => scope.endsWith(':read')) : allScopes
}

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text)
}
