import { atLeast, roles, type Role } from '#platform/scopes.ts'

export const roleNames: Record<Role, string> = {
  SUPER_ADMIN: 'Owner',
  ADMIN: 'Admin',
  MEMBER: 'Member',
  VIEWER: 'Viewer',
}

/** For sentences: "Grace is now an admin". */
export const asRole: Record<Role, string> = {
  SUPER_ADMIN: 'an owner',
  ADMIN: 'an admin',
  MEMBER: 'a member',
  VIEWER: 'a viewer',
}

export const roleAbouts: Record<Role, string> = {
  SUPER_ADMIN: 'Full access, can add other owners',
  ADMIN: 'Manages members, keys and settings',
  MEMBER: 'Works with all leads',
  VIEWER: 'Read-only access',
}

/** No one can grant a role above their own. */
export function rolesUpTo(own: Role): Role[] {
  return roles.filter(role => atLeast(own, role))
}
