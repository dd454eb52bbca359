/** It waits in a cookie while the person is at the provider, and a cookie holds 4,096 characters. */
export const RETURN_TO_LENGTH_MAX = 2_400

/** Where to go after signing in: a path of our own, whatever somebody wrote into a link. */
export function ownPath(text: unknown): string {
  if (typeof text !== 'string' || text.length > RETURN_TO_LENGTH_MAX) return '/'
  // One slash, and nothing a browser would drop or take for a slash: //host and /\host are other sites.
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text) ? text : '/'
}

export function signInPath(return_to: string): string {
  return return_to === '/' ? '/signin' : `/signin?return_to=${encodeURIComponent(return_to)}`
}
