import { atLeast, roles, type Role } from '#platform/scopes.ts'

export const roleNames: Record<Role, string> = {
  SUPER_ADMIN: 'Owner',
  ADMIN: 'Administrator',
  MEMBER: 'Member',
  VIEWER: 'Viewer',
}

/** For sentences: "Grace is now an administrator". */
export const asRole: Record<Role, string> = {
  SUPER_ADMIN: 'an owner',
  ADMIN: 'an administrator',
  MEMBER: 'a member',
  VIEWER: 'a viewer',
}

export const roleAbouts: Record<Role, string> = {
  SUPER_ADMIN: 'Everything, and makes other owners',
  ADMIN: 'Leads, members, keys and settings',
  MEMBER: 'Works with all leads',
  VIEWER: 'Reads everything, changes nothing',
}

/** Nobody gives a role above their own, nor changes who stands there. */
export function rolesUpTo(own: Role): Role[] {
  return roles.filter(role => atLeast(own, role))
}
