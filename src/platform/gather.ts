export type GatherOptions = {
  batchMax: number
  batchesMax?: number
  /** Fewer than this wait for others to come along, but not longer than `patienceMs`. */
  batchMin?: number
  patienceMs?: number
}

/**
 * Batches work of the same moment: what arrives while a batch is being processed waits for the next one.
 * Alone it is processed immediately, unless told to wait; under load many cost as much as one. Each is
 * answered with its batch.
 */
export function gather<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  { batchMax, batchesMax = 1, batchMin = 1, patienceMs = 0 }: GatherOptions,
): (item: Item) => Promise<Result> {
  const waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = []
  let running = 0
  let announced = false
  let patience: NodeJS.Timeout | undefined

  async function go(): Promise<void> {
    const batch = waiting.splice(0, batchMax)
    running++
    try {
      const results = await run(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, at) => resolve(results[at]!))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      running--
      if (waiting.length >= batchMin) depart()
      else announce()
    }
  }

  function announce(): void {
    if (announced || running >= batchesMax || waiting.length === 0) return
    if (waiting.length < batchMin) {
      patience ??= setTimeout(depart, patienceMs)
      return
    }
    announced = true
    // Whatever else this turn of the loop has read from its sockets comes along.
    setImmediate(depart)
  }

  function depart(): void {
    announced = false
    clearTimeout(patience)
    patience = undefined
    while (running < batchesMax && waiting.length > 0) void go()
  }

  return item => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    waiting.push({ item, resolve, reject })
    announce()
    return promise
  }
}
