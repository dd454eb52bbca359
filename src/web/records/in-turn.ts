const turns = new Map<string, Promise<unknown>>()

/** Two quick edits of one record must not meet: the second carries the version that the first one made. */
export async function inTurn<T>(id: string, act: () => Promise<T>): Promise<T> {
  const turn = (turns.get(id) ?? Promise.resolve()).then(act, act)
  turns.set(id, turn)
  try {
    return await turn
  } finally {
    if (turns.get(id) === turn) turns.delete(id)
  }
}
