/** Where visitors find the form. */
export function hostedPath(slug: string): string {
  return `/f/${slug}`
}

export function hostedAddress(slug: string): string {
  return location.origin + hostedPath(slug)
}
