const LENGTH_MAX = 24

/** A name that has to fit on a button, also on a phone. */
export function briefly(name: string): string {
  const letters = [...name]
  return letters.length > LENGTH_MAX
    ? `${letters
        .slice(0, LENGTH_MAX - 1)
        .join('')
        .trimEnd()}…`
    : name
}
