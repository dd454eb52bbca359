/** Each tells what stands before it, in lines, when a test has failed. */
export const witnesses = new Set<() => Promise<string[]>>()

export async function hearWitnesses(): Promise<string> {
  const told = await Promise.all(
    [...witnesses].map(tell => tell().catch((error: unknown) => [String(error)])),
  )
  return told.flat().join('\n')
}
