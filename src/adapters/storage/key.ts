const KEY = /^[0-9a-f]{24}\/[0-9a-f]{24}$/

/** A key becomes a path or part of a URL: anything but two IDs is a mistake of ours, and may not get that far. */
export function partsOf(key: string): { team: string; id: string } {
  if (!KEY.test(key)) throw new Error(`${JSON.stringify(key)} is not a key of a file`)
  const [team, id] = key.split('/') as [string, string]
  return { team, id }
}
