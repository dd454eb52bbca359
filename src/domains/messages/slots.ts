/** A fixed number of slots; later callers wait in order of arrival. */
export class Slots {
  private free: number
  private readonly waiting: (() => void)[] = []

  constructor(count: number) {
    this.free = count
  }

  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.take()
    try {
      return await work()
    } finally {
      this.giveBack()
    }
  }

  private async take(): Promise<void> {
    if (this.free > 0) {
      this.free--
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.waiting.push(resolve)
    await promise
  }

  private giveBack(): void {
    const next = this.waiting.shift()
    if (next) next()
    else this.free++
  }
}
