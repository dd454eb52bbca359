const turns = new Map<string, Promise<unknown>>()

/** Runs edits of one record one after the other, so that the second one has the version made by the first. */
export async function inTurn<T>(id: string, act: () => Promise<T>): Promise<T> {
  const turn = (turns.get(id) ?? Promise.resolve()).then(act, act)
  turns.set(id, turn)
  try {
    return await turn
  } finally {
    if (turns.get(id) === turn) turns.delete(id)
  }
}
